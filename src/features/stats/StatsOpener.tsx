import { IconChartBar } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { Button } from '#src/ui/Button.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'

const StatsDialog = lazy(() => import('./StatsDialog.tsx').then((m) => ({ default: m.StatsDialog })))

/** The way to 学习统计: an icon, or words where there is room for them. */
export function StatsOpener({ children }: { children?: ReactNode }) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLSpanElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.querySelector('button')?.focus()
  }
  return (
    <span ref={button}>
      {children ? (
        <Button look="quiet" small onClick={() => setOpen(true)}>
          {children}
        </Button>
      ) : (
        <IconButton aria-label="学习统计" onClick={() => setOpen(true)}>
          <IconChartBar size={22} />
        </IconButton>
      )}
      {open && (
        <Suspense>
          <StatsDialog onClose={close} />
        </Suspense>
      )}
    </span>
  )
}
