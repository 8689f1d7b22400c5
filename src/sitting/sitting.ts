import { DEVICE_KEYS } from '#src/device/keys.ts'
import { type DraftKey, readDraft } from '#src/offline/drafts/kind.ts'
import type { Snapshot } from '#src/offline/drafts/practice.ts'
import { modeOfPaper, handedAnswers, lastSitting, sittingAnswers, sittingClock } from '#src/offline/drafts/sitting.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Attempt, HandIn } from '#src/contract/attempt.ts'
import type { Response } from '#src/contract/response.ts'
import { isAnswered } from '#src/domain/question/marking.ts'
import { earnedBy, markPaper, type PaperResult, withEssays } from '#src/domain/paper/paper.ts'
import { answerAct, type AnswerFact, type DeadOp, offline } from '#src/offline/index.ts'
import { answerOf } from '#src/player/answer.ts'
import { liked } from '#src/player/tools/arrange.ts'
import { handInOf, keepMisses } from '#src/player/paper/handInOf.ts'
import { MODES, type StudyMode } from '#src/domain/study/modes.ts'
import {
  type Item,
  itemsOf,
  type Mode,
  next,
  partState,
  type PlayerState,
  start,
  summary,
} from '#src/player/playerState.ts'
import { restoreOn, snapshot } from '#src/player/snapshot.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { lostBy } from './lost.ts'
import { readPointers, type Sitting } from './pointer.ts'
import { type Place, placeOf, type Sheet } from './sheet.ts'

export type { Sitting }

export const rememberedMode = (): StudyMode =>
  MODES.find((mode) => mode === deviceMemory.get(DEVICE_KEYS.sittingMode)) ?? 'practice'

/** For the paper, as durable as its answers: a browser that dies within seconds has not written what it remembers for all. */
export async function chooseMode(itemNo: string, mode: StudyMode): Promise<void> {
  deviceMemory.set(DEVICE_KEYS.sittingMode, mode)
  await offline.saveDraft({ key: modeOfPaper.key(itemNo), value: mode }).catch(() => {})
}
export const chosenMode = async (itemNo: string): Promise<StudyMode> =>
  (await readDraft(offline, modeOfPaper, modeOfPaper.key(itemNo))) ?? rememberedMode()

/** What was answered in a sitting. Once it is handed in, a tab that has it open still cannot write over what was handed in. */
export const sittingKey = (id: string, mode: Mode): DraftKey<Snapshot> =>
  (mode === 'review' ? handedAnswers : sittingAnswers).key(id)

const itemsOfSheet = ({ sections }: Sheet): Item[] =>
  sections.flatMap(({ title, entries }, block) =>
    entries.flatMap(({ question, chapterNo, libraryNo }) =>
      itemsOf(question, { chapterNo, libraryNo, block, section: title }),
    ),
  )

/** A new sitting; those before it stay. On a device that keeps nothing it lasts as long as the page. */
export async function begin(place: Place, mode: StudyMode, id: string = uuidv7()): Promise<Sitting> {
  const { of, no: setNo, itemNo } = place
  await chooseMode(itemNo, mode)
  const sitting = { id, of, setNo, itemNo, mode, startedAt: Date.now() }
  await offline.saveDraft({ key: lastSitting.key(itemNo, mode), value: sitting }).catch(() => {})
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
  for (const kind of [handedAnswers, sittingAnswers]) {
    const saved = await readDraft(offline, kind, kind.key(id))
    if (saved) return saved
  }
  return null
}

export interface OpenedSitting {
  sitting: Sitting
  state: PlayerState
  /** Of its clock, as it was kept last. */
  elapsedMs: number
}
export const keepElapsed = (id: string, elapsedMs: number): Promise<void> =>
  offline.saveDraft({ key: sittingClock.key(id), value: { elapsedMs } }).catch(() => {})
const readElapsed = async (id: string): Promise<number> =>
  (await readDraft(offline, sittingClock, sittingClock.key(id)))?.elapsedMs ?? 0

/** The sitting that was left on this device, else a new one. @param id of the one that is meant, where it is known. */
export async function openSitting(sheet: Sheet, mode: StudyMode, id?: string): Promise<OpenedSitting> {
  void offline.prepare()
  const place = placeOf(sheet.ref)
  const found = await readDraft(offline, lastSitting, lastSitting.key(place.itemNo, mode))
  const left = found && (id === undefined || found.id === id) ? found : null
  const sitting = left ?? (await begin(place, mode, id))
  const saved = left || id !== undefined ? await readSnapshot(sitting.id) : null
  return { sitting, state: stateOn(sheet, mode, saved), elapsedMs: await readElapsed(sitting.id) }
}

