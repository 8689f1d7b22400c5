import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import type { ExamAttempt } from '#src/contract/attempt.ts'
import type { ExamKey, ExamPaper } from '#src/contract/exam.ts'
import { exam } from '#src/contract/exam.ts'
import { isAnswered } from '#src/domain/question/marking.ts'
import { sealText } from '#src/domain/paper/exam.ts'
import { isFinal } from '#src/domain/record/handedIn.ts'
import {
  examAnswers,
  examClock,
  examPaper,
  examReview,
  type ExamSitting,
  handedExamAnswers,
  lastExamSitting,
} from '#src/offline/drafts/exam.ts'
import { type DraftKey, type DraftKind, readDraft, readDrafts } from '#src/offline/drafts/kind.ts'
import type { Snapshot } from '#src/offline/drafts/practice.ts'
import { type DeadOp, offline } from '#src/offline/index.ts'
import { serverNow } from '#src/offline/device/serverClock.ts'
import { dropSealed } from './sealed.ts'
import {
  type Item,
  itemsOf,
  type PlayerEvent,
  partState,
  type PlayerState,
  start,
  summary,
} from '#src/player/playerState.ts'
import { restoreOn, snapshot } from '#src/player/snapshot.ts'
import { lostBy } from '#src/sitting/lost.ts'

/** Once it is handed in, a tab that has it open still cannot write over what was handed in. */
export const stateKey = (id: string, handed: boolean): DraftKey<Snapshot> =>
  (handed ? handedExamAnswers : examAnswers).key(id)

export type { ExamSitting }
export { toAttemptId, toItemNo } from '#src/sitting/itemNo.ts'
export const newAttemptId = (): string => uuidv7()

const load = <V>(kind: DraftKind<V>, name: string): Promise<V | null> => readDraft(offline, kind, kind.key(name))
/** Whether a sitting that this device knows of is over for it: handed in here, or by the server with nothing left here to hand in. */
export const isHanded = (attempt: ExamAttempt | undefined, hasPaper: boolean): boolean =>
  attempt !== undefined && attempt.handedAt !== null && (isFinal(attempt) || !hasPaper)

export const readSitting = (no: string): Promise<ExamSitting | null> => load(lastExamSitting, no)
/** The sittings that were begun last on this device, one of each exam, handed in or not. */
export const readSittings = async (): Promise<ExamSitting[]> =>
  (await readDrafts(offline, lastExamSitting)).map(({ value }) => value)
/** Of this device; null: it was taken on another one. */
export const readPaper = (id: string): Promise<ExamPaper | null> => load(examPaper, id)
/** What of a paper is told outside of it. */
const PaperHead = v.pick(exam.paper.output, ['no', 'title', 'kind', 'minutes', 'window'])
export type PaperHead = v.InferOutput<typeof PaperHead>
export async function readPaperHead(id: string): Promise<PaperHead | null> {
  const head = v.safeParse(PaperHead, await offline.loadDraft(examPaper.key(id)).catch(() => null))
  return head.success ? head.output : null
}
export const readElapsed = async (id: string): Promise<number> => (await load(examClock, id))?.elapsedMs ?? 0
export const keepElapsed = (id: string, elapsedMs: number): Promise<void> =>
  offline.saveDraft({ key: examClock.key(id), value: { elapsedMs } }).catch(() => {})

/** A paper or a key as the player takes it. */
export const itemsOfPaper = ({ sections }: Pick<ExamPaper, 'sections'> | Pick<ExamKey, 'sections'>): Item[] =>
  sections.flatMap(({ title, entries }, block) =>
    entries.flatMap(({ question, chapterNo, libraryNo }) =>
      itemsOf(question, { chapterNo, libraryNo, block, section: title }),
    ),
  )

/**
 * Begins: the clock runs from now on. The paper stays with the sitting as it is now, whatever becomes of the exam.
 * @throws StorageError when the device cannot keep it; then nothing has begun.
 */
export async function begin(paper: ExamPaper, id: string, mode: ExamSitting['mode']): Promise<ExamSitting> {
  const ref = { exam: paper.no, rev: paper.rev, mode }
  const sitting = { id, ...ref, startedAt: serverNow() }
  await offline.saveDraft({ key: examPaper.key(id), value: paper })
  await offline.add(
    { kind: 'examBegin', payload: { attemptId: id, ...ref } },
    { key: lastExamSitting.key(paper.no), value: sitting },
  )
  void dropSealed(paper.no)
  return sitting
}

