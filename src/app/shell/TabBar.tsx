import { Link, useLocation } from '@tanstack/react-router'
import { isActive, NAV } from './nav.ts'
import classes from './TabBar.module.css'

/** The six items at a phone's thumb. */
export function TabBar() {
  const { pathname } = useLocation()
  return (
    <nav className={classes.bar} data-bottom-bar aria-label="底部导航">
      {NAV.map((item) => (
        <Link
          key={item.to}
          to={item.to}
          className={classes.item}
          aria-current={isActive(item, pathname) ? 'page' : undefined}
        >
          <item.icon size={22} stroke={1.7} aria-hidden="true" />
          {item.short}
        </Link>
      ))}
    </nav>
  )
}
