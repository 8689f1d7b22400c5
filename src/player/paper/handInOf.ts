import { unkeptWords } from '#src/domain/app/failureWords.ts'
import type { Source } from '#src/contract/study.ts'
import { isAnswered } from '#src/domain/question/marking.ts'
import { type AnswerFact, offline } from '#src/offline/index.ts'
import { answerOf } from '../answer.ts'
import { type PlayerEvent, type PlayerState, partState } from '../playerState.ts'

/** Said where the device could not keep a hand-in. */
export const notHandedIn = (error: unknown): string => `${unkeptWords(error, '还没有交卷。答案都在这里')}。`

export interface HandingIn {
  /** Answers that are not recorded yet; what is blank is not recorded at all. */
  facts: AnswerFact[]
  /** What the player goes on with once they are on disk. */
  event: PlayerEvent
}

/** What handing in comes to. `strict`: nothing is given for a partly right choice. */
export function handInOf(state: PlayerState, from: Source, strict: boolean): HandingIn {
  const facts = state.items.flatMap((item): AnswerFact[] => {
    const { right, response } = partState(state, item.part)
    // An essay is recorded when the student has marked it.
    return item.part.type !== 'essay' && right === null && isAnswered(response) ? [answerOf(state, item, from)] : []
  })
  const opIds = Object.fromEntries(facts.map(({ questionNo, opId = '' }) => [questionNo, opId]))
  return { facts, event: { type: 'hand-in', strict, opIds } }
}

/** What was answered wrongly is in the error book now, and must be here without a network. */
export async function keepMisses({ items, parts }: PlayerState): Promise<void> {
  const { keepQuestions } = await import('#src/offline/downloads/keptQuestions.ts')
  const missed = items.filter(({ part }) => parts[part.no]?.right === false && parts[part.no]?.opId)
  const located = missed.map(({ part, bank = part, material, chapterNo, libraryNo }) => ({
    question: material ?? bank,
    chapterNo,
    libraryNo,
    retired: false,
  }))
  await keepQuestions(offline.owner, located)
}
