import { IconMapPin, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { maskMobile } from '#src/domain/text/text.ts'
import { NoticeBanner } from '#src/features/notice/NoticeBanner.tsx'
import { loginRequest } from '#src/session/loginRequest.ts'
import { useSession } from '#src/session/useSession.ts'
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
      <div className={classes.inner}>
        <Link to="/" replace className={classes.logo} aria-label={`${PRODUCT}，回首页`}>
          <Logo size={30} />
          <span>{PRODUCT}</span>
        </Link>
        <nav className={classes.nav} aria-label="主导航">
          {NAV.map((item) => (
            <Link key={item.to} to={item.to} aria-current={isActive(item, pathname) ? 'page' : undefined}>
              {item.name}
            </Link>
          ))}
        </nav>
        <div className={classes.aside}>
          {chip && <ScopeChip onScope={onScope} />}
          <SyncMark />
          <SchemeButton />
          <UserChip />
        </div>
      </div>
      {!bare && <NoticeBanner />}
    </header>
  )
}

function ScopeChip({ onScope }: { onScope: () => void }) {
  const { area, exam } = useSession()
  const shown = `${area.name} · ${exam?.name ?? '选择方向'}`
  return (
    <button
      type="button"
      className={classes.scope}
      onClick={onScope}
      // What is seen stands in the name: who speaks to the phone says it so.
      aria-label={`${shown}，报考地区与方向，点按切换`}
    >
      <IconMapPin size={16} aria-hidden="true" />
      <span>{shown}</span>
    </button>
  )
}

function SchemeButton() {
  const dark = useScheme() === 'dark'
  return (
    <IconButton aria-label={dark ? '切换到浅色' : '切换到深色'} onClick={() => scheme.set(dark ? 'light' : 'dark')}>
      {dark ? <IconSun size={20} /> : <IconMoon size={20} />}
    </IconButton>
  )
}

function UserChip() {
  const { token, userinfo } = useSession()
  if (token === '' || !userinfo)
    return (
      <button type="button" className={classes.user} aria-label="游客，点击登录" onClick={loginRequest.ask}>
        <IconUserCircle size={26} stroke={1.6} aria-hidden="true" />
        <span className={classes.who}>
          <b>游客</b>
          <small>点击登录</small>
        </span>
      </button>
    )
  return (
    <Link to="/user/my_userinfo" className={classes.user}>
      {userinfo.portrait ? (
        <img src={userinfo.portrait} width="28" height="28" alt="" />
      ) : (
        <i aria-hidden="true">{userinfo.nickname.slice(0, 1)}</i>
      )}
      <span className={classes.who}>
        <b>{userinfo.nickname}</b> <small>{maskMobile(userinfo.mobile)}</small>
      </span>
      <span className={unseen.unseen}>，我的</span>
    </Link>
  )
}
