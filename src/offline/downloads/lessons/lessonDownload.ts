import { ServerFaultError } from '#src/api/errors.ts'
import type { LessonMedia, MediaFile, Rendition } from '#src/contract/course.ts'
import type { Wish } from '#src/domain/course/quality.ts'
import { createShelf, fetchPart, keepPart, lengthOf } from './lessonPart.ts'
import { keepPictures } from './lessonQuestions.ts'
import type { Begun } from './lessonRows.ts'
import type { LessonStore } from './lessonStore.ts'
import { bytesOf, type LessonRow, type LessonVersion } from './media.ts'
import type { Reach } from '../ranged.ts'
import { CostlyError, DamagedError, GoneError, UnplayableError } from '../downloadErrors.ts'

export interface LessonParts {
  store: LessonStore
  /** Where its files are, for a while; as the server has just said. */
  media: (lesson: string, signal: AbortSignal) => Promise<LessonMedia>
  /** What of it this device plays, in the quality that is wished for; undefined: nothing. */
  rendition: (media: LessonMedia, wish?: Wish) => Rendition | undefined
  fetch: (src: string, init: RequestInit) => Promise<Response>
  /** Brings what plays it to the device. */
  bringPlayer: (rendition: Rendition) => Promise<void>
  /** Throws when the network at hand may not be used. */
  mayFetch: (row: LessonRow) => void
  /** 0 ≤ part ≤ 1, of all bytes. */
  onProgress: (part: number) => void
  /** What is known of the line, beyond this attempt. */
  reach: Reach
  now: () => number
}

/** The address of the files has ended, or the lesson was replaced. */
class AddressEndedError extends Error {
  override readonly name = 'AddressEndedError'
}
const AT_ONCE = 3
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
      await parts.store.begin(lesson, await newest(row, parts, signal))
      fresh = true
      continue
    }
    const before = (await parts.store.missing(lesson)).length
    try {
      await fetchMissing(row, row.next, parts, signal)
      await keepPictures(row.next.media, parts, signal)
      await parts.bringPlayer(row.next.rendition)
      if (await parts.store.swap(lesson)) return
      throw new DamagedError()
    } catch (error) {
      if (!(error instanceof AddressEndedError)) throw error
      futile = (await parts.store.missing(lesson)).length < before ? 0 : futile + 1
      if (futile >= ADDRESSES) throw new Error('the server gives addresses that do not work', { cause: error })
      await parts.store.begin(lesson, await newest(row, parts, signal))
      fresh = true
    }
  }
}

async function newest({ lesson, wish }: LessonRow, parts: LessonParts, signal: AbortSignal): Promise<LessonVersion> {
  const media = await parts.media(lesson, signal)
  const rendition = parts.rendition(media, wish)
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
  const { store } = parts
  const { base, rev } = version.media
  const begun = await store.begun(row.lesson)
  const { missing, pieces } = begun
  const meter = createMeter(row, version, begun, parts)
  const line = { fetch: parts.fetch, reach: parts.reach, mayAsk: meter.mayAsk }
  const put = createShelf((whole) => store.keep(row.lesson, rev, whole, meter.spent()))
  const failures: unknown[] = []
  // The other lanes end with what they have on its way, which is nearly here, and begin no more.
  const stop = (): void => void (missing.length = 0)
  const work = async (): Promise<void> => {
    // The line brings the next part while one is written down.
    let kept: Promise<void> = Promise.resolve()
    try {
      for (let part = missing.shift(); part; part = missing.shift()) {
        const { file } = part
        const answers = { ...line, check: (response: Response) => check(response, file) }
        const of = { store, lesson: row.lesson, rev, part, pieces, src: addressOf(base, file), line: answers, ...meter }
        const bytes = await fetchPart(of, signal)
        await kept
        kept = keepPart(of, bytes, put)
        kept.catch(stop)
      }
    } finally {
      await kept
    }
  }
  const lane = () =>
    work().catch((error: unknown) => {
      failures.push(error)
      stop()
    })
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  signal.throwIfAborted()
  if (failures.length > 0) throw failures[0]
}

/** A line that breaks may cost so many times what the lesson weighs before the student is asked. */
const USUAL_TIMES = 2
/** What is small may come a few times more: nobody is asked about a megabyte. */
const SMALL_BYTES = 2 * 1024 ** 2

/** Counts what comes: how far the lesson is, and what it has cost. What is on its way counts, so that a slow line is seen to move. */
function createMeter(row: LessonRow, version: LessonVersion, begun: Begun, parts: LessonParts) {
  const all = bytesOf(version)
  let { spent } = begun
  const half = begun.pieces.reduce((sum, { at, end }) => sum + end - at, 0)
  let done = all + half - begun.missing.reduce((sum, part) => sum + lengthOf(part), 0)
  let told = -1
  const onBytes = (bytes: number): void => {
    done += bytes
    spent += bytes
    const step = all > 0 ? Math.floor((done / all) * STEPS) : STEPS
    if (step !== told) parts.onProgress(Math.min(1, step / STEPS))
    told = step
  }
  onBytes(0)
  const most = Math.max(all * USUAL_TIMES, all + SMALL_BYTES, row.agreed ?? 0)
  return {
    onBytes,
    spent: (): number => spent,
    mayAsk: (): void => {
      parts.mayFetch(row)
      if (spent > most) throw new CostlyError(spent)
    },
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
