import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import type { Attempt, HandIn, PaperRef } from '#src/contract/attempt.ts'
import type { Paper } from '#src/contract/questionSet.ts'
import type { Response } from '#src/contract/response.ts'
import { isAnswered } from '#src/domain/marking.ts'
import { earnedBy, markPaper, type PaperResult, withEssays } from '#src/domain/paper.ts'
import { answerAct, type AnswerFact, type DeadOp, offline } from '#src/offline/index.ts'
import { answerOf } from '#src/player/answer.ts'
import { liked } from '#src/player/arrange.ts'
import { handInOf, keepMisses } from '#src/player/exam.ts'
import { MODES, type StudyMode } from '#src/player/modes.ts'
import { type Item, itemsOf, type Mode, next, partState, type PlayerState, start, summary } from '#src/player/player.ts'
import { restoreOn, Snapshot, snapshot } from '#src/player/snapshot.ts'
import { deviceMemory } from '#src/ui/memory.ts'
import { Pointer, pointerKey, readPointers, type Sitting } from './pointer.ts'

export type { Sitting }

const MODE_KEY = 'jk-set-mode'
export const rememberedMode = (): StudyMode => MODES.find((mode) => mode === deviceMemory.get(MODE_KEY)) ?? 'practice'

const chosenKey = (itemNo: string): string => `chosen:${itemNo}`
/** For the paper, as durable as its answers: a browser that dies within seconds has not written what it remembers for all. */
export async function chooseMode(itemNo: string, mode: StudyMode): Promise<void> {
  deviceMemory.set(MODE_KEY, mode)
  await offline.saveDraft({ key: chosenKey(itemNo), value: mode }).catch(() => {})
}
export async function chosenMode(itemNo: string): Promise<StudyMode> {
  const chosen = await offline.loadDraft(chosenKey(itemNo)).catch(() => null)
  return MODES.find((mode) => mode === chosen) ?? rememberedMode()
}

/** What was answered in a sitting. Once it is handed in, a tab that has it open still cannot write over what was handed in. */
export const sittingKey = (id: string, mode: Mode): string => `${mode === 'review' ? 'handed' : 'sitting'}:${id}`

const itemsOfPaper = (paper: Paper): Item[] =>
  paper.sections.flatMap(({ title, entries }, block) =>
    entries.flatMap(({ question, chapterNo, libraryNo }) =>
      itemsOf(question, { chapterNo, libraryNo, block, section: title }),
    ),
  )

/** A new sitting; those before it stay. On a device that keeps nothing it lasts as long as the page. */
export async function begin(setNo: string, itemNo: string, mode: StudyMode): Promise<Sitting> {
  await chooseMode(itemNo, mode)
  const sitting = { id: uuidv7(), setNo, itemNo, mode, startedAt: Date.now() }
  await offline.saveDraft({ key: pointerKey(itemNo, mode), value: sitting }).catch(() => {})
  return sitting
}

/** Every sitting that was begun last of its paper and mode, and how far it has come. */
export async function readBegun(): Promise<(Sitting & { answered: number; total: number })[]> {
  return Promise.all(
    (await readPointers()).map(async (sitting) => {
      const saved = await readSnapshot(sitting.id)
      const answered = Object.values(saved?.parts ?? {}).filter(({ response }) => isAnswered(response)).length
      return { ...sitting, answered, total: saved?.items.length ?? 0 }
    }),
  )
}

async function readSnapshot(id: string): Promise<Snapshot | null> {
  for (const mode of ['review', 'exam'] as const) {
    const saved = v.safeParse(Snapshot, await offline.loadDraft(sittingKey(id, mode)).catch(() => null))
    if (saved.success) return saved.output
  }
  return null
}

export interface OpenedSitting {
  sitting: Sitting
  state: PlayerState
}

/** The sitting that was left on this device, else a new one. */
export async function openSitting(paper: Paper, mode: StudyMode): Promise<OpenedSitting> {
  void offline.prepare()
  const left = v.safeParse(Pointer, await offline.loadDraft(pointerKey(paper.no, mode)).catch(() => null))
  const sitting = left.success ? left.output : await begin(paper.setNo, paper.no, mode)
  return { sitting, state: stateOn(paper, mode, left.success ? await readSnapshot(sitting.id) : null) }
}

/** A sitting that was handed in, as it was answered; null when it was answered on another device. */
export async function openPast(paper: Paper, id: string, attempt: Attempt): Promise<OpenedSitting | null> {
  const saved = await readSnapshot(id)
  if (saved?.mode !== 'review') return null
  const { mode, startedAt } = attempt
  return {
    sitting: { id, setNo: paper.setNo, itemNo: paper.no, mode, startedAt },
    state: stateOn(paper, mode, saved),
  }
}

