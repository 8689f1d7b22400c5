import { lazy, Suspense, useState } from 'react'
import { STATUS_NAMES } from '#src/player/reasons.ts'
import bar from '#src/ui/Bar.module.css'
import { Button } from '#src/ui/Button.tsx'
import { markSeen, useUnreadReplies } from './news.ts'

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
        <aside className={bar.bar} aria-label="纠错回复">
          <p>
            你的纠错有 {unread.length} 条新回复
            {unread.length === 1 && `：${STATUS_NAMES[first.status]}`}
          </p>
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
          <ReportSheet onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
