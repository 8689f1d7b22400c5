import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { maskMobile } from '#src/domain/text/text.ts'
import { useSession } from '#src/session/useSession.ts'
import common from '#src/ui/common.module.css'
import classes from './Rows.module.css'
import { SecurityOpener } from './SecurityOpener.tsx'

/** 账号与安全: what one logs in with, and where. */
export function SecuritySection() {
  const mobile = useSession().userinfo?.mobile
  return (
    <section className={common.panel} aria-labelledby="security">
      <h2 id="security" className={common.subheading}>
        账号与安全
      </h2>
      <ul>
        <Row name="手机号" note={mobile ? maskMobile(mobile) : '—'}>
          <SecurityOpener look="light" small label="更换手机号" opens="ChangeMobile">
            更换
          </SecurityOpener>
        </Row>
        <Row name="登录密码" note="设置后可用“手机号 + 密码”登录">
          <SecurityOpener look="light" small label="修改密码" opens="ChangePassword">
            修改
          </SecurityOpener>
        </Row>
        <Row name="登录设备" note="退出不用的设备">
          <SecurityOpener look="light" small label="查看登录设备" opens="Devices">
            查看
          </SecurityOpener>
        </Row>
      </ul>
    </section>
  )
}

const Row = ({ name, note, children }: { name: string; note: string; children: ReactNode }) => (
  <li className={clsx(common.row, classes.row)}>
    <span className={clsx(common.column, common.grow)}>
      {name}
      <small className={clsx(common.caption, common.figures)}>{note}</small>
    </span>
    {children}
  </li>
)
