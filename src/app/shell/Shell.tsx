import { useQuery } from '@tanstack/react-query'
import { type ErrorComponentProps, Outlet, useMatches } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { userinfoQuery } from '#src/api/userinfo.ts'
import { offerVisitorRecord } from '#src/features/account/actions.ts'
import { ExamBar } from '#src/features/exam/lazy.tsx'
import { NoticeBanner } from '#src/features/notice/NoticeBanner.tsx'
import { session } from '#src/session/session.ts'
import { useSession } from '#src/session/useSession.ts'
import { focusIsNowhere } from '#src/ui/nowhere.ts'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { isStudying } from './nav.ts'
import { ExpiredBar, Inbox, UpdateBar } from './Bars.tsx'
import { RouteError } from './RouteError.tsx'
import classes from './Shell.module.css'
import { tellEnded } from '../sync/tellEnded.ts'
import { tellLost } from '../sync/tellLost.ts'
import { TabBar } from './TabBar.tsx'
import { UnkeptBar } from './UnkeptBar.tsx'
import { type Dialogs, useDialogs, useFirstChoice } from './useDialogs.ts'
import { useNewAgreement } from './useNewAgreement.ts'
import { BackToTop } from './BackToTop.tsx'

/** Everything around a screen (spec §2): header, notice, bars, footer, and the two dialogs that any screen may call for. */
export function Shell() {
  const dialogs = useDialogs()
  useFirstChoice(dialogs)
  return (
    <Frame dialogs={dialogs}>
      <Outlet />
    </Frame>
  )
}

/** The shell when it could not be started itself: its navigation stays, and nobody is asked for a region that cannot be shown. */
export const ShellError = (error: ErrorComponentProps) => (
  <Frame dialogs={useDialogs()}>
    <RouteError {...error} />
  </Frame>
)

function Frame({ dialogs, children }: { dialogs: Dialogs; children: ReactNode }) {
  const { shown, open, close } = dialogs
  const matches = useMatches()
  const { staticData: data = {}, pathname = '' } = matches.at(-1) ?? {}
  // A phone's screen belongs to the question, also where the spec has a footer below it.
  const bare = isStudying(pathname)
  useEffect(() => void tellEnded().then(tellLost), [])
  useUserinfo()
  useNewAgreement(dialogs, pathname)
  useKeptFocus(pathname)
  return (
    <div className={classes.shell} data-bare={bare || undefined}>
      <a href="#main" className={classes.skip}>
        跳到正文
      </a>
      <Header bare={bare} chip={data.chip === true} onScope={() => open('scope')} />
      {/* It scrolls away with the page, because on a phone it would take a tenth of every screen. */}
      {!bare && <NoticeBanner />}
      <UnkeptBar />
      <ExpiredBar />
      <UpdateBar />
      <ExamBar />
      {!bare && <Inbox />}
      <main id="main" tabIndex={-1} className={classes.main}>
        {children}
      </main>
      {data.footer !== false && <Footer />}
      {!bare && <TabBar />}
      {!bare && <BackToTop />}
      {shown && <shown.Dialog onClose={close} />}
    </div>
  )
}

/** What had the focus has gone with its screen: who uses keys, or listens, goes on at the start of the new one. */
function useKeptFocus(pathname: string): void {
  const before = useRef(pathname)
  useEffect(() => {
    const moved = before.current !== pathname
    before.current = pathname
    if (moved && focusIsNowhere()) document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
}

/** Startup (spec §4): who is logged in is read anew, and the last known one stands until then. */
function useUserinfo(): void {
  const { token } = useSession()
  const { data, isFetchedAfterMount } = useQuery({ ...userinfoQuery(), enabled: token !== '' })
  useEffect(() => {
    // What was saved just before a reload is in the session at once, in the cache's snapshot a second later.
    if (data && (isFetchedAfterMount || !session.get().userinfo)) session.setUserinfo(data)
  }, [data, isFetchedAfterMount])
  useEffect(() => {
    void offerVisitorRecord()
  }, [])
}