/** A sitting that was handed in here, as it was answered; null: on another device, or not at all. */
export async function openHanded(
  sheet: Sheet,
  id: string,
  { mode, startedAt }: Pick<Attempt, 'mode' | 'startedAt'>,
): Promise<OpenedSitting | null> {
  const saved = await readSnapshot(id)
  if (saved?.mode !== 'review') return null
  const { of, no: setNo, itemNo } = placeOf(sheet.ref)
  const sitting = { id, of, setNo, itemNo, mode, startedAt }
  return { sitting, state: stateOn(sheet, mode, saved), elapsedMs: 0 }
}

function stateOn(sheet: Sheet, mode: StudyMode, saved: Snapshot | null): PlayerState {
  const items = itemsOfSheet(sheet)
  if (!saved) return liked(start(items, mode))
  const state = liked(restoreOn(saved, items))
  return mode === 'recite' ? next(state, { type: 'mode', mode }) : state
}

/** What counts of a sitting: an answer that is marked, or all of them once it is handed in. */
export const resultOfSitting = (sheet: Sheet, { parts, mode }: PlayerState): PaperResult =>
  markPaper(
    sheet,
    new Map<string, Response>(
      Object.entries(parts)
        .filter(([, { right }]) => right !== null || mode === 'review')
        .map(([no, { response }]) => [no, response]),
    ),
  )

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
export async function handIn(sheet: Sheet, sitting: Sitting, state: PlayerState): Promise<void> {
  const { facts, event } = handInOf(state, sheet.ref.of, sheet.partial === 'none')
  await keepHanded(sheet, sitting, next(state, event), facts)
}

async function keepHanded(sheet: Sheet, sitting: Sitting, handed: PlayerState, facts: AnswerFact[]): Promise<void> {
  const kept = recorded(handed)
  const payload: HandIn = {
    attemptId: sitting.id,
    answers: kept.opIds,
    paper: sheet.ref,
    mode: sitting.mode === 'exam' ? 'exam' : 'practice',
    tookMs: Math.max(0, Date.now() - sitting.startedAt),
    spentMs: summary(handed).spentMs,
  }
  const acts = [...facts.map(answerAct), { kind: 'handIn' as const, payload, earned: earnedBy(sheet, kept.given) }]
  const ids = await offline.addAll(acts, { key: sittingKey(sitting.id, handed.mode), value: snapshot(handed) })
  if (ids.length > 0) void keepMisses(handed).catch(() => {})
}

/**
 * Hands in again what the server has refused, and gives again, under new ids, the answers that it has not got: given twice, an
 * answer counts twice. A player that goes on must take the new ids from the disk.
 * @throws StorageError when the device could not keep it.
 */
export async function handInAgain(sheet: Sheet, sitting: Sitting, state: PlayerState, refused: DeadOp): Promise<void> {
  const lost = refused.code === 'early' ? await lostBy(refused) : new Set()
  const items = state.items.filter(({ part }) => lost.has(state.parts[part.no]?.opId))
  const facts = items.map((item) => answerOf(state, item, sheet.ref.of))
  const ids = new Map(facts.map(({ questionNo, opId }) => [questionNo, opId]))
  const again = items.map(({ part }) => [part.no, { ...partState(state, part), opId: ids.get(part.no) }] as const)
  const parts = { ...state.parts, ...Object.fromEntries(again) }
  await keepHanded(sheet, sitting, { ...state, parts }, facts)
  // It is handed in, whether or not the refusal leaves.
  await offline.dismiss(refused.opId).catch(() => {})
}

/** Keeps an essay that is marked after the hand-in, and its marks with it; before it, the answer alone. */
export const keepIn =
  (sheet: Sheet, sitting: Sitting): typeof offline.recordAnswer =>
  async (fact, draft) => {
    const before = (await offline.things('attempt')).get(sitting.id)
    if (!before) return offline.recordAnswer(fact, draft)
    const { opId = '', questionNo, response } = fact
    const earned = withEssays(sheet, before, new Map([[questionNo, response]]))
    const payload = { attemptId: sitting.id, answers: [opId] }
    await offline.addAll([answerAct(fact), { kind: 'selfMark', payload, earned }], draft)
    return opId
  }
