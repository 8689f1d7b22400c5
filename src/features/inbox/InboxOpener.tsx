import { lazy, Suspense, useState } from 'react'
import { useMessages } from './messages.ts'

const InboxSheet = lazy(() => import('./InboxSheet.tsx').then((module) => ({ default: module.InboxSheet })))

/** The way to 消息, with how many are new. */
export function InboxOpener({ className }: { className?: string | undefined }) {
  const [open, setOpen] = useState(false)
  const unread = useMessages()?.filter((each) => each.unread).length ?? 0
  return (
    <>
      <button type="button" className={className} onClick={() => setOpen(true)}>
        消息{unread > 0 && `（${unread}）`}
      </button>
      {open && (
        <Suspense>
          <InboxSheet onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
