import { v7 as uuidv7 } from 'uuid'
import type { Source } from '#src/contract/study.ts'
import { placeOf } from '#src/domain/study/study.ts'
import type { AnswerFact } from '#src/offline/index.ts'
import { type Item, type PlayerState, partState, verdict } from './playerState.ts'

/** The answer as it stands, with the number that it is recorded under. */
export function answerOf(state: PlayerState, item: Item, from: Source): AnswerFact {
  const { part } = item
  const { response, spentMs } = partState(state, part)
  return {
    opId: uuidv7(),
    questionNo: part.no,
    response,
    spentMs,
    from,
    version: part.version ?? 1,
    right: verdict(state, part),
    place: placeOf(part, item),
  }
}
