import type { PlainQuestion } from '#src/contract/question.ts'
import type { Mode, PartState } from '../playerState.ts'
import type { PlayerHandle } from '../usePlayer.ts'

/** What every way of answering is given: the question, how it stands, and what to do. */
export interface AnswerProps<Q extends PlainQuestion> extends Pick<PlayerHandle, 'dispatch' | 'choose' | 'confirm'> {
  part: Q
  state: PartState
  mode: Mode
  /** What is right shows: it is marked, or recited. */
  shown: boolean
}
