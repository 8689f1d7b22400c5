import { call } from '#src/api/client.ts'
import { OfflineError, ServerFaultError } from '#src/api/errors.ts'
import { course } from '#src/contract/course.ts'
import { LARGEST_DOCUMENT } from '#src/domain/app/documentUrl.ts'
import { type Arriving, arrivingOf, type Progress } from './arriving.ts'
import { dropParts, sweepBegun } from './documentParts.ts'
import { DOCUMENT_CACHE } from '#src/offline/device/names.ts'
import { pause } from '../network.ts'

const MOST_KEPT = 20
const MOST_KEPT_BYTES = 100 * 1024 * 1024
/** A PDF may have a few bytes of something else before it begins (PDF 32000-1, annex H). */
const HEAD = 1024
/** In a kept answer: epoch ms. */
const READ_AT = 'x-read-at'
const DAY_MS = 86_400_000
/** So long without a byte, a connection is dead. */
const DEAD_MS = 20_000
const FIRST_BACKOFF_MS = 1_000
const LAST_BACKOFF_MS = 30_000

/**
 * missing: the server has no such file; not-pdf: another thing came; elsewhere: it was sent on; too-large: `bytes` says how; fault: the server's.
 * stalled: nothing came any more. damaged, locked: it came, and cannot be read, or not without its password. heavy: it is more than a page can show.
 */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
  readonly why: 'missing' | 'not-pdf' | 'elsewhere' | 'too-large' | 'stalled' | 'fault' | 'damaged' | 'locked' | 'heavy'
  readonly bytes: number
  /** Where it can be saved from. */
  readonly from: string
  constructor(why: DocumentError['why'], { bytes = 0, from = '' } = {}) {
    super(why)
    this.why = why
    this.bytes = bytes
    this.from = from
  }
}

/** Waits until it may go on: at the latest after `ms`. */
type Pause = (ms: number, signal: AbortSignal) => Promise<void>

/**
 * The bytes of a document whose address may be opened (domain/app/documentUrl.ts): from this device where they are kept, else from
 * the network, whole. Its address never changes its content, so what is kept is never asked for again. What came before a line
 * broke is kept, too, and gone on from, also after the browser was closed.
 */
export async function readDocument(
  address: string,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
  wait: Pause = pause,
): Promise<Uint8Array<ArrayBuffer>> {
  const kept = await keptAnswer(address)
  if (kept) return new Uint8Array(await kept.arrayBuffer())
  await sweepBegun(Date.now())
  const arriving = await arrivingOf(address)
  const tell = (waiting?: boolean) => onProgress({ ...arriving.progress(), ...(waiting && { waiting }) })
  for (let failures = 0; !arriving.isWhole();) {
    const before = arriving.loaded()
    try {
      await readRest(address, arriving, signal, tell)
    } catch (error) {
      // The server has no such file any more. A captive portal answers with something else, and what came is still wanted.
      if (error instanceof DocumentError && error.why === 'missing') await dropParts(address)
      else await arriving.keep()
      if (signal.aborted || !isPassing(error) || !arriving.canGoOn()) throw error
      failures = arriving.loaded() > before ? 0 : failures + 1
      tell(true)
      await wait(Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures), signal)
      signal.throwIfAborted()
    }
  }
  const bytes = arriving.bytes()
  if (isPdf(bytes)) return bytes
  await dropParts(address)
  throw new DocumentError('not-pdf')
}

/** Another try may help: nobody answered, the line broke, or the server is in trouble. */
const isPassing = (error: unknown): boolean =>
  error instanceof OfflineError ||
  error instanceof ServerFaultError ||
  (error instanceof DocumentError && (error.why === 'stalled' || error.why === 'fault'))

/** One answer, as far as it comes. */
async function readRest(address: string, arriving: Arriving, signal: AbortSignal, tell: () => void): Promise<void> {
  const line = lineOf(signal)
  try {
    const { response, from } = await ask(address, line.signal, arriving.asked(address))
    if (response.status !== 200 && arriving.loaded() === 0) throw new DocumentError('fault')
    if (!(await arriving.take(response))) return
    if (arriving.progress().total > LARGEST_DOCUMENT)
      throw new DocumentError('too-large', { bytes: arriving.progress().total, from })
    await readBody(response, arriving, from, () => {
      line.alive()
      tell()
    })
  } catch (error) {
    throw line.isDead() ? new DocumentError('stalled') : error
  } finally {
    line.end()
  }
}

