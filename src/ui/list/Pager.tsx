import { clsx } from 'clsx'
import { Button } from '../Button.tsx'
import common from '../common.module.css'
import classes from './Pager.module.css'

interface PagerProps {
  /** Place of the first row on the screen, from 0; rows on the screen at a time; rows of the whole list. */
  first: number
  size: number
  total: number
  onGo: (first: number) => void
}

/** Leads through a list of which one window is on the screen. A list that fits into one window needs none. */
export function Pager({ first, size, total, onGo }: PagerProps) {
  if (total <= size) return null
  return (
    <nav className={clsx(common.between, common.figures, classes.pager)} aria-label="翻页">
      <Button look="light" disabled={first === 0} onClick={() => onGo(Math.max(0, first - size))}>
        上一页
      </Button>
      <span>
        第 {first + 1}–{Math.min(total, first + size)} 题，共 {total} 题
      </span>
      <Button look="light" disabled={first + size >= total} onClick={() => onGo(first + size)}>
        下一页
      </Button>
    </nav>
  )
}

/** Moves the beginning of a window back when rows have left the list behind it. */
export const clampFirst = (first: number, size: number, total: number): number =>
  Math.min(first, Math.max(0, Math.ceil(total / size) - 1) * size)
