import { DEVICE_KEYS } from '#src/device/keys.ts'
import type { QueryClient } from '@tanstack/react-query'
import { OfflineError, RefusedError, ServerFaultError } from '#src/api/errors.ts'
import type { Block, BlockRef, Outline, Question } from '#src/contract/question.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { readDraft } from '#src/offline/drafts/kind.ts'
import { chapterBatch, type RoundHint, roundHint } from '#src/offline/drafts/practice.ts'
import { offline } from '#src/offline/index.ts'
import { isBegun, isFinished, type Item, itemsOf, type PlayerState, resumed, start } from '#src/player/playerState.ts'
import { restore } from '#src/player/snapshot.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { isDone, isMissed, loadHint, type Pick, type Selection, statesOf } from '../dealt.ts'
import { blockQuery } from './block.ts'
import { libraryListQuery, outlineQuery } from '../queries.ts'
import { allDone, noneWrong, readingOrder } from '../readingOrder.ts'

/** Read only by those who have chosen something: the others start without it, and so does a first visit that lost its network. */
const loadStartBatch = () => import('../startBatch.ts').catch(() => null)
const isChosen = (): boolean =>
  Boolean(deviceMemory.get(DEVICE_KEYS.batchSetup) || deviceMemory.get(DEVICE_KEYS.shuffle))

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
    block === undefined
      ? blockWith(client, no, isIt).catch((error: unknown) => keptAlone(questionNo, error))
      : client.ensureQueryData(blockQuery(no, block)),
    client.ensureQueryData(libraryListQuery()),
  ])
  const found = known?.questions.find(isIt)
  if (!known || !found) throw new RefusedError('这道题已经更新或下架，请返回后重试')
  const listed = libraries.find(({ chapters }) => chapters.some((chapter) => chapter.no === no))?.no
  // A question of a set alone, or of another direction, is in no library of the list.
  const libraryNo = listed ?? (await offline.states([questionNo])).get(questionNo)?.libraryNo ?? ''
  const state = start(itemsOf(found, { chapterNo: no, libraryNo, block: known.at }))
  return (isChosen() ? await loadStartBatch() : null)?.liked(state) ?? state
}

/** Of a student's own lists: kept by itself, its chapter need not be on this device. */
async function keptAlone(questionNo: string, error: unknown): Promise<{ at: number; questions: Question[] }> {
  const { questionsOf } = await import('../lists/listStudy.ts')
  const kept = (await questionsOf([questionNo])).get(questionNo)
  if (!kept) throw error
  return { at: 0, questions: [kept.question] }
}

/** As the server has it now, when it can be asked. */
async function blockWith(client: QueryClient, no: string, isIt: (each: Question) => boolean): Promise<Block | null> {
  const outline = outlineQuery(no)
  // Cold, a query is answered by its copy on the disk: only one that has an answer is asked anew.
  const kept = await client.ensureQueryData(outline)
  const { blocks } = await client.fetchQuery({ ...outline, staleTime: 0 }).catch(() => kept)
  for (const ref of blocks) {
    const { block } = await readBlock(client, ref)
    if (block.questions.some(isIt)) return block
  }
  return null
}

/** What to study now: the batch that was left, else a new one. Null: nothing of that kind is left in the chapter. */
export async function openBatch(client: QueryClient, no: string, size: number): Promise<PlayerState | null> {
  const hint = loadHint(no)
  const left = await leftBatch(client, no)
  const deal = () => newBatch(client, no, size, 'undone', hint)
  if (!left) return deal()
  const later = left.deal || isChosen() || (await isAnsweredElsewhere(left)) ? await loadStartBatch() : null
  return later ? later.goOn(left, no, deal) : left
}

/** Questions of a batch that nobody has begun; startBatch.ts says what that means for it. */
async function isAnsweredElsewhere(left: PlayerState): Promise<boolean> {
  if (!left.dealt || isBegun(left)) return false
  const states = await statesOf({ questions: left.items.map(({ part }) => part) })
  return [...states.values()].some(isDone)
}

async function leftBatch(client: QueryClient, no: string): Promise<PlayerState | null> {
  const saved = await readDraft(offline, chapterBatch, chapterBatch.key(no))
  if (!saved) return null
  const places = new Map(saved.items.map((item) => [`${item.chapterNo}:${item.block}`, item]))
  const blocks = await Promise.all(
    [...places.values()].map((item) => client.ensureQueryData(blockQuery(item.chapterNo, item.block))),
  )
  const state = restore(
    saved,
    blocks.flatMap((block) => block.questions),
  )
  // What was handed in is shown until the student has seen it.
  return state.items.length > 0 && (!isFinished(state) || state.mode === 'review') ? resumed(state) : null
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
  const later = isChosen() ? await loadStartBatch() : null
  const selection = later?.chosen(no, size, pick, hint.round) ?? ordinary(size, pick, hint.round)
  // The first block usually belongs to the chapter itself: asking for both saves a round trip.
  if (hint.from === 0) void client.prefetchQuery(blockQuery(no, 0))
  const known = await collect(client, await client.ensureQueryData(outlineQuery(no)), selection, hint)
  const anew = known.moved && (await client.fetchQuery({ ...outlineQuery(no), staleTime: 0 }).catch(() => null))
  const { items, first, missing } = anew ? await collect(client, anew, selection, hint) : known
  if (selection.hints && first !== hint.from) void saveHint(no, { ...hint, from: first })
  if (items.length === 0 && missing) throw missing
  // Kept copies never expire: what changed since serves the next batch. Later, for a copy just restored passes for new.
  setTimeout(() => void client.prefetchQuery(outlineQuery(no)))
  if (items.length === 0) return null
  const state = later ? later.begin(items, no) : start(items)
  return pick === 'undone' ? { ...state, dealt: true } : state
}