/** A connection that is given up when nothing comes: a phone that lost its signal in a tunnel would wait for minutes. */
function lineOf(outer: AbortSignal) {
  const own = new AbortController()
  const leave = () => own.abort()
  let dead = false
  const listen = () =>
    setTimeout(() => {
      dead = true
      own.abort()
    }, DEAD_MS)
  let timer = listen()
  if (outer.aborted) leave()
  outer.addEventListener('abort', leave)
  return {
    signal: own.signal,
    isDead: () => dead,
    alive: (): void => {
      clearTimeout(timer)
      timer = listen()
    },
    end: (): void => {
      clearTimeout(timer)
      outer.removeEventListener('abort', leave)
    },
  }
}

/** Of a handout that is sold the server gives the file by an address that ends, and that address to whose course it is. */
async function ask(
  address: string,
  signal: AbortSignal,
  headers: Record<string, string>,
): Promise<{ response: Response; from: string }> {
  const response = await get(address, signal, headers)
  if (response.status !== 403 || !address.startsWith('/')) return { response: checked(response), from: address }
  const { src } = await call(course.handout, { src: address }, { signal })
  return { response: checked(await get(src, signal, headers)), from: src }
}

/** Who is sent on to another place is not followed: the address was allowed, the other was not. */
const get = (address: string, signal: AbortSignal, headers: Record<string, string>): Promise<Response> =>
  // A part of an answer in the browser's own cache would be another place to go on from.
  fetch(address, { redirect: 'manual', credentials: 'omit', signal, headers, cache: 'no-store' }).catch(
    (error: unknown) => {
      throw signal.aborted ? error : new OfflineError('nobody answered')
    },
  )

function checked(response: Response): Response {
  if (response.type === 'opaqueredirect') throw new DocumentError('elsewhere')
  if (response.status === 404 || response.status === 403) throw new DocumentError('missing')
  if (response.status === 416) return response
  if (response.status !== 200 && response.status !== 206) throw new DocumentError('fault')
  if (!/^application\/pdf\b/i.test(response.headers.get('content-type') ?? '')) throw new DocumentError('not-pdf')
  return response
}

async function readBody(response: Response, arriving: Arriving, from: string, tell: () => void): Promise<void> {
  tell()
  const reader = response.body?.getReader()
  if (!reader) return arriving.ended()
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw error instanceof DOMException && error.name === 'AbortError' ? error : new OfflineError('cut off')
    })
    if (done) break
    await arriving.add(value)
    // The server may have said less than it sends.
    if (arriving.loaded() > LARGEST_DOCUMENT) {
      await reader.cancel()
      throw new DocumentError('too-large', { bytes: arriving.loaded(), from })
    }
    tell()
  }
  arriving.ended()
}

const isPdf = (bytes: Uint8Array): boolean =>
  new TextDecoder('latin1').decode(bytes.subarray(0, HEAD)).includes('%PDF-')

const store = (): Promise<Cache> => caches.open(DOCUMENT_CACHE)
/** A browser that refuses its caches, as in a private window, has nothing kept. */
const keptAnswer = async (address: string): Promise<Response | undefined> =>
  typeof caches === 'undefined'
    ? undefined
    : store()
        .then((cache) => cache.match(address))
        .catch(() => undefined)

/**
 * Keeps a document that could be opened, for a start without a network; gives up what was read longest ago.
 * @returns whether it is kept.
 */
export async function keepDocument(address: string, bytes: Uint8Array<ArrayBuffer>, now: number): Promise<boolean> {
  if (typeof caches === 'undefined') return false
  try {
    const known = await keptAnswer(address)
    // Written again only to stand behind what was read before: once a day is enough.
    if (!known || now - readAt(known) > DAY_MS) {
      const headers = {
        'content-type': 'application/pdf',
        'content-length': String(bytes.length),
        [READ_AT]: String(now),
      }
      await (await store()).put(address, new Response(bytes, { headers }))
      await giveUpOldest()
    }
    await dropParts(address)
    return true
  } catch {
    // The device is full: it can be read now, and later from the network.
    return false
  }
}

const readAt = (answer: Response): number => Number(answer.headers.get(READ_AT) ?? 0)

async function giveUpOldest(): Promise<void> {
  const cache = await store()
  const all = await Promise.all(
    (await cache.keys()).map(async (request) => {
      const answer = await cache.match(request)
      return { request, at: answer ? readAt(answer) : 0, size: Number(answer?.headers.get('content-length') ?? 0) }
    }),
  )
  let bytes = 0
  for (const [i, { request, size }] of all.sort((a, b) => b.at - a.at).entries()) {
    bytes += size
    // The newest stays in any case.
    if (i > 0 && (i >= MOST_KEPT || bytes > MOST_KEPT_BYTES)) await cache.delete(request)
  }
}
