import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { InboxOpener } from '#src/features/inbox/InboxOpener.tsx'
import common from '#src/ui/common.module.css'
import { BackToHub } from './BackToHub.tsx'
import { pageOf, SECTIONS } from './sections.ts'
import classes from './UserLayout.module.css'

/** 个人中心: the menu at the left; a phone, which has no room for it, has the way back to 我的 instead. */
export function UserLayout() {
  const isHub = useLocation({ select: ({ pathname }) => /^\/user\/?$/.test(pathname) })
  return (
    <div className={clsx(common.stack, classes.layout)}>
      <nav className={clsx(common.stack, classes.menu)} aria-label="个人中心">
        {SECTIONS.map(({ title, pages }, at) => (
          <div key={title} className={classes.section}>
            <p className={clsx(common.caption, classes.title)}>{title}</p>
            {pages.map(pageOf).map(({ to, name }) => (
              <Link key={to} to={to} className={classes.entry}>
                {name}
              </Link>
            ))}
            {at === SECTIONS.length - 1 && <InboxOpener className={classes.entry} />}
          </div>
        ))}
      </nav>
      <div>
        {!isHub && <BackToHub />}
        <Outlet />
      </div>
    </div>
  )
}
