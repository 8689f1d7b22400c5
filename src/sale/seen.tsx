import { IconCloudOff } from '@tabler/icons-react'
import { onlineManager } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useId, useSyncExternalStore } from 'react'
import { session } from '#src/session/session.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { timeText } from '#src/ui/dates.ts'
import classes from './Sale.module.css'

/** Orders, wallet, coupons and addresses are a student's in every region and direction. */
export const WHEREVER = { area: '', sg_key: '' } as const

/** As React Query says it. */
interface Asked<T> {
  data: T | undefined
  error: Error | null
  dataUpdatedAt: number
  refetch: () => unknown
}
export interface Seen<T> {
  /** Undefined also for what is not the student's to see any more. */
  data: T | undefined
  /** When it was seen, where the server cannot say whether it is still so; null: it is as the server has it. */
  at: number | null
  /** It is the server that fails, and not the network. */
  faulty: boolean
  again: () => void
  /** Of the note that says so. */
  id: string
  /** For every control that needs the server's word: it waits for it, and the note says why. */
  hold: { disabled?: true; 'aria-describedby'?: string }
}

const watch = (told: () => void) => onlineManager.subscribe(told)
const isOnline = () => onlineManager.isOnline()

/** What of a student's money this device has kept, and whether it still holds. Who is not logged in any more sees nothing of it. */
export function useSeen<T>({ data: kept, error, dataUpdatedAt, refetch }: Asked<T>): Seen<T> {
  const online = useSyncExternalStore(watch, isOnline)
  const id = useId()
  const refused = error !== null && /^(Refused|Unauthorized)/.test(error.name)
  const data = refused || !session.loggedIn() ? undefined : kept
  const old = data !== undefined && (error !== null || !online)
  return {
    data,
    at: old ? dataUpdatedAt : null,
    faulty: old && error !== null && error.name !== 'OfflineError',
    again: () => void refetch(),
    id,
    hold: old ? { disabled: true, 'aria-describedby': id } : {},
  }
}

interface SeenNoteProps {
  seen: Seen<unknown>
  /** What cannot be done meanwhile. */
  acts: string
}
/** Above what was seen before: since when nobody could ask, and what waits for it. */
export const SeenNote = ({ seen: { at, faulty, again, id }, acts }: SeenNoteProps) =>
  at !== null && (
    <div className={clsx(common.row, common.small, classes.note)} role="status">
      <IconCloudOff className={common.fixed} size={18} aria-hidden="true" />
      <span id={id}>
        {faulty ? '服务器开小差了' : '离线'}，以下是 {timeText(at)} 的内容；{acts}需要联网
      </span>
      <Button small look="quiet" className={clsx(common.fixed, common.end)} onClick={again}>
        重试
      </Button>
    </div>
  )