function stateOn(paper: Paper, mode: StudyMode, saved: Snapshot | null): PlayerState {
  const items = itemsOfPaper(paper)
  if (!saved) return liked(start(items, mode))
  const state = liked(restoreOn(saved, items))
  return mode === 'recite' ? next(state, { type: 'mode', mode }) : state
}

/** What counts of a sitting: an answer that is marked, or all of them once it is handed in. */
export const resultOfSitting = (paper: Paper, { parts, mode }: PlayerState): PaperResult =>
  markPaper(
    paper,
    new Map<string, Response>(
      Object.entries(parts)
        .filter(([, { right }]) => right !== null || mode === 'review')
        .map(([no, { response }]) => [no, response]),
    ),
  )

const refOf = ({ setNo, no, rev, locked }: Paper): PaperRef => ({
  of: 'set',
  no: setNo,
  itemNo: no,
  rev,
  trial: locked > 0,
})

/** Recorded answers of a sitting. */
function recorded({ parts }: PlayerState): { opIds: string[]; given: Map<string, Response> } {
  const kept = Object.entries(parts).flatMap(([no, { right, opId, response }]) =>
    right !== null && opId ? [{ no, opId, response }] : [],
  )
  return { opIds: kept.map(({ opId }) => opId), given: new Map(kept.map(({ no, response }) => [no, response])) }
}

/**
 * Hands a sitting in: what is not recorded of it yet, and the hand-in itself, in one write. Resolves when it is on disk, or was
 * before, by another tab: `openPast` has what to go on with.
 * @throws StorageError when the device could not keep it; the sitting then stays open.
 */
export async function handIn(paper: Paper, sitting: Sitting, state: PlayerState): Promise<void> {
  const { facts, event } = handInOf(state, 'set', paper.partial === 'none')
  await keepHanded(paper, sitting, next(state, event), facts)
}

async function keepHanded(paper: Paper, sitting: Sitting, handed: PlayerState, facts: AnswerFact[]): Promise<void> {
  const kept = recorded(handed)
  const payload: HandIn = {
    attemptId: sitting.id,
    answers: kept.opIds,
    paper: refOf(paper),
    mode: sitting.mode === 'exam' ? 'exam' : 'practice',
    tookMs: Math.max(0, Date.now() - sitting.startedAt),
    spentMs: summary(handed).spentMs,
  }
  const acts = [...facts.map(answerAct), { kind: 'handIn' as const, payload, earned: earnedBy(paper, kept.given) }]
  const ids = await offline.addAll(acts, { key: sittingKey(sitting.id, handed.mode), value: snapshot(handed) })
  if (ids.length > 0) void keepMisses(handed).catch(() => {})
}

/**
 * Hands in again what the server has refused, and gives again, under new ids, the answers that it has not got: given twice, an
 * answer counts twice. A player that goes on must take the new ids from the disk.
 * @throws StorageError when the device could not keep it.
 */
export async function handInAgain(paper: Paper, sitting: Sitting, state: PlayerState, refused: DeadOp): Promise<void> {
  const lost = refused.code === 'early' ? await lostBy(refused) : new Set()
  const items = state.items.filter(({ part }) => lost.has(state.parts[part.no]?.opId))
  const facts = items.map((item) => answerOf(state, item, 'set'))
  const ids = new Map(facts.map(({ questionNo, opId }) => [questionNo, opId]))
  const again = items.map(({ part }) => [part.no, { ...partState(state, part), opId: ids.get(part.no) }] as const)
  const parts = { ...state.parts, ...Object.fromEntries(again) }
  await keepHanded(paper, sitting, { ...state, parts }, facts)
  // It is handed in, whether or not the refusal leaves.
  await offline.dismiss(refused.opId).catch(() => {})
}

/**
 * Answers that no longer reach the server by themselves. A server that did not name them says only that some are missing: those
 * are what this device set aside before it was delivered; any others it names when it refuses again.
 */
async function lostBy({ missing }: DeadOp): Promise<ReadonlySet<string | undefined>> {
  const [waiting, dead] = await Promise.all([offline.waiting(), offline.dead()])
  const named = missing ?? dead.filter(({ acked }) => acked !== 1).map(({ opId }) => opId)
  const coming = new Set(waiting.map(({ opId }) => opId))
  return new Set(named.filter((opId) => !coming.has(opId)))
}

/** Keeps an essay that is marked after the hand-in, and its marks with it; before it, the answer alone. */
export const keepIn =
  (paper: Paper, sitting: Sitting): typeof offline.recordAnswer =>
  async (fact, draft) => {
    const before = (await offline.things('attempt')).get(sitting.id)
    if (!before) return offline.recordAnswer(fact, draft)
    const { opId = '', questionNo, response } = fact
    const earned = withEssays(paper, before, new Map([[questionNo, response]]))
    const payload = { attemptId: sitting.id, answers: [opId] }
    await offline.addAll([answerAct(fact), { kind: 'selfMark', payload, earned }], draft)
    return opId
  }
