import { hashKey, type QueryClient } from '@tanstack/react-query'
import type { BlockRef } from '#src/contract/question.ts'
import { partsOf } from '#src/domain/study.ts'
import { keptHashes } from '#src/offline/kept.ts'
import { session } from '#src/session/session.ts'
import { loadHint, statesOf } from './dealt.ts'
import { blockQuery, outlineQuery } from './queries.ts'
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
  const outline = await client.ensureQueryData(outlineQuery(no))
  const { round } = await loadHint(no)
  const kept = await keptHashes(session.owner())
  const isHere = (ref: BlockRef) => kept.has(hashKey(blockQuery(ref.no, ref.at).queryKey)) || isLoaded(client, ref)
  const absent = new Set(outline.blocks.filter((ref) => !isHere(ref)))
  const refs = absent.size > FETCH_MAX ? outline.blocks.filter((ref) => !absent.has(ref)) : outline.blocks
  const points = new Map<string, string>()
  let units: Unit[] = []
  let unknown = outline.blocks.reduce((sum, ref) => sum + (refs.includes(ref) ? 0 : ref.count), 0)
  let last = performance.now()
  for (const [i, ref] of refs.entries()) {
    if (signal.aborted) return
    const found = await readUnits(client, ref, round, points).catch(() => null)
    if (found) units = units.concat(found)
    else unknown += ref.count
    if (i + 1 < refs.length && performance.now() - last < SLICE_MS) continue
    tell({ units, points, read: i + 1, blocks: refs.length, unknown })
    await new Promise((resolve) => setTimeout(resolve))
    last = performance.now()
  }
  if (refs.length === 0) tell({ units, points, read: 0, blocks: 0, unknown })
}

const isLoaded = (client: QueryClient, ref: BlockRef): boolean =>
  client.getQueryData(blockQuery(ref.no, ref.at).queryKey) !== undefined

async function readUnits(
  client: QueryClient,
  ref: BlockRef,
  round: number,
  points: Map<string, string>,
): Promise<Unit[]> {
  const query = blockQuery(ref.no, ref.at)
  const loaded = isLoaded(client, ref)
  const block = await client.ensureQueryData(query)
  const states = await statesOf(block)
  // Else a library of ten thousand questions would stay in memory.
  if (!loaded) client.removeQueries({ queryKey: query.queryKey, exact: true })
  for (const question of block.questions)
    for (const each of [question, ...partsOf(question)]) for (const { no, name } of each.points) points.set(no, name)
  return block.questions.map((question) => unitOf(question, states, round))
}
