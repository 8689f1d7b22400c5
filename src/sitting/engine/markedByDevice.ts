import type { HandIn } from '#src/contract/sitting.ts'
import type { Response } from '#src/contract/response.ts'
import { earnedBy, withEssays } from '#src/domain/paper/paper.ts'
import type { Sitting } from '#src/offline/drafts/sitting.ts'
import { answerAct, type AnswerFact, type DeadOp, offline } from '#src/offline/index.ts'
import { answerOf } from '#src/player/answer.ts'
import { handInOf, keepMisses } from '#src/player/paper/handInOf.ts'
import { next, partState, type PlayerState, start, summary } from '#src/player/playerState.ts'
import { restoreOn } from '#src/player/snapshot.ts'
import { liked } from '#src/player/tools/arrange.ts'
import type { Marking } from './policy.ts'
import { lostBy } from './refusals.ts'
import type { Sheet } from './sheet.ts'

/** The paper came with its key: an answer is recorded when it is marked, at the latest with the hand-in, which says what all earned. */
export const markedByDevice: Marking<Sheet, Sitting> = {
  by: 'device',
  handInKind: 'handIn',
  beginAct: null,
  restore: (items, saved, { mode }) => {
    if (!saved) return liked(start(items, mode))
    const state = liked(restoreOn(saved, items))
    return mode === 'recite' ? next(state, { type: 'mode', mode }) : state
  },
  record: keepIn,
  send: null,
  handIn: async ({ paper, sitting, state }, refused) => {
    const { facts, handed } = await (state.mode === 'review'
      ? givenAgain(paper, state, refused)
      : recorded(paper, state))
    const kept = Object.entries(handed.parts).flatMap(([no, { right, opId, response }]) =>
      right !== null && opId ? [{ no, opId, response }] : [],
    )
    const earned = earnedBy(paper, new Map(kept.map(({ no, response }): [string, Response] => [no, response])))
    const payload: HandIn = {
      attemptId: sitting.id,
      answers: kept.map(({ opId }) => opId),
      paper: paper.ref,
      mode: sitting.mode === 'exam' ? 'exam' : 'practice',
      tookMs: Math.max(0, Date.now() - sitting.startedAt),
      spentMs: summary(handed).spentMs,
    }
    return { acts: [...facts.map(answerAct), { kind: 'handIn', payload, earned }], handed }
  },
  afterwards: keepMisses,
}

interface Recorded {
  facts: AnswerFact[]
  handed: PlayerState
}

function recorded(sheet: Sheet, state: PlayerState): Recorded {
  const { facts, event } = handInOf(state, sheet.ref.of, sheet.partial === 'none')
  return { facts, handed: next(state, event) }
}

/** Gives again, under new ids, the answers that the server has not got: given twice under one, an answer would count twice. */
async function givenAgain(sheet: Sheet, state: PlayerState, refused: readonly DeadOp[]): Promise<Recorded> {
  const lost = await lostBy(refused)
  const items = state.items.filter(({ part }) => lost.has(state.parts[part.no]?.opId))
  const facts = items.map((item) => answerOf(state, item, sheet.ref.of))
  const ids = new Map(facts.map(({ questionNo, opId }) => [questionNo, opId]))
  const again = items.map(({ part }) => [part.no, { ...partState(state, part), opId: ids.get(part.no) }] as const)
  return { facts, handed: { ...state, parts: { ...state.parts, ...Object.fromEntries(again) } } }
}

/** Keeps an essay that is marked after the hand-in, and its marks with it; before it, the answer alone. */
function keepIn(sheet: Sheet, { id }: Sitting): typeof offline.recordAnswer {
  return async (fact, draft) => {
    const before = (await offline.things('attempt')).get(id)
    if (!before) return offline.recordAnswer(fact, draft)
    const { opId = '', questionNo, response } = fact
    const earned = withEssays(sheet, before, new Map([[questionNo, response]]))
    const payload = { attemptId: id, answers: [opId] }
    await offline.addAll([answerAct(fact), { kind: 'selfMark', payload, earned }], draft)
    return opId
  }
}
