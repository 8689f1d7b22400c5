import type { ReactNode } from 'react'
import bar from '#src/ui/Bar.module.css'
import { Button } from '#src/ui/Button.tsx'

interface NewsBarProps {
  label: string
  /** What there is to know. */
  children: ReactNode
  onOpen: () => void
  onClose: () => void
}

/** A word across the page: to look at, or known. */
export const NewsBar = ({ label, children, onOpen, onClose }: NewsBarProps) => (
  <aside className={bar.bar} aria-label={label}>
    <p>{children}</p>
    <Button small onClick={onOpen}>
      查看
    </Button>
    <Button small look="quiet" onClick={onClose}>
      知道了
    </Button>
  </aside>
)