/** Returns undone questions of a chapter or a library without opening a batch of it. @param isTaken leaves some out */
export async function undoneOf(
  client: QueryClient,
  no: string,
  size: number,
  isTaken: (questionNo: string) => boolean,
): Promise<Collected> {
  const hint = await loadHint(no)
  const { wants, ...rest } = ordinary(size, 'undone', hint.round)
  const selection: Selection = {
    ...rest,
    wants: (part, home, state) => !isTaken(part.no) && wants(part, home, state),
  }
  return collect(client, await client.ensureQueryData(outlineQuery(no)), selection, hint)
}

const ordinary = (size: number, pick: Pick, round: number): Selection => ({
  wants: (_, __, state) => (pick === 'wrong' ? isMissed(state) : !isDone(state) || state.lastAt < round),
  size,
  mix: null,
  hints: pick === 'undone',
  isOver: pick === 'wrong' ? noneWrong : round === 0 ? allDone : undefined,
})

/** Mixed, questions come from several blocks, not one after another from one chapter. */
const MIXED = 4
const SIDE_BY_SIDE = 4

export interface Collected {
  items: Item[]
  /** Index of the first block that still has some. */
  first: number
  missing: Error | null
  /** The library has become another one meanwhile: two versions of it are never dealt in one batch. */
  moved: boolean
}

/** What a selection finds in these blocks. */
export async function collect(
  client: QueryClient,
  outline: Outline,
  selection: Selection,
  hint: RoundHint,
): Promise<Collected> {
  const { wants, size, mix } = selection
  const found: { question: Question; index: number }[] = []
  const { blocks } = outline
  let missing: Error | null = null
  let moved = false
  let left = mix ? size * MIXED : size
  const read = async (index: number) => {
    const ref = blocks[index]
    const known = ref && (await readBlock(client, ref).catch(leftOut))
    return { index, moved: known?.moved === true, questions: known ? await picked(known.block, wants) : [] }
  }
  // What cannot be had now is left out; what is on the device is studied.
  const leftOut = (error: unknown) => {
    if (!(error instanceof OfflineError || error instanceof ServerFaultError)) throw error
    missing = error
  }
  const order = await readingOrder(outline, selection, hint)
  const rest = mix?.(order) ?? order
  // The first block often is enough; where it is not, a few are asked for side by side.
  for (let at = 0, some = 1; at < rest.length && left > 0; at += some, some = SIDE_BY_SIDE)
    for (const block of await Promise.all(rest.slice(at, at + some).map(read))) {
      moved ||= block.moved
      for (const question of left > 0 ? block.questions : []) {
        found.push({ question, index: block.index })
        left -= partsOf(question).length
      }
    }
  const items: Item[] = []
  for (const { question, index } of mix?.(found) ?? found) {
    const ref = blocks[index]
    if (ref && items.length < size)
      items.push(...itemsOf(question, { chapterNo: ref.no, libraryNo: outline.libraryNo, block: ref.at }))
  }
  return { items, first: found[0]?.index ?? 0, missing, moved }
}

/** The block as the outline knows it; an older copy when it cannot be fetched again. `moved`: there is a newer one than it knows. */
async function readBlock(client: QueryClient, ref: BlockRef): Promise<{ block: Block; moved: boolean }> {
  const options = blockQuery(ref.no, ref.at)
  const known = await client.ensureQueryData(options)
  if (known.rev === ref.rev) return { block: known, moved: false }
  const fresh = await client.fetchQuery({ ...options, staleTime: 0 }).catch(() => null)
  return { block: fresh ?? known, moved: fresh !== null && fresh.rev !== ref.rev }
}

async function picked(block: Block, wants: Selection['wants']): Promise<Question[]> {
  const states = await statesOf(block)
  return block.questions.filter((question) =>
    partsOf(question).some((part) => wants(part, question, states.get(part.no))),
  )
}

const saveHint = (no: string, hint: RoundHint): Promise<void> =>
  offline.saveDraft({ key: roundHint.key(no), value: hint }).catch(() => {})

/** 再做一遍: from now on what was answered before counts as undone again; nothing is deleted. */
export const startRound = (no: string, now: number): Promise<void> => saveHint(no, { from: 0, round: now })
