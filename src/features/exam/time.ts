import type { ExamPaper } from '#src/contract/exam.ts'
import { allowedMs } from '#src/domain/paper/exam.ts'
import { serverNow } from '#src/offline/device/serverClock.ts'
import type { PlayerState } from '#src/player/playerState.ts'
import type { SittingClock } from '#src/sitting/elapsed.ts'
import type { ExamSitting } from './sitting.ts'

/** What a sitting's clock means for it; ms, and the same functions throughout. */
export interface SittingTime {
  /** @param elapsedMs by the sitting's clock. */
  left: (elapsedMs: number) => number
  isOver: () => boolean
  /** Whether it is over by the phone's clock alone, which may have jumped while nobody looked. */
  isDoubtful: () => boolean
  /** What it has taken: never more than it may, also where the phone was off at the end. */
  elapsed: () => number
  /** By when all that stands in this state was chosen. */
  chosen: (state: PlayerState) => number
}

/** @param clock the sitting's. @param opened as it was found: what stood then was chosen before the clock was kept last. */
export function timeOf(
  { mode, startedAt }: ExamSitting,
  paper: Pick<ExamPaper, 'minutes' | 'window'>,
  { read, steady }: Pick<SittingClock, 'read' | 'steady'>,
  opened: { state: PlayerState; elapsedMs: number },
): SittingTime {
  const allowed = allowedMs(paper, startedAt)
  const { window } = paper
  // 练习 pauses its own clock, and ends with the window all the same.
  const windowLeft = () => (mode === 'practice' && window ? window.to - serverNow() : Number.POSITIVE_INFINITY)
  const left = (elapsedMs: number) => Math.min(allowed - elapsedMs, windowLeft())
  const elapsed = () => Math.min(read(), allowed)
  return {
    left,
    isOver: () => left(read()) <= 0,
    isDoubtful: () => steady() < allowed,
    elapsed,
    chosen: (state) => (state === opened.state ? Math.min(opened.elapsedMs, allowed) : elapsed()),
  }
}
