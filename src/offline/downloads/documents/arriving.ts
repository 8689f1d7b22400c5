import { OfflineError } from '#src/api/errors.ts'
import { begunDocument, dropParts, keepPart } from './documentParts.ts'

export interface Progress {
  loaded: number
  /** 0: the server does not say. */
  total: number
  /** The line broke; it goes on by itself. */
  waiting?: boolean
}

/** So much is put on the disk at a time. */
const PIECE = 256 * 1024

/** A document on its way: what came of it, over however many answers, all of one version. */
export type Arriving = Awaited<ReturnType<typeof arrivingOf>>

/** Begins with what is on this device. */
export async function arrivingOf(address: string) {
  const begun = await begunDocument(address)
  let pieces: Uint8Array[] = begun?.pieces ?? []
  /** Null: what comes cannot be gone on from, as nobody could tell whether the rest is of the same file. */
  let etag = begun?.etag ?? null
  let total = begun?.total ?? 0
  let loaded = pieces.reduce((sum, { length }) => sum + length, 0)
  let fresh: Uint8Array[] = []
  let written = loaded
  /** A browser that is full, or keeps nothing, goes on without. */
  let isKept = true
  let isEnded = etag !== null && loaded === total
  const begin = async (): Promise<void> => {
    if (loaded > 0) await dropParts(address)
    pieces = []
    fresh = []
    loaded = written = 0
  }
  /** What is not on the disk yet. */
  const keep = async (): Promise<void> => {
    if (!isKept || etag === null || written === loaded) return
    const from = written
    const rest = join(fresh)
    fresh = []
    written = loaded
    isKept = await keepPart(address, { etag, total }, from, rest)
  }
  return {
    loaded: (): number => loaded,
    isWhole: (): boolean => isEnded,
    /** The server has said which version it gives: the rest of it can be waited for, be it all. */
    canGoOn: (): boolean => etag !== null,
    progress: (): Progress => ({ loaded, total }),
    bytes: (): Uint8Array<ArrayBuffer> => join(pieces),
    keep,
    /** Of a bucket only the range is asked for: another header would have to be allowed there. Its answer says which version it is. */
    asked(from: string): Record<string, string> {
      if (etag === null || loaded === 0) return {}
      return { range: `bytes=${loaded}-`, ...(from.startsWith('/') && { 'if-range': etag }) }
    },
    /** @returns false when it is of no use: then all is asked for anew. */
    async take(response: Response): Promise<boolean> {
      if (response.status === 200) {
        await begin()
        etag = strongEtag(response)
        total = Number(response.headers.get('content-length') ?? 0)
        if (total === 0) etag = null
        return true
      }
      const [, start, , whole] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? []
      if (
        response.status === 206 &&
        Number(start) === loaded &&
        Number(whole) === total &&
        strongEtag(response) === etag
      )
        return true
      await response.body?.cancel()
      await begin()
      return false
    },
    async add(piece: Uint8Array): Promise<void> {
      pieces.push(piece)
      if (etag !== null) fresh.push(piece)
      loaded += piece.length
      if (loaded - written >= PIECE) await keep()
    },
    /** The answer ended; some ends are a line that broke. */
    ended(): void {
      if (etag !== null && loaded < total) throw new OfflineError('cut off')
      isEnded = true
    },
  }
}

/** None of what was packed on the way: its length is not the file's. */
function strongEtag({ headers }: Response): string | null {
  const etag = headers.get('etag')
  return headers.has('content-encoding') || etag === null || etag.startsWith('W/') ? null : etag
}

function join(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
