import { PART_BYTES } from '#src/contract/course.ts'
import type { Part, WholePart } from './lessonRows.ts'
import type { LessonStore } from './lessonStore.ts'
import type { PieceRow } from './media.ts'
import { fetchRanged, type Ranged, WholeGivenError } from '../ranged.ts'
import { DamagedError } from '../downloadErrors.ts'

/** What came of a part is put down after so long, if it is worth a write: a page that is killed loses no more. */
const SAVE_MS = 2_000
const SAVE_BYTES = 16 * 1024

export interface PartOf {
  store: LessonStore
  lesson: string
  rev: string
  part: Part
  /** What came of the lesson's parts before, in its order. */
  pieces: readonly PieceRow[]
  src: string
  line: Pick<Ranged, 'fetch' | 'reach' | 'mayAsk' | 'check'>
  /** Told of all that comes. */
  onBytes: (count: number) => void
  /** What the download has cost so far. */
  spent: () => number
}

export const lengthOf = ({ file, n }: Part): number => Math.min(PART_BYTES, file.bytes - n * PART_BYTES)

/**
 * Fetches what is missing of one part. Whatever ends it, what came is on the device.
 * @returns all bytes of the part, which nobody has verified yet
 */
export async function fetchPart(of: PartOf, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const { store, lesson, rev, part } = of
  const half = openHalf(of)
  const from = part.n * PART_BYTES
  try {
    await fetchRanged(
      { ...of.line, src: of.src, from: from + half.at(), to: from + lengthOf(part), take: half.take },
      signal,
    )
    return half.bytes
  } catch (error) {
    // Whether this is put down or not, the error says more.
    const keeps = error instanceof WholeGivenError ? store.dropPieces(lesson, rev, part, of.spent()) : half.save()
    await keeps.catch(() => {})
    throw error
  }
}

/**
 * Verifies a part and puts it down.
 * @param put resolves when the part is on disk
 * @throws DamagedError when the part does not match its hash: it is thrown away
 */
export async function keepPart(
  { store, lesson, rev, part, spent }: PartOf,
  bytes: Uint8Array<ArrayBuffer>,
  put: (whole: WholePart) => Promise<void>,
): Promise<void> {
  if ((await hexOf(bytes)) === part.file.parts[part.n]) return put({ part, bytes })
  await store.dropPieces(lesson, rev, part, spent())
  throw new DamagedError()
}

/**
 * Puts parts down, all that have come while the last ones were being written in one transaction: each waits for the disk, which
 * takes as long for three of them as for one.
 */
export function createShelf(write: (parts: readonly WholePart[]) => Promise<void>) {
  let waiting: WholePart[] = []
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  const writeAll = (): Promise<void> => {
    const all = waiting
    waiting = []
    next = null
    return write(all)
  }
  return (whole: WholePart): Promise<void> => {
    waiting.push(whole)
    // Whoever put the last ones was told what became of them.
    if (!next) last = next = last.then(writeAll, writeAll)
    return next
  }
}

const hexOf = async (bytes: BufferSource): Promise<string> =>
  Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/** A part as it grows. Each byte is put down once as a piece at most, however often the line breaks. */
function openHalf({ store, lesson, rev, part, pieces, onBytes, spent }: PartOf) {
  const bytes = new Uint8Array(lengthOf(part))
  let at = 0
  for (const piece of pieces) {
    // Of another part, behind a gap, or beyond the end.
    if (piece.file !== part.file.name || piece.n !== part.n || piece.at !== at || piece.end > bytes.length) continue
    bytes.set(new Uint8Array(piece.data), at)
    at = piece.end
  }
  let saved = at
  let savedAt = performance.now()
  const save = async (): Promise<void> => {
    if (at === saved) return
    const from = saved
    saved = at
    savedAt = performance.now()
    await store.keepPiece(lesson, rev, part, { at: from, data: bytes.slice(from, at).buffer }, spent())
  }
  return {
    bytes,
    at: () => at,
    save,
    async take(chunk: Uint8Array): Promise<void> {
      bytes.set(chunk, at)
      at += chunk.length
      onBytes(chunk.length)
      const due = at - saved >= SAVE_BYTES && performance.now() - savedAt >= SAVE_MS
      if (due && at < bytes.length) await save()
    },
  }
}
