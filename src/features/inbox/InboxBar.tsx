import { lazy, Suspense, useState } from 'react'
import bar from '#src/ui/Bar.module.css'
import { Button } from '#src/ui/Button.tsx'
import { focusIsNowhere } from '#src/ui/nowhere.ts'
import { markSeen, useMessages } from './messages.ts'
import { summary } from './texts.ts'
import { useAbout } from './useAbout.ts'

const InboxSheet = lazy(() => import('./InboxSheet.tsx').then((module) => ({ default: module.InboxSheet })))

/** What is new, across the page: told once, on whichever device. */
export function InboxBar() {
  const [open, setOpen] = useState(false)
  const unread = useMessages()?.filter((each) => each.unread) ?? []
  const [first] = unread
  const about = useAbout(unread.slice(0, 1))
  // A device that cannot keep it tells it again.
  const close = () =>
    void markSeen(
      'noticesSeen',
      unread.map(({ at }) => at),
    ).catch(() => {})
  const leave = () => {
    setOpen(false)
    // The button that opened it went with the bar.
    setTimeout(() => focusIsNowhere() && document.getElementById('main')?.focus({ preventScroll: true }))
  }
  return (
    <>
      {first && about && (
        <aside className={bar.bar} aria-label="新消息">
          <p>{summary(unread, about(first))}</p>
          <Button small onClick={() => setOpen(true)}>
            查看
          </Button>
          <Button small look="quiet" onClick={close}>
            知道了
          </Button>
        </aside>
      )}
      {/* Opened, it marks them as read, and outlives the bar. */}
      {open && (
        <Suspense>
          <InboxSheet onClose={leave} />
        </Suspense>
      )}
    </>
  )
}
