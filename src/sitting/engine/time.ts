import { onlineManager } from '@tanstack/react-query'
import { allowedMs } from '#src/domain/paper/exam.ts'
import { serverNow } from '#src/offline/device/serverClock.ts'
import { offline } from '#src/offline/index.ts'
import type { PlayerState } from '#src/player/playerState.ts'
import type { BaseSitting, Policy, SatPaper, Taken } from './policy.ts'

/** A sitting that has a clock: when it began, epoch ms by `now` of its clock. */
interface Timed {
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

type Clocked = Pick<Policy<never, never>, 'clock'>

/** Answers what the clock means for a sitting, in ms; its functions stay the same. */
export interface SittingTime {
  /** A mode that is no exam's stops it while it is away. */
  clock: SittingClock
  /** Infinite without a clock. @param elapsedMs by the sitting's clock. */
  left: (elapsedMs: number) => number
  isOver: () => boolean
  /** Returns true if only the phone's clock says that it is over, which may have jumped, and the server's is the one that counts. */
  isDoubtful: () => boolean
  /**
   * Returns how long it has taken, never more than it may, even if the phone was off at the end; and by when all that stands in this
   * state was chosen.
   */
  taken: (state: PlayerState) => Taken
}

const deviceNow = (): number => Date.now()

/** A sitting is timed by these. State null: nothing is handed in by this time. */
interface TimedSitting {
  sitting: BaseSitting
  paper: Pick<SatPaper, 'minutes' | 'window'>
  /** The answers as they were found: they were chosen before the clock was kept last. */
  state: PlayerState | null
  elapsedMs: number
}

/** The time of a sitting, from where its clock was kept last. */
export function timeOf({ clock: whose }: Clocked, { sitting, paper, ...kept }: TimedSitting): SittingTime {
  const { startedAt } = sitting
  const { minutes, window = null } = paper
  const mode = sitting.mode === 'exam' ? 'exam' : 'practice'
  const clock = createSittingClock({ mode, startedAt }, kept.elapsedMs, whose === 'server' ? serverNow : deviceNow)
  const allowed = minutes === null ? Number.POSITIVE_INFINITY : allowedMs({ minutes, window }, startedAt)
  // 练习 pauses its own clock, and ends with the window all the same.
  const windowLeft = () => (mode === 'practice' && window ? window.to - serverNow() : Number.POSITIVE_INFINITY)
  const left = (elapsedMs: number) => Math.min(allowed - elapsedMs, windowLeft())
  return {
    clock,
    left,
    isOver: () => left(clock.read()) <= 0,
    isDoubtful: () => whose === 'server' && clock.steady() < allowed,
    taken: (state) => {
      const elapsedMs = Math.min(clock.read(), allowed)
      return { elapsedMs, chosenMs: state === kept.state ? Math.min(kept.elapsedMs, allowed) : elapsedMs }
    },
  }
}

/** Resolves true if the time is over. It first asks the server, if there is a network and the phone's clock alone says so. */
export async function isSurelyOver({ isOver, isDoubtful }: SittingTime, reread: () => void): Promise<boolean> {
  if (!isOver()) return false
  if (!isDoubtful() || !onlineManager.isOnline()) return true
  await offline.sendSoon().catch(() => {})
  reread()
  return isOver()
}
