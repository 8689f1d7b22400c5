import { IconChartBar } from '@tabler/icons-react'
import { lazy, type MouseEvent, type ReactNode, Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { IconButton } from '#src/ui/IconButton.tsx'

const StatsDialog = lazy(() => import('./StatsDialog.tsx').then((m) => ({ default: m.StatsDialog })))

interface StatsOpenerProps {
  /** Words, where there is room for them, instead of the icon. */
  children?: ReactNode
  /** Of a second way in, straight to the exam date. It may go while the dialog is open. */
  toDate?: ReactNode
}

/** The way to 学习统计. */
export function StatsOpener({ children, toDate }: StatsOpenerProps) {
  const [open, setOpen] = useState<{ date: boolean } | null>(null)
  const buttons = useRef<HTMLSpanElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const show = (date: boolean) => (event: MouseEvent<HTMLButtonElement>) => {
    opener.current = event.currentTarget
    setOpen({ date })
  }
  const close = () => {
    // While the dialog is there, nothing behind it takes the focus.
    flushSync(() => setOpen(null))
    const back = opener.current?.isConnected ? opener.current : buttons.current?.querySelector('button')
    back?.focus()
  }
  return (
    <span ref={buttons} className={common.row}>
      {toDate && (
        <Button look="quiet" small onClick={show(true)}>
          {toDate}
        </Button>
      )}
      {children ? (
        <Button look="quiet" small onClick={show(false)}>
          {children}
        </Button>
      ) : (
        <IconButton aria-label="学习统计" onClick={show(false)}>
          <IconChartBar size={22} />
        </IconButton>
      )}
      {open && (
        <Suspense>
          <StatsDialog toDate={open.date} onClose={close} />
        </Suspense>
      )}
    </span>
  )
}
