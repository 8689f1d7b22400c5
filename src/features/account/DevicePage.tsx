import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { loginRequest } from '#src/session/loginRequest.ts'
import { useSession } from '#src/session/useSession.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Forms } from '#src/ui/forms/Forms.tsx'
import classes from './AccountPage.module.css'
import { DeviceParts, type DevicePartsProps } from './DeviceParts.tsx'

/** 设备与数据: open to whoever holds this device, logged in or not. */
export function DevicePage({ stats, back, ...parts }: DevicePartsProps & { stats: ReactNode; back: ReactNode }) {
  const isVisitor = useSession().token === ''
  return (
    <div className={clsx(common.stack, classes.parts, classes.device)}>
      {!isVisitor && back}
      <div className={common.between}>
        <h1 className={common.title}>设备与数据</h1>
        {stats}
      </div>
      {isVisitor && (
        <section className={clsx(common.card, common.between)} aria-label="登录">
          <span className={common.column}>
            <b>未登录</b>
            <span className={common.note}>做题记录先存在这台设备上，登录后跟着账号走。</span>
          </span>
          <Button onClick={loginRequest.ask}>登录</Button>
        </section>
      )}
      <Forms>
        <DeviceParts {...parts} />
      </Forms>
    </div>
  )
}
