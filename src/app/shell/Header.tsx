import { IconMapPin, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { maskMobile } from '#src/domain/text/text.ts'
import { loginRequest } from '#src/session/loginRequest.ts'
import { useSession } from '#src/session/useSession.ts'
import common from '#src/ui/common.module.css'
import { IconButton } from '#src/ui/IconButton.tsx'
import { Logo } from '#src/ui/Logo.tsx'
import { scheme, useScheme } from '#src/ui/scheme.ts'
import unseen from '#src/ui/text/Unseen.module.css'
import classes from './Header.module.css'
import { isActive, NAV } from './nav.ts'
import { PRODUCT } from '../product.ts'

import { SyncMark } from '../sync/SyncMark.tsx'

interface HeaderProps {
  /** Studying: only the way home and the mark of syncing. */
  bare: boolean
  chip: boolean
  onScope: () => void
}

export function Header({ bare, chip, onScope }: HeaderProps) {
  const { pathname } = useLocation()
  return (
    <header className={classes.header} data-bare={bare || undefined}>
      <div className={clsx(common.row, classes.inner)}>
        <Link
          to="/"
          replace
          className={clsx(common.row, common.link, common.subheading, classes.logo)}
          aria-label={`${PRODUCT}，回首页`}
        >
          <Logo size={30} />
          <span className={classes.product}>{PRODUCT}</span>
        </Link>
        <nav className={clsx(common.row, classes.nav)} aria-label="主导航">
          {NAV.map((item) => (
            <Link
              key={item.to}
              to={item.to}
              className={clsx(common.row, common.link, classes.item)}
              aria-current={isActive(item, pathname) ? 'page' : undefined}
            >
              {item.name}
            </Link>
          ))}
        </nav>
        <div className={clsx(common.row, common.end, classes.aside)}>
          {chip && <ScopeChip onScope={onScope} />}
          <SyncMark />
          <SchemeButton />
          <UserChip />
        </div>
      </div>
    </header>
  )
}

function ScopeChip({ onScope }: { onScope: () => void }) {
  const { area, exam } = useSession()
  const direction = exam?.name ?? '选择方向'
  return (
    <button
      type="button"
      className={clsx(common.row, common.small, common.accent, classes.scope)}
      onClick={onScope}
      // What is seen stands in the name: who speaks to the phone says it so.
      aria-label={`${area.name} · ${direction}，报考地区与方向，点按切换`}
    >
      <IconMapPin size={16} className={clsx(common.fixed, classes.pin)} aria-hidden="true" />
      <span className={classes.names}>
        <span className={classes.region}>{area.name} · </span>
        {direction}
      </span>
    </button>
  )
}

function SchemeButton() {
  const dark = useScheme() === 'dark'
  return (
    <IconButton aria-label={dark ? '切换到浅色' : '切换到深色'} onClick={scheme.flip}>
      {dark ? <IconSun size={20} /> : <IconMoon size={20} />}
    </IconButton>
  )
}

const userLook = clsx(common.row, common.link, classes.user)

function UserChip() {
  const { token, userinfo } = useSession()
  if (token === '' || !userinfo)
    return (
      <button type="button" className={userLook} aria-label="游客，点击登录" onClick={loginRequest.ask}>
        <IconUserCircle size={26} stroke={1.6} className={common.fixed} aria-hidden="true" />
        <Who name="游客" hint="点击登录" />
      </button>
    )
  return (
    <Link to="/user" className={userLook}>
      {userinfo.portrait ? (
        <img src={userinfo.portrait} className={clsx(common.fixed, classes.portrait)} width="28" height="28" alt="" />
      ) : (
        <i className={clsx(common.fixed, common.small, classes.portrait)} aria-hidden="true">
          {userinfo.nickname.slice(0, 1)}
        </i>
      )}
      <Who name={userinfo.nickname} hint={maskMobile(userinfo.mobile)} />
      <span className={unseen.unseen}>，我的</span>
    </Link>
  )
}

const Who = ({ name, hint }: { name: string; hint: string }) => (
  <span className={classes.who}>
    <b className={clsx(common.ellipsis, common.strong, classes.nickname)}>{name}</b>{' '}
    <small className={clsx(common.ellipsis, common.quiet, common.figures, classes.mobile)}>{hint}</small>
  </span>
)
