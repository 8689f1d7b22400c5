import type { Library } from '#src/contract/question.ts'
import {
  type BlockOnDevice,
  chaptersOnDevice,
  type Held,
  heldOnDevice,
  questionsOnDevice,
  type Reader,
} from '#src/offline/downloads/onDevice.ts'
import { packs } from '#src/offline/downloads/packs/packs.ts'
import { session } from '#src/session/session.ts'

/** Who studies what now. */
export function readerNow(): Reader {
  const { area, sg_key: exam } = session.scope()
  return { owner: session.owner(), area, exam }
}

/** Blocks of questions that this device holds for them, by place. */
export const blocksHere = (): Promise<Map<string, BlockOnDevice>> => questionsOnDevice(readerNow())

/** The cards of a page ask side by side, again after each download: one read serves those that ask of the same packs. */
let shared: { packs: unknown; held: Promise<Held> } | null = null
function heldNow(): Promise<Held> {
  const { rows } = packs.get()
  if (shared?.packs === rows) return shared.held
  const mine = { packs: rows, held: heldOnDevice(readerNow()).finally(() => shared === mine && (shared = null)) }
  shared = mine
  return mine.held
}

/** Leaf chapters of a library that can be studied whole without a network. */
export const chaptersHere = async ({ no, chapters }: Library): Promise<Set<string>> =>
  chaptersOnDevice(await heldNow(), new Set([no, ...chapters.map((chapter) => chapter.no)]))
