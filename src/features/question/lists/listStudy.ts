import { v7 as uuidv7 } from 'uuid'
import { call, soon } from '#src/api/client.ts'
import { isCallError } from '#src/api/errors.ts'
import { type Located, question } from '#src/contract/question.ts'
import type { Source, Thing } from '#src/contract/study.ts'
import { isAnswered } from '#src/domain/question/marking.ts'
import { seeded, shuffled } from '#src/domain/question/shuffle.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { type DraftKey, readDraft } from '#src/offline/drafts/kind.ts'
import { collectionBatch, type Deal, errorBatch, noteBatch, type Snapshot } from '#src/offline/drafts/practice.ts'
import { offline } from '#src/offline/index.ts'
import { fetchQuestions, keepQuestions, keptQuestions } from '#src/offline/downloads/keptQuestions.ts'
import { liked, newSeed } from '#src/player/tools/arrange.ts'
import type { StudyMode } from '#src/domain/study/modes.ts'
import {
  isBegun,
  isFinished,
  isSealed,
  type Item,
  itemsOf,
  type PlayerState,
  resumed,
  start,
} from '#src/player/playerState.ts'
import { restoreOn } from '#src/player/snapshot.ts'
import { session } from '#src/session/session.ts'
import { blocksHere } from '../here.ts'
import { inMode, wantsNew } from '../startBatch.ts'
import type { BatchPart } from '../practice/batchPart.ts'
import { loadSetup } from '../setup.ts'

/** Questions of a student's own lists: error book, collections, notes. */
export interface StudyList {
  /** What the batch is kept by. */
  draft: DraftKey<Snapshot>
  from: Source
  /** Numbers of what to study now, in their order; `startAt` among them. */
  pick: (startAt?: string) => Promise<string[]>
  /** Which of these a batch that was left may still ask for: others have been done elsewhere since. */
  still?: (nos: readonly string[]) => Promise<ReadonlySet<string>>
  /** Begins at this question. */
  startAt?: string | undefined
  /** Which way it was opened; else as the student has chosen. */
  recite?: boolean
  /** It is always practised: each answer counts at once, whatever the student has chosen for others. */
  practised?: boolean
  /** Its batch has these parts; another one has none. */
  parts?: () => Promise<readonly BatchPart[]>
  /** Its order means something: chance never changes it. */
  ordered?: boolean
  /** Tells which questions of an open batch were never wrong: the student is told why they come. */
  lapses?: () => Promise<ReadonlySet<string>>
  /** When every question of a batch is answered. */
  onDone?: () => void
}
export interface Dealt {
  /** Null: the list is empty. */
  state: PlayerState | null
  /** Questions of the list that are not on this device, and cannot be fetched now. */
  missing: number
}

/** All of these lists keep their batch alike. */
const readBatch = (draft: DraftKey<Snapshot>): Promise<Snapshot | null> => readDraft(offline, errorBatch, draft)

/** The batch that was left, else what the list picks now. */
export async function openList(list: StudyList): Promise<Dealt> {
  const saved = await readBatch(list.draft)
  const left = list.recite ? null : saved
  return (left && (await openLeft(list, left))) ?? dealList(list, left)
}

/** Null: there is nothing of it to go on with, or the student wants something else. */
async function openLeft(list: StudyList, left: Snapshot): Promise<Dealt | null> {
  // Begun at another question than is asked for now, it is not what the student wants to go on with.
  const isElsewhere = Boolean(list.startAt) && left.deal?.choice !== list.startAt
  if (isElsewhere && left.mode !== 'exam') return null
  // An earlier release could deal a question twice.
  const all = [...new Set(left.items.map(({ no }) => no))]
  const still = await list.still?.(all)
  const nos = all.filter((no) => still?.has(no) !== false || isKept(left, no))
  const wanted = modeOf(list)
  const state = liked(inMode(restoreOn(left, itemsFor(nos, await questionsOf(nos))), wanted))
  if (state.items.length === 0 || (wanted === 'exam' && !isBegun(state))) return null
  // What was handed in is shown until the student has seen it, but not to who is asked for other questions by now.
  const isOver = isFinished(state) && (state.mode !== 'review' || (still && !all.some((no) => still.has(no))))
  if (isOver || (isElsewhere && (!isBegun(state) || (await wantsNew(state))))) return null
  return { state: resumed(state), missing: nos.length - state.items.length }
}

/** A mark stays; so does an answer of an exam, and an essay of one that its student has not marked yet. */
function isKept({ mode, parts }: Snapshot, no: string): boolean {
  const part = parts[no]
  return part !== undefined && (part.right !== null || (isSealed(mode) && isAnswered(part.response)))
}

export const goToCollected = (folder: string, questionNo: string): Promise<void> =>
  goTo(collectionBatch.key(folder), questionNo)
export const goToNoted = (questionNo: string): Promise<void> => goTo(noteBatch.key('all'), questionNo)