/** Pictures of a paper come before their questions are reached: the worker keeps them, and the network may go. */
export function fetchPictures(paper: ExamPaper): void {
  for (const url of new Set(JSON.stringify(paper).match(/\/media\/[\w.-]+/g))) new Image().src = url
}

/** As it was handed in on this device; null: on another one. */
export const readHanded = (id: string): Promise<Snapshot | null> => load(handedExamAnswers, id)
export const readReview = (id: string): Promise<Snapshot | null> => load(examReview, id)

/** Hand-ins of this sitting that the server did not take, from this device. */
export const refusalsOf = async (id: string): Promise<DeadOp[]> =>
  (await offline.dead()).filter(({ kind, payload }) => kind === 'examHandIn' && payload.attemptId === id)

/** As it was left; choices that a refused hand-in named and the server never got are to be recorded anew. */
export async function openState(paper: ExamPaper, id: string): Promise<PlayerState> {
  const items = itemsOfPaper(paper)
  const [saved, refused] = await Promise.all([load(examAnswers, id), refusalsOf(id).catch(() => [])])
  if (!saved) return start(items, 'exam')
  const state = restoreOn(saved, items)
  const early = refused.find(({ code }) => code === 'early')
  if (!early) return state
  const lost = await lostBy(early)
  const parts = Object.entries(state.parts).map(([no, { opId, ...part }]) => {
    return [no, { ...part, ...(!lost.has(opId) && { opId }) }] as const
  })
  return { ...state, parts: Object.fromEntries(parts) }
}

/** Handed in and taken, a sitting needs its paper and its clock no more: report and analysis are made from the key. */
export const dropPaper = (id: string): Promise<unknown> =>
  Promise.allSettled([examPaper.key(id), examClock.key(id)].map((key) => offline.dropDraft(key)))

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
export async function keepChoices(
  { id }: ExamSitting,
  state: PlayerState,
  elapsedMs: number,
): Promise<Extract<PlayerEvent, { type: 'kept' }>[]> {
  const open = answeredOf(state).filter(({ part }) => !partState(state, part).opId)
  if (open.length === 0) return []
  const acts = open.map((item) => choiceAct(id, state, item, elapsedMs))
  const kept = open.map(({ part }, i) => {
    return { type: 'kept' as const, part, response: partState(state, part).response, opId: acts[i]?.opId ?? '' }
  })
  // Without a draft: the player has gone on meanwhile. Ids that are lost before it keeps them make a choice go up twice, no more.
  await offline.addAll(acts)
  return kept
}

/**
 * Hands in: what is not recorded yet and the hand-in itself, in one write. Resolves when it is on disk, or was before, by
 * another tab.
 * @param chosenMs when what is not recorded yet was chosen, by the sitting's clock.
 * @throws StorageError when the device could not keep it; the sitting then stays open.
 */
export async function handIn(
  sitting: ExamSitting,
  state: PlayerState,
  elapsedMs: number,
  chosenMs = elapsedMs,
): Promise<void> {
  const { id, exam: no, rev, mode } = sitting
  const items = answeredOf(state)
  const named = new Map(items.map(({ part }) => [part.no, partState(state, part).opId]))
  const acts = items
    .filter(({ part }) => !named.get(part.no))
    .map((item) => {
      const act = choiceAct(id, state, item, chosenMs)
      named.set(item.part.no, act.opId)
      return act
    })
  const choices = [...named.values()].map((opId) => opId ?? '')
  const given = items.map(({ part }) => ({ questionNo: part.no, response: partState(state, part).response }))
  const hash = await sha256(sealText(id, given))
  const payload = { attemptId: id, exam: no, rev, mode, choices, hash, elapsedMs, spentMs: summary(state).spentMs }
  const value = snapshot(state)
  await offline.addAll([...acts, { kind: 'examHandIn', payload }], { key: stateKey(id, true), value })
  // It is handed in, whether or not an earlier refusal leaves.
  void refusalsOf(id)
    .then((refused) => Promise.all(refused.map(({ opId }) => offline.dismiss(opId))))
    .catch(() => {})
}

async function sha256(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
