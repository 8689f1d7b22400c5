import { serverNow } from '#src/offline/device/serverClock.ts'

/** A sitting that has a clock: when it began, epoch ms by `now` of its clock. */
export interface Timed {
  mode: 'exam' | 'practice'
  startedAt: number
}

export interface SittingClock {
  /** Ms since the sitting began. */
  read: () => number
  /** The page is seen again: the phone may have slept, and its monotonic clock with it. */
  wake: () => void
  /** The same without what the wall clock alone has said: how long it was seen to run. */
  steady: () => number
  /** The server's clock was heard just now: what the wall clock had said before counts no more. */
  reread: () => void
}

/**
 * How long a sitting has taken. Within a page's life the monotonic clock counts, which no setting of the phone's clock moves; over
 * a kill, a reload or sleep the larger of what was kept and what the wall clock says. 练习 counts only while it is open.
 * @param keptMs as it was written last. @param now epoch ms, by the clock that told when the sitting began.
 */
export function createSittingClock(
  { mode, startedAt }: Timed,
  keptMs: number,
  now: () => number = serverNow,
): SittingClock {
  const wall = () => (mode === 'exam' ? now() - startedAt : 0)
  const openedAt = performance.now()
  const steady = () => Math.round(keptMs + performance.now() - openedAt)
  let base = { ms: Math.max(keptMs, wall()), at: openedAt }
  const read = () => Math.round(base.ms + performance.now() - base.at)
  const least = (ms: number) => void (base = { ms: Math.max(ms, wall()), at: performance.now() })
  return { read, steady, wake: () => least(read()), reread: () => least(steady()) }
}
