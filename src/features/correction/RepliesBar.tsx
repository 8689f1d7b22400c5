import { lazy, Suspense, useState } from 'react'
import { STATUS_NAMES } from '#src/player/reasons.ts'
import { markSeen, useUnreadReplies } from './news.ts'
import { NewsBar } from './NewsBar.tsx'

const ReportSheet = lazy(() => import('./ReportSheet.tsx').then((module) => ({ default: module.ReportSheet })))

/** What became of a student's 纠错: told once, on whichever device. */
export function RepliesBar() {
  const [open, setOpen] = useState(false)
  const unread = useUnreadReplies()
  const [first] = unread
  // A device that cannot keep it tells it again.
  const close = () =>
    void markSeen(
      'repliesSeen',
      unread.map(({ answeredAt = 0 }) => answeredAt),
    ).catch(() => {})
  return (
    <>
      {first && (
        <NewsBar label="纠错回复" onOpen={() => setOpen(true)} onClose={close}>
          你的纠错有 {unread.length} 条新回复
          {unread.length === 1 && `：${STATUS_NAMES[first.status]}`}
        </NewsBar>
      )}
      {/* Opened, it marks them as read, and outlives the bar. */}
      {open && (
        <Suspense>
          <ReportSheet onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
