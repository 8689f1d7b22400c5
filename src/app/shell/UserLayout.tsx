import { Link, Outlet } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { InboxOpener } from '#src/features/inbox/InboxOpener.tsx'
import common from '#src/ui/common.module.css'
import classes from './UserLayout.module.css'

const MENU = [
  ['/user/my_course', '我的课程'],
  ['/user/my_set', '我的题集'],
  ['/user/my_error', '我的错题'],
  ['/user/my_collect', '我的收藏'],
  ['/user/my_note', '我的笔记'],
  ['/user/my_wallet', '我的钱包'],
  ['/user/my_order', '我的订单'],
  ['/user/my_coupon', '我的优惠券'],
  ['/user/my_vip', '我的会员'],
  ['/user/my_userinfo', '我的资料'],
  ['/user/my_address', '收货地址'],
] as const

/** 个人中心: the menu at the left, on phones above, all of it in sight. */
export function UserLayout() {
  return (
    <div className={clsx(common.stack, classes.layout)}>
      <nav className={classes.menu} aria-label="个人中心">
        {MENU.map(([to, name]) => (
          <Link key={to} to={to}>
            {name}
          </Link>
        ))}
        <InboxOpener />
      </nav>
      <div>
        <Outlet />
      </div>
    </div>
  )
}
