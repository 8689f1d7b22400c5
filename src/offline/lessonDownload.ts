import { OfflineError, ServerFaultError } from '#src/api/errors.ts'
import { type LessonMedia, type MediaFile, PART_BYTES, type Rendition } from '#src/contract/course.ts'
import type { LessonStore, Part } from './lessonStore.ts'
import { bytesOf, type LessonRow, type LessonVersion } from './media.ts'
import { DamagedError, GoneError, UnplayableError } from './trouble.ts'

export interface LessonParts {
  store: LessonStore
  /** Where its files are, for a while; as the server has just said. */
  media: (lesson: string, signal: AbortSignal) => Promise<LessonMedia>
  /** What of it this device plays; undefined: nothing. */
  rendition: (media: LessonMedia) => Rendition | undefined
  fetch: (src: string, init: RequestInit) => Promise<Response>
  /** Throws when the network at hand may not be used. */
  mayFetch: (row: LessonRow) => void
  /** 0 ≤ part ≤ 1, of all bytes. */
  onProgress: (part: number) => void
  now: () => number
}

/** The address of the files has ended, or the lesson was replaced. */
class AddressEndedError extends Error {
  override readonly name = 'AddressEndedError'
}
const AT_ONCE = 3
/** Nothing for so long: the connection is dead, whatever it says. */
const STALL_MS = 20_000
/** Asked for anew before it ends on the way. */
const LAST_MS = 10_000
/** An address that brings nothing, so often in a row, is no address. */
const ADDRESSES = 3
/** Screens are told of each half percent. */
const STEPS = 200

/**
 * One attempt at a lesson that is wanted: asks where it is, fetches the parts that are missing, verifies each, swaps it in.
 * Whatever ends it, what was verified is on the device, and the next attempt goes on from there.
 */
export async function downloadLesson(lesson: string, parts: LessonParts, signal: AbortSignal): Promise<void> {
  let futile = 0
  // Of an address: a device whose clock is ahead would ask for ever.
  let fresh = false
  for (;;) {
    const row = await parts.store.get(lesson)
    // Another tab has finished it.
    if (row?.ready && !row.wanted) return
    if (!row?.wanted) throw new GoneError()
    parts.mayFetch(row)
    if (!row.next || (!fresh && row.next.media.until < parts.now() + LAST_MS)) {
      await parts.store.begin(lesson, await newest(lesson, parts, signal))
      fresh = true
      continue
    }
    const before = (await parts.store.missing(lesson)).length
    try {
      await fetchMissing(row, row.next, parts, signal)
      if (await parts.store.swap(lesson)) return
      throw new DamagedError()
    } catch (error) {
      if (!(error instanceof AddressEndedError)) throw error
      futile = (await parts.store.missing(lesson)).length < before ? 0 : futile + 1
      if (futile >= ADDRESSES) throw new Error('the server gives addresses that do not work', { cause: error })
      await parts.store.begin(lesson, await newest(lesson, parts, signal))
      fresh = true
    }
  }
}

async function newest(lesson: string, parts: LessonParts, signal: AbortSignal): Promise<LessonVersion> {
  const media = await parts.media(lesson, signal)
  const rendition = parts.rendition(media)
  if (!rendition) throw new UnplayableError()
  return { media, rendition }
}

/** The parts that are not on the device, a few at once; all have ended when this does. */
async function fetchMissing(
  row: LessonRow,
  version: LessonVersion,
  parts: LessonParts,
  signal: AbortSignal,
): Promise<void> {
  const missing = await parts.store.missing(row.lesson)
  const progress = createProgress(version, missing, parts.onProgress)
  const failures: unknown[] = []
  const work = async (): Promise<void> => {
    for (let part = missing.shift(); part; part = missing.shift()) {
      signal.throwIfAborted()
      parts.mayFetch(row)
      const bytes = await fetchPart(part, version.media.base, parts.fetch, progress.came, signal)
      await parts.store.keep(row.lesson, version.media.rev, part, bytes)
    }
  }
  const lane = () =>
    work().catch((error: unknown) => {
      failures.push(error)
      // What the others have on its way is nearly here: they end with it, and begin no more.
      missing.length = 0
    })
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  signal.throwIfAborted()
  if (failures.length > 0) throw failures[0]
}

const lengthOf = ({ file, n }: Part): number => Math.min(PART_BYTES, file.bytes - n * PART_BYTES)

/** What is on its way counts, so that a slow line is seen to move; verified or not is the store's matter. */
function createProgress(version: LessonVersion, missing: readonly Part[], tell: (part: number) => void) {
  const all = bytesOf(version)
  let done = all - missing.reduce((sum, part) => sum + lengthOf(part), 0)
  let told = -1
  const came = (bytes: number): void => {
    done += bytes
    const step = all > 0 ? Math.floor((done / all) * STEPS) : STEPS
    if (step !== told) tell(Math.min(1, step / STEPS))
    told = step
  }
  came(0)
  return { came }
}

const hexOf = async (bytes: ArrayBuffer): Promise<string> =>
  Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/** One verified part. */
async function fetchPart(
  part: Part,
  base: string,
  fetch: LessonParts['fetch'],
  onBytes: (count: number) => void,
  signal: AbortSignal,
): Promise<ArrayBuffer> {
  const from = part.n * PART_BYTES
  const range = `bytes=${from}-${from + lengthOf(part) - 1}`
  const line = createLine(signal)
  try {
    const response = await fetch(addressOf(base, part.file), {
      headers: { range },
      signal: line.signal,
      // The browser would keep it a second time.
      cache: 'no-store',
    })
    check(response, part.file)
    const bytes = await bodyOf(response, lengthOf(part), (count) => {
      line.moves()
      onBytes(count)
    })
    if ((await hexOf(bytes)) !== part.file.parts[part.n]) throw new DamagedError()
    return bytes
  } catch (error) {
    signal.throwIfAborted()
    // As fetch and streams say that the line broke, or that we gave it up.
    if (error instanceof TypeError || error instanceof DOMException)
      throw new OfflineError('网络不可用', { cause: error })
    throw error
  } finally {
    line.end()
  }
}

const addressOf = (base: string, { name }: MediaFile): string =>
  base + name.split('/').map(encodeURIComponent).join('/')

const ENDED = [401, 403, 404, 410]

function check({ status, ok, headers }: Response, { parts }: MediaFile): void {
  if (ENDED.includes(status)) throw new AddressEndedError()
  if (status === 206 || (status === 200 && parts.length === 1)) return
  // 200 for a part: a portal, or something between that knows no ranges and would send all of it a hundred times.
  if (ok || status === 416) throw new DamagedError()
  throw new ServerFaultError(status, Number(headers.get('retry-after')) * 1000 || null)
}

async function bodyOf(response: Response, length: number, onBytes: (count: number) => void): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let at = 0
  const reader = response.body?.getReader()
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    if (at + chunk.value.length > length) {
      await reader?.cancel()
      throw new DamagedError()
    }
    bytes.set(chunk.value, at)
    at += chunk.value.length
    onBytes(chunk.value.length)
  }
  if (at < length) throw new DamagedError()
  return bytes.buffer
}

/** A connection that is given up when nothing comes any more. */
function createLine(signal: AbortSignal) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  let timer = setTimeout(abort, STALL_MS)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    moves: (): void => {
      clearTimeout(timer)
      timer = setTimeout(abort, STALL_MS)
    },
    end: (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}
