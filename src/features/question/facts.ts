import type { QueryClient } from '@tanstack/react-query'
import type { BlockRef, Question } from '#src/contract/question.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { placeOfBlock } from '#src/offline/downloads/onDevice.ts'
import { loadHint, statesOf } from './dealt.ts'
import { blocksHere } from './here.ts'
import { blockQuery } from './practice/block.ts'
import { outlineQuery } from './queries.ts'
import { type Unit, unitOf } from './selection.ts'

export interface Known {
  /** Those that were told before, and more behind them. */
  units: readonly Unit[]
  /** Names of the points that occur. */
  points: ReadonlyMap<string, string>
  /** Blocks read, of all that can be. */
  read: number
  blocks: number
  /** Questions that are not on this device, and too many to fetch for a count. */
  unknown: number
}

/** So much may be fetched only to be counted: 300 questions, some 100 KB. */
const FETCH_MAX = 12
/** Read side by side: each waits for the disk more than for the processor. */
const AT_ONCE = 4
/** Progress is reported no more often than this: each report draws a sheet of choices, which takes a slow phone longer than a block. */
const TELL_MS = 250

/**
 * Reads what a chapter's questions can be chosen by, block by block, telling how far it is. What is not on the device is fetched
 * while it is little.
 */
export async function readFacts(
  client: QueryClient,
  no: string,
  tell: (known: Known) => void,
  signal: AbortSignal,
): Promise<void> {
  const [outline, { round }, here] = await Promise.all([
    client.ensureQueryData(outlineQuery(no)),
    loadHint(no),
    blocksHere().catch(() => NOTHING_HERE),
  ])
  // From the disk past React Query: else a library of ten thousand questions would stay in memory, or be asked for anew.
  const readerOf = (ref: BlockRef): Reading | undefined => {
    const loaded = client.getQueryData(blockQuery(ref.no, ref.at).queryKey)
    return loaded ? async () => loaded.questions : here.get(placeOfBlock(ref.no, ref.at))?.read
  }
  const absent = new Set(outline.blocks.filter((ref) => !readerOf(ref)))
  const refs = absent.size > FETCH_MAX ? outline.blocks.filter((ref) => !absent.has(ref)) : outline.blocks
  const fetched = (ref: BlockRef) => client.fetchQuery(blockQuery(ref.no, ref.at)).then(({ questions }) => questions)
  const points = new Map<string, string>()
  const units: Unit[] = []
  const wanted = new Set(refs)
  let unknown = outline.blocks.reduce((sum, ref) => sum + (wanted.has(ref) ? 0 : ref.count), 0)
  const readOne = (ref: BlockRef) => readUnits(readerOf(ref) ?? (() => fetched(ref)), round, points).catch(() => null)
  let last = -Infinity
  for (let from = 0; from < refs.length; from += AT_ONCE) {
    if (signal.aborted) return
    const asked = refs.slice(from, from + AT_ONCE)
    const found = await Promise.all(asked.map(readOne))
    for (const [i, list] of found.entries())
      if (list) units.push(...list)
      else unknown += asked[i]?.count ?? 0
    const read = from + asked.length
    if (read < refs.length && performance.now() - last < TELL_MS) continue
    tell({ units: [...units], points, read, blocks: refs.length, unknown })
    last = performance.now()
    // The browser draws and hears taps between.
    await new Promise((resolve) => setTimeout(resolve))
  }
  if (refs.length === 0) tell({ units, points, read: 0, blocks: 0, unknown })
}

type Reading = () => Promise<Question[]>
const NOTHING_HERE: Awaited<ReturnType<typeof blocksHere>> = new Map()

async function readUnits(reading: Reading, round: number, points: Map<string, string>): Promise<Unit[]> {
  const questions = await reading()
  const states = await statesOf({ questions })
  for (const question of questions)
    for (const each of [question, ...partsOf(question)]) for (const { no, name } of each.points) points.set(no, name)
  return questions.map((question) => unitOf(question, states, round))
}
