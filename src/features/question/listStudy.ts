import type { QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { call } from '#src/api/client.ts'
import { isCallError } from '#src/api/errors.ts'
import { type Located, question } from '#src/contract/question.ts'
import type { Source, Thing } from '#src/contract/study.ts'
import { partsOf } from '#src/domain/study.ts'
import { offline } from '#src/offline/index.ts'
import { fetchQuestions, keepQuestions, keptQuestions } from '#src/offline/questions.ts'
import { isFinished, type Item, itemsOf, type PlayerState, restoreOn, Snapshot, start } from '#src/player/player.ts'
import { session } from '#src/session/session.ts'
import { blockQuery, outlineQuery } from './queries.ts'

/** Questions of a student's own lists: error book, collections, notes. */
export interface StudyList {
  /** What the batch is kept by. */
  draft: string
  from: Source
  /** Numbers of what to study now, in their order; `startAt` among them. */
  pick: (startAt?: string) => Promise<string[]>
  /** Which of these a batch that was left may still ask for: others have been done elsewhere since. */
  still?: (nos: readonly string[]) => Promise<ReadonlySet<string>>
  /** Begins at this question. */
  startAt?: string | undefined
  recite?: boolean
  /** When every question of a batch is answered. */
  onDone?: () => void
}
export interface Dealt {
  /** Null: the list is empty. */
  state: PlayerState | null
  /** Questions of the list that are not on this device, and cannot be fetched now. */
  missing: number
}

/** The batch that was left, else what the list picks now. */
export async function openList(client: QueryClient, list: StudyList): Promise<Dealt> {
  const saved = v.safeParse(Snapshot, await offline.loadDraft(list.draft).catch(() => null))
  const left = saved.success && !list.recite ? saved.output : null
  // Begun at another question than is asked for now, it is not what the student wants to go on with.
  if (left && (!list.startAt || left.deal?.choice === list.startAt)) {
    const all = left.items.map(({ no }) => no)
    const still = await list.still?.(all)
    const isMarked = (no: string) => typeof left.parts[no]?.right === 'boolean'
    const nos = all.filter((no) => still?.has(no) !== false || isMarked(no))
    const state = restoreOn(left, itemsFor(nos, await questionsOf(client, nos)))
    if (state.items.length > 0 && !isFinished(state)) return { state, missing: 0 }
  }
  return dealList(client, list, left)
}

/** The batch that was left goes on at this question, if it is open in it; else the list deals from there. */
export async function goTo(draft: string, questionNo: string): Promise<void> {
  const saved = v.safeParse(Snapshot, await offline.loadDraft(draft).catch(() => null))
  if (!saved.success) return
  const at = saved.output.items.findIndex(({ no }) => no === questionNo)
  const marked = saved.output.parts[questionNo]?.right ?? null
  const deal = marked === null && at !== -1 ? dealAt(questionNo) : dealAt('')
  await offline.saveDraft({ key: draft, value: { ...saved.output, at: Math.max(0, at), deal } }).catch(() => {})
}
const dealAt = (questionNo: string) => ({ seed: 0, choice: questionNo, limitMs: 0 })

/** A new batch of the list; what was half answered in the one that was `left` stays so. */
export async function dealList(
  client: QueryClient,
  { pick, startAt, recite }: StudyList,
  left: Snapshot | null = null,
): Promise<Dealt> {
  const nos = await pick(startAt)
  const items = itemsFor(nos, await questionsOf(client, nos))
  const missing = nos.length - items.length
  if (items.length === 0) return { state: null, missing }
  const at = items.findIndex(({ part }) => part.no === startAt)
  const half = left ? Object.entries(restoreOn(left, items).parts).filter(([, { right }]) => right === null) : []
  const state = {
    ...start(items, recite ? 'recite' : 'practice'),
    at: Math.max(0, at),
    parts: Object.fromEntries(half),
    ...(startAt && { deal: dealAt(startAt) }),
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

/** From this device, else from the server, else from the chapters that this device holds. */
export async function questionsOf(client: QueryClient, nos: readonly string[]): Promise<Map<string, Located>> {
  const { owner } = offline
  const here = await current(await keptQuestions(owner, nos))
  if (here.size === new Set(nos).size) return here
  const wanted = nos.filter((no) => !here.has(no))
  if (session.loggedIn())
    await fetchQuestions(owner, wanted, (some) => call(question.some, { nos: some })).catch((error: unknown) => {
      // What cannot be had now is left out; what is on the device is studied.
      if (!isCallError(error)) throw error
    })
  const fetched = await keptQuestions(owner, nos)
  const missing = nos.filter((no) => !fetched.has(no))
  if (missing.length > 0) await keepQuestions(owner, await searchChapters(client, missing))
  return missing.length > 0 ? keptQuestions(owner, nos) : fetched
}

async function searchChapters(client: QueryClient, nos: readonly string[]): Promise<Located[]> {
  const states = await offline.states(nos)
  const chapters = new Set([...states.values()].flatMap(({ chapterNo }) => chapterNo ?? []))
  const found: Located[] = []
  for (const chapterNo of chapters) {
    const outline = await client.ensureQueryData(outlineQuery(chapterNo)).catch(() => null)
    for (const { no, at } of outline?.blocks ?? []) {
      const block = await client.ensureQueryData(blockQuery(no, at)).catch(() => null)
      for (const each of block?.questions ?? [])
        if (partsOf(each).some((part) => nos.includes(part.no)))
          found.push({ question: each, chapterNo: no, libraryNo: outline?.libraryNo ?? null, retired: false })
    }
  }
  return found
}