/** The batch that was left goes on at this question, if it is open in it; else the list deals from there. */
async function goTo(draft: DraftKey<Snapshot>, questionNo: string): Promise<void> {
  const saved = await readBatch(draft)
  if (!saved) return
  const at = saved.items.findIndex(({ no }) => no === questionNo)
  const marked = saved.parts[questionNo]?.right ?? null
  const deal = dealAt(marked === null && at !== -1 ? questionNo : '', saved.deal)
  await offline.saveDraft({ key: draft, value: { ...saved, at: Math.max(0, at), deal } }).catch(() => {})
}
const dealAt = (choice: string, deal: Partial<Deal> = {}): Deal => ({ seed: 0, ...deal, choice, limitMs: 0 })

function modeOf({ recite, practised }: StudyList): StudyMode {
  if (practised) return 'practice'
  const { mode } = loadSetup('')
  return recite ? 'recite' : recite === false && mode === 'recite' ? 'practice' : mode
}

/** A new batch of the list; what was half answered in the one that was `left` stays so. */
export async function dealList(list: StudyList, left: Snapshot | null = null): Promise<Dealt> {
  const { pick, startAt, ordered } = list
  const picked = [...new Set(await pick(startAt))]
  const mixed = !ordered && loadSetup('').order === 'random'
  const nos = mixed ? shuffled(picked, seeded(String(newSeed()))) : picked
  const items = itemsFor(nos, await questionsOf(nos))
  const missing = nos.length - items.length
  if (items.length === 0) return { state: null, missing }
  const at = items.findIndex(({ part }) => part.no === startAt)
  const half = left ? Object.entries(restoreOn(left, items).parts).filter(([, { right }]) => right === null) : []
  const mode = modeOf(list)
  const begun = liked(start(items, mode))
  const deal = mode === 'exam' ? { ...dealAt('', begun.deal), id: uuidv7() } : begun.deal
  const state = {
    ...begun,
    at: Math.max(0, at),
    parts: Object.fromEntries(half),
    ...(startAt ? { deal: dealAt(startAt, deal) } : deal && { deal }),
  }
  return { state, missing }
}

/** Those of one material follow each other, at the place of the first. */
function itemsFor(nos: readonly string[], located: ReadonlyMap<string, Located>): Item[] {
  const found = nos.flatMap((no) => {
    const each = located.get(no)
    const place = { chapterNo: each?.chapterNo ?? '', libraryNo: each?.libraryNo ?? '', block: 0 }
    return each ? itemsOf(each.question, place).filter(({ part }) => part.no === no) : []
  })
  const homes = [...new Set(found.map(({ part, material }) => (material ?? part).no))]
  return homes.flatMap((home) => found.filter(({ part, material }) => (material ?? part).no === home))
}

/** Without those that have been corrected since they were kept: they are fetched anew. */
async function current(kept: Map<string, Located>): Promise<Map<string, Located>> {
  const notices = await offline.things('notice').catch(() => new Map<string, Thing<'notice'>>())
  const isOld = (no: string, { question: home }: Located) =>
    (partsOf(home).find((part) => part.no === no)?.version ?? home.version ?? 1) < (notices.get(no)?.version ?? 1)
  return new Map([...kept].filter(([no, located]) => !isOld(no, located)))
}

/** Returns those that are on this device, one by one or in the blocks that it holds. */
export async function questionsHere(nos: readonly string[]): Promise<Map<string, Located>> {
  const { owner } = offline
  const kept = await keptQuestions(owner, nos)
  const missing = nos.filter((no) => !kept.has(no))
  if (missing.length === 0) return kept
  await keepQuestions(owner, await foundHere(missing))
  return keptQuestions(owner, nos)
}

/** From this device, else from the server. What neither has is left out: whoever asks says so. */
export async function questionsOf(nos: readonly string[]): Promise<Map<string, Located>> {
  const { owner } = offline
  const here = await current(await keptQuestions(owner, nos))
  if (here.size === new Set(nos).size) return here
  const wanted = nos.filter((no) => !here.has(no))
  if (session.loggedIn())
    await fetchQuestions(owner, wanted, (nos) => soon(`some:${nos.join()}`, () => call(question.some, { nos }))).catch(
      (error: unknown) => {
        // What cannot be had now is left out; what is on the device is studied.
        if (!isCallError(error)) throw error
      },
    )
  return questionsHere(nos)
}

/** In the blocks that this device holds: a chapter is never fetched for a question of it. */
async function foundHere(nos: readonly string[]): Promise<Located[]> {
  const states = await offline.states(nos)
  const libraryOf = new Map([...states.values()].map(({ chapterNo, libraryNo }) => [chapterNo, libraryNo]))
  const wanted = new Set(nos)
  const found: Located[] = []
  for (const { chapterNo, read } of (await blocksHere()).values()) {
    if (wanted.size === 0) break
    if (!libraryOf.has(chapterNo)) continue
    for (const each of await read().catch(() => [])) {
      const asked = partsOf(each).filter(({ no }) => wanted.delete(no))
      const libraryNo = libraryOf.get(chapterNo) ?? null
      if (asked.length > 0) found.push({ question: each, chapterNo, libraryNo, retired: false })
    }
  }
  return found
}
