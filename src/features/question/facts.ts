import type { QueryClient } from '@tanstack/react-query'
import type { BlockRef, Question } from '#src/contract/question.ts'
import { partsOf } from '#src/domain/study.ts'
import { placeOfBlock } from '#src/offline/onDevice.ts'
import { loadHint, statesOf } from './dealt.ts'
import { blocksHere } from './here.ts'
import { blockQuery } from './block.ts'
import { outlineQuery } from './queries.ts'
import { type Unit, unitOf } from './selection.ts'

export interface Known {
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
/** Told so often, and the browser draws and hears taps between. */
const SLICE_MS = 24

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
  let units: Unit[] = []
  let unknown = outline.blocks.reduce((sum, ref) => sum + (refs.includes(ref) ? 0 : ref.count), 0)
  let last = performance.now()
  for (const [i, ref] of refs.entries()) {
    if (signal.aborted) return
    const reading = readerOf(ref) ?? (() => fetched(ref))
    const found = await readUnits(reading, round, points).catch(() => null)
    if (found) units = units.concat(found)
    else unknown += ref.count
    if (i + 1 < refs.length && performance.now() - last < SLICE_MS) continue
    tell({ units, points, read: i + 1, blocks: refs.length, unknown })
    await new Promise((resolve) => setTimeout(resolve))
    last = performance.now()
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
