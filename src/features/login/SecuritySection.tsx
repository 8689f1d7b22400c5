import { maskMobile } from '#src/domain/text/text.ts'
import { useSession } from '#src/session/useSession.ts'
import card from '#src/ui/Card.module.css'
import { SecurityOpener } from './SecurityOpener.tsx'
import classes from './SecuritySection.module.css'

/** 账号与安全: what one logs in with, and where. */
export function SecuritySection() {
  const mobile = useSession().userinfo?.mobile
  return (
    <section className={card.card} aria-labelledby="security">
      <h2 id="security">账号与安全</h2>
      <ul className={classes.rows}>
        <li>
          <span>
            手机号
            <small>{mobile ? maskMobile(mobile) : '—'}</small>
          </span>
          <SecurityOpener look="light" small label="更换手机号" opens="ChangeMobile">
            更换
          </SecurityOpener>
        </li>
        <li>
          <span>
            登录密码
            <small>设置后可用“手机号 + 密码”登录</small>
          </span>
          <SecurityOpener look="light" small label="修改密码" opens="ChangePassword">
            修改
          </SecurityOpener>
        </li>
        <li>
          <span>
            登录设备
            <small>退出不用的设备</small>
          </span>
          <SecurityOpener look="light" small label="查看登录设备" opens="Devices">
            查看
          </SecurityOpener>
        </li>
      </ul>
    </section>
  )
}
