import type { ReactNode } from 'react'
import { InstallOpener } from '#src/install/InstallOpener.tsx'
import { buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'

export interface DevicePartsProps {
  display: ReactNode
  storage: ReactNode
}

/** These belong to this device, whoever studies on it. */
export const DeviceParts = ({ display, storage }: DevicePartsProps) => (
  <>
    <section className={common.panel} aria-label="显示与操作">
      <h2 className={common.subheading}>显示与操作</h2>
      <p className={common.note}>只在这台设备上。</p>
      <div>{display}</div>
    </section>
    {storage}
    <section className={common.panel} aria-label="添加到桌面">
      <h2 className={common.subheading}>添加到桌面</h2>
      <p className={common.note}>像应用一样从桌面图标打开，没有网络也能做题。</p>
      <InstallOpener {...buttonLook({ look: 'light' })} />
    </section>
  </>
)
