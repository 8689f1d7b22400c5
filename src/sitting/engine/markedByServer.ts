import { v7 as uuidv7 } from 'uuid'
import type { ExamPaper } from '#src/contract/exam.ts'
import { isAnswered } from '#src/domain/question/marking.ts'
import { sealText } from '#src/domain/paper/exam.ts'
import type { ExamSitting } from '#src/offline/drafts/exam.ts'
import { offline } from '#src/offline/index.ts'
import { type Item, partState, type PlayerState, start, summary } from '#src/player/playerState.ts'
import { restoreOn } from '#src/player/snapshot.ts'
import type { Marking, SentEvent } from './policy.ts'
import { lostBy, refusalsOf } from './refusals.ts'

const handInKind = 'examHandIn'

/**
 * The key is the server's alone: the device sends choices, as they stand when their question is left, and hands in by naming all of
 * them.
 */
export const markedByServer: Marking<ExamPaper, ExamSitting> = {
  by: 'server',
  handInKind,
  beginAct: ({ id, exam, rev, mode }) => ({ kind: 'examBegin', payload: { attemptId: id, exam, rev, mode } }),
  // Choices that a refused hand-in named and the server never got are to be recorded anew.
  restore: async (items, saved, { id }) => {
    if (!saved) return start(items, 'exam')
    const state = restoreOn(saved, items)
    const lost = await lostBy(await refusalsOf({ handInKind }, id).catch(() => []))
    if (lost.size === 0) return state
    const parts = Object.entries(state.parts).map(([no, { opId, ...part }]) => {
      return [no, { ...part, ...(!lost.has(opId) && { opId }) }] as const
    })
    return { ...state, parts: Object.fromEntries(parts) }
  },
  record: () => offline.recordAnswer,
  send,
  handIn: async ({ sitting: { id, exam, rev, mode }, state, taken }) => {
    const items = answeredOf(state)
    const named = new Map(items.map(({ part }) => [part.no, partState(state, part).opId]))
    const acts = items
      .filter(({ part }) => !named.get(part.no))
      .map((item) => {
        const act = choiceAct(id, state, item, taken.chosenMs)
        named.set(item.part.no, act.opId)
        return act
      })
    const choices = [...named.values()].map((opId) => opId ?? '')
    const given = items.map(({ part }) => ({ questionNo: part.no, response: partState(state, part).response }))
    const hash = await sha256(sealText(id, given))
    const { elapsedMs } = taken
    const payload = { attemptId: id, exam, rev, mode, choices, hash, elapsedMs, spentMs: summary(state).spentMs }
    return { acts: [...acts, { kind: handInKind, payload }], handed: state }
  },
  afterwards: null,
}

const answeredOf = (state: PlayerState): Item[] =>
  state.items.filter(({ part }) => isAnswered(partState(state, part).response))

const choiceAct = (id: string, state: PlayerState, { part }: Item, elapsedMs: number) => {
  const { response, spentMs } = partState(state, part)
  const opId = uuidv7()
  return {
    kind: 'examChoice' as const,
    opId,
    payload: { attemptId: id, questionNo: part.no, response, spentMs, elapsedMs },
  }
}

/** Records choices as they stand, so that they go up as soon as they can; tells under which ids. */
async function send({ id }: ExamSitting, state: PlayerState, elapsedMs: number): Promise<SentEvent[]> {
  const open = answeredOf(state).filter(({ part }) => !partState(state, part).opId)
  if (open.length === 0) return []
  const acts = open.map((item) => choiceAct(id, state, item, elapsedMs))
  const kept = open.map(({ part }, i) => {
    return { type: 'kept' as const, part, response: partState(state, part).response, opId: acts[i]?.opId ?? '' }
  })
  // No draft goes with them, because the player has gone on meanwhile. Ids that are lost before it keeps them make a choice go up twice, no more.
  await offline.addAll(acts)
  return kept
}

async function sha256(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
