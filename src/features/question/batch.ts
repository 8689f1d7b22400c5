import type { QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { OfflineError, RefusedError, ServerFaultError } from '#src/api/errors.ts'
import type { Block, BlockRef, Outline, Question } from '#src/contract/question.ts'
import type { StudyState } from '#src/contract/study.ts'
import { partsOf } from '#src/domain/study.ts'
import { offline } from '#src/offline/index.ts'
import { isFinished, type Item, itemsOf, type PlayerState, restore, Snapshot, start } from '#src/player/player.ts'
import { blockQuery, libraryListQuery, outlineQuery } from './queries.ts'

/** undone: never answered in this round; wrong: last answered wrongly. */
export type Pick = 'undone' | 'wrong'

/** Where to look first for undone questions, and since when this round counts. */
const Hint = v.object({ from: v.number(), round: v.number() })
type Hint = v.InferOutput<typeof Hint>
const START: Hint = { from: 0, round: 0 }

export const draftKey = (no: string): string => `batch:${no}`
const hintKey = (no: string): string => `hint:${no}`

/**
 * One question alone, whole, by its number or that of a part. Where its block is known its outline is not needed: its chapter
 * may never have been opened by itself.
 */
export async function openFound(
  client: QueryClient,
  no: string,
  block: number | undefined,
  questionNo: string,
): Promise<PlayerState | null> {
  const isIt = (each: Question) => each.no === questionNo || partsOf(each).some((part) => part.no === questionNo)
  const [known, libraries] = await Promise.all([
    block === undefined ? blockWith(client, no, isIt) : client.ensureQueryData(blockQuery(no, block)),
    client.ensureQueryData(libraryListQuery()),
  ])
  const found = known?.questions.find(isIt)
  if (!known || !found) throw new RefusedError('这道题已经更新或下架，请返回后重试')
  const libraryNo = libraries.find(({ chapters }) => chapters.some((chapter) => chapter.no === no))?.no ?? ''
  return start(itemsOf(found, { chapterNo: no, libraryNo, block: known.at }))
}

/** As the server has it now, when it can be asked. */
async function blockWith(client: QueryClient, no: string, isIt: (each: Question) => boolean): Promise<Block | null> {
  const outline = outlineQuery(no)
  const { blocks } = await client.fetchQuery({ ...outline, staleTime: 0 }).catch(() => client.ensureQueryData(outline))
  for (const ref of blocks) {
    const block = await readBlock(client, ref)
    if (block.questions.some(isIt)) return block
  }
  return null
}

/** What to study now: the batch that was left, else a new one. Null: nothing of that kind is left in the chapter. */
export async function openBatch(client: QueryClient, no: string, size: number): Promise<PlayerState | null> {
  const hint = loadHint(no)
  return (await resumed(client, no)) ?? newBatch(client, no, size, 'undone', hint)
}

async function resumed(client: QueryClient, no: string): Promise<PlayerState | null> {
  const saved = v.safeParse(Snapshot, await offline.loadDraft(draftKey(no)).catch(() => null))
  if (!saved.success) return null
  const places = new Map(saved.output.items.map((item) => [`${item.chapterNo}:${item.block}`, item]))
  const blocks = await Promise.all(
    [...places.values()].map((item) => client.ensureQueryData(blockQuery(item.chapterNo, item.block))),
  )
  const state = restore(
    saved.output,
    blocks.flatMap((block) => block.questions),
  )
  return state.items.length > 0 && !isFinished(state) ? state : null
}

/**
 * The next questions of a chapter in reading order, materials whole. Blocks are read one after another from a stored hint,
 * so the cost does not grow with the library. What is not on this device is left out when there is no network.
 */
export async function newBatch(
  client: QueryClient,
  no: string,
  size: number,
  pick: Pick,
  reading = loadHint(no),
): Promise<PlayerState | null> {
  const hint = await reading
  // The first block usually belongs to the chapter itself: asking for both saves a round trip.
  if (hint.from === 0) void client.prefetchQuery(blockQuery(no, 0))
  const outline = await client.ensureQueryData(outlineQuery(no))
  const { items, first, missing } = await collect(client, outline, size, pick, hint)
  if (pick === 'undone' && first !== hint.from) void saveHint(no, { ...hint, from: first })
  if (items.length === 0 && missing) throw missing
  // Kept copies never expire: what changed since serves the next batch.
  void client.prefetchQuery(outlineQuery(no))
  return items.length > 0 ? start(items) : null
}

interface Collected {
  items: Item[]
  /** Index of the first block that still has some. */
  first: number
  missing: Error | null
}

async function collect(
  client: QueryClient,
  outline: Outline,
  size: number,
  pick: Pick,
  hint: Hint,
): Promise<Collected> {
  const items: Item[] = []
  const { blocks } = outline
  let first: number | null = null
  let missing: Error | null = null
  const begin = pick === 'undone' && hint.from < blocks.length ? hint.from : 0
  for (let step = 0; step < blocks.length && items.length < size; step++) {
    const index = (begin + step) % blocks.length
    const ref = blocks[index]
    if (!ref) break
    const block = await readBlock(client, ref).catch((error: unknown) => {
      // What cannot be had now is left out; what is on the device is studied.
      if (!(error instanceof OfflineError || error instanceof ServerFaultError)) throw error
      missing = error
      return null
    })
    const found = block ? await picked(block, pick, hint.round) : []
    if (found.length > 0) first ??= index
    const place = { chapterNo: ref.no, libraryNo: outline.libraryNo, block: ref.at }
    for (const question of found) if (items.length < size) items.push(...itemsOf(question, place))
  }
  return { items, first: first ?? 0, missing }
}

/** The block as the outline knows it; an older copy when it cannot be fetched again. */
async function readBlock(client: QueryClient, ref: BlockRef): Promise<Block> {
  const options = blockQuery(ref.no, ref.at)
  const known = await client.ensureQueryData(options)
  if (known.rev === ref.rev) return known
  return client.fetchQuery({ ...options, staleTime: 0 }).catch(() => known)
}

async function picked(block: Block, pick: Pick, round: number): Promise<Question[]> {
  const nos = block.questions.flatMap((question) => partsOf(question).map((part) => part.no))
  const states = await offline.states(nos).catch(() => new Map<string, StudyState>())
  const wanted = (question: Question): boolean =>
    partsOf(question).some(({ no }) => {
      const state = states.get(no)
      return pick === 'wrong' ? state?.lastRight === false : !state || state.lastAt < round
    })
  return block.questions.filter(wanted)
}

async function loadHint(no: string): Promise<Hint> {
  const hint = v.safeParse(Hint, await offline.loadDraft(hintKey(no)).catch(() => null))
  return hint.success ? hint.output : START
}
const saveHint = (no: string, hint: Hint): Promise<void> =>
  offline.saveDraft({ key: hintKey(no), value: hint }).catch(() => {})

/** 再做一遍: from now on what was answered before counts as undone again; nothing is deleted. */
export const startRound = (no: string, now: number): Promise<void> => saveHint(no, { from: 0, round: now })
