import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import type { Attempt, HandIn, PaperRef } from '#src/contract/attempt.ts'
import type { Paper } from '#src/contract/questionSet.ts'
import type { Response } from '#src/contract/response.ts'
import { isAnswered } from '#src/domain/marking.ts'
import { earnedBy, markPaper, type PaperResult, withEssays } from '#src/domain/paper.ts'
import { answerAct, type DeadOp, offline } from '#src/offline/index.ts'
import { liked } from '#src/player/arrange.ts'
import { handInOf, keepMisses } from '#src/player/exam.ts'
import { MODES, type StudyMode } from '#src/player/modes.ts'
import { type Item, itemsOf, next, type PlayerEvent, type PlayerState, start, summary } from '#src/player/player.ts'
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

/** What was answered in a sitting, also once it is handed in. */
export const sittingKey = (id: string): string => `sitting:${id}`

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
  const saved = v.safeParse(Snapshot, await offline.loadDraft(sittingKey(id)).catch(() => null))
  return saved.success ? saved.output : null
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
 * Hands a sitting in: what is not recorded of it yet, and the hand-in itself, in one write. Resolves when it is on disk, with
 * what the player is to go on with; null when it was handed in before, in another tab.
 * @throws StorageError when the device could not keep it; the sitting then stays open.
 */
export async function handIn(paper: Paper, sitting: Sitting, state: PlayerState): Promise<PlayerEvent | null> {
  const { facts, event } = handInOf(state, 'set', paper.partial === 'none')
  const handed = next(state, event)
  const kept = recorded(handed)
  const payload: HandIn = {
    attemptId: sitting.id,
    answers: kept.opIds,
    paper: refOf(paper),
    mode: sitting.mode === 'exam' ? 'exam' : 'practice',
    tookMs: Math.max(0, Date.now() - sitting.startedAt),
    spentMs: summary(state).spentMs,
  }
  const acts = [...facts.map(answerAct), { kind: 'handIn' as const, payload, earned: earnedBy(paper, kept.given) }]
  const ids = await offline.addAll(acts, { key: sittingKey(sitting.id), value: snapshot(handed) })
  if (ids.length > 0) void keepMisses(handed).catch(() => {})
  return ids.length > 0 ? event : null
}

/**
 * Hands in again what the server has refused. Answers that never reached it are given once more; all others it has.
 * @throws StorageError when the device could not keep it.
 */
export async function handInAgain(paper: Paper, sitting: Sitting, state: PlayerState, refused: DeadOp): Promise<void> {
  await handIn(paper, sitting, refused.code === 'early' ? notRecorded(state) : state)
  await offline.dismiss(refused.opId)
}

/** As it was before the hand-in; essays stay as the student has marked them. */
function notRecorded(state: PlayerState): PlayerState {
  const essays = new Set(state.items.flatMap(({ part }) => (part.type === 'essay' ? [part.no] : [])))
  const parts = Object.entries(state.parts).map(
    ([no, { opId, ...part }]) =>
      [no, essays.has(no) ? { ...part, ...(opId && { opId }) } : { ...part, right: null }] as const,
  )
  return { ...state, mode: 'exam', parts: Object.fromEntries(parts) }
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
