import { lazy, Suspense, useState } from 'react'
import { Button } from '#src/ui/Button.tsx'
import { useUnreadReplies } from './messages.ts'

const ReportSheet = lazy(() => import('./ReportSheet.tsx').then((module) => ({ default: module.ReportSheet })))

/** The way to 我的纠错, with how many replies are new. */
export function Reports() {
  const [open, setOpen] = useState(false)
  const unread = useUnreadReplies().length
  return (
    <>
      <Button look="light" onClick={() => setOpen(true)}>
        我的纠错{unread > 0 && `（${unread} 条新回复）`}
      </Button>
      {open && (
        <Suspense>
          <ReportSheet onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
