import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { OfflineError } from '#src/api/errors.ts'
import { LARGEST_DOCUMENT } from '#src/domain/app/documentUrl.ts'
import { placeIn, rememberPlace } from '#src/offline/downloads/documents/documentPlaces.ts'
import { DocumentError, keepDocument, readDocument } from '#src/offline/downloads/documents/documents.ts'
import { DOCUMENT_CACHE, PART_CACHE } from '#src/offline/device/names.ts'
import { keepParts, keepUsedParts } from '#src/offline/device/keepLazyAssets.ts'
import { purgeCaches } from '#src/offline/device/storage.ts'
import { unanswered } from '#tests/support/aborted.ts'
import { memoryCaches } from '#tests/support/cacheStorage.ts'
import { eventually } from '#tests/support/eventually.ts'
import { makePdf } from '#tests/support/pdf.ts'

const ORIGIN = 'https://lijian.test'
const ADDRESS = `/media/${'a'.repeat(32)}.pdf`
const PDF = makePdf({ pages: ['Hello'] })
const NOW = Date.UTC(2026, 10, 21)
const DAY_MS = 86_400_000

let network: (address: string, init: RequestInit) => Promise<Response>
let asked: string[]
beforeEach(() => {
  asked = []
  vi.stubGlobal('caches', memoryCaches())
  vi.stubGlobal('location', new URL(ORIGIN))
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    asked.push(address)
    return network(address, init)
  })
})
afterEach(() => vi.unstubAllGlobals())

interface Answer {
  status?: number
  length?: number
}
const answer = (body: BodyInit | null, type = 'application/pdf', { status = 200, length }: Answer = {}) =>
  new Response(body, {
    status,
    headers: { 'content-type': type, ...(length !== undefined && { 'content-length': String(length) }) },
  })
const read = (onProgress = () => {}) => readDocument(ADDRESS, new AbortController().signal, onProgress)
const why = async () => {
  const error: unknown = await read().catch((error: unknown) => error)
  return error instanceof DocumentError ? error.why : error
}
const kept = async () => (await (await caches.open(DOCUMENT_CACHE)).keys()).map(({ url }) => new URL(url).pathname)

describe('a document', () => {
  test('comes whole, says how far it is, sends no credentials and follows nobody', async () => {
    let init: RequestInit = {}
    network = async (_, given) => {
      init = given
      return answer(PDF, 'application/pdf', { length: PDF.length })
    }
    const progress: unknown[] = []
    const bytes = await readDocument(ADDRESS, new AbortController().signal, (each) => progress.push(each))
    expect(bytes).toEqual(PDF)
    expect(init).toMatchObject({ redirect: 'manual', credentials: 'omit' })
    expect(progress).toEqual([
      { loaded: 0, total: PDF.length },
      { loaded: PDF.length, total: PDF.length },
    ])
  })

  test('that stops coming is given up after 20 s without a byte, and not before', async () => {
    vi.useFakeTimers()
    try {
      let body: ReadableStreamDefaultController | undefined
      network = async (_, { signal }) => {
        const start = (stream: ReadableStreamDefaultController) => {
          body = stream
          signal?.addEventListener('abort', () => stream.error(new DOMException('', 'AbortError')))
        }
        return answer(new ReadableStream({ start }), 'application/pdf', { length: PDF.length })
      }
      let ended = false
      const end = why().finally(() => (ended = true))
      await vi.advanceTimersByTimeAsync(15_000)
      body?.enqueue(PDF.subarray(0, 10))
      await vi.advanceTimersByTimeAsync(15_000)
      expect(ended).toBe(false)
      await vi.advanceTimersByTimeAsync(6_000)
      expect(await end).toBe('stalled')
    } finally {
      vi.useRealTimers()
    }
  })
  test('that nobody sends is given up, too', async () => {
    vi.useFakeTimers()
    try {
      network = (_, { signal }) => unanswered(signal)
      const end = why()
      await vi.advanceTimersByTimeAsync(21_000)
      expect(await end).toBe('stalled')
    } finally {
      vi.useRealTimers()
    }
  })
  test('comes from the network where the browser refuses its caches', async () => {
    vi.stubGlobal('caches', { open: () => Promise.reject(new DOMException('', 'SecurityError')) })
    network = async () => answer(PDF)
    expect(await read()).toEqual(PDF)
    expect(await keepDocument(ADDRESS, PDF, NOW)).toBe(false)
  })

  test('once kept is never asked for again', async () => {
    network = async () => answer(PDF)
    await keepDocument(ADDRESS, await read(), NOW)
    network = () => Promise.reject(new TypeError('offline'))
    expect(await read()).toEqual(PDF)
    expect(asked).toHaveLength(1)
  })

  test.each<[string, () => Response, unknown]>([
    ['a portal’s page', () => answer('<form>', 'text/html'), 'not-pdf'],
    ['a page that calls itself a PDF', () => answer('<html><script>'), 'not-pdf'],
    ['a PDF that calls itself a page', () => answer(PDF, 'text/html'), 'not-pdf'],
    ['a type that only begins alike', () => answer(PDF, 'application/pdfx'), 'not-pdf'],
    ['an empty answer', () => answer(null), 'not-pdf'],
    ['a head too far down', () => answer(`${' '.repeat(1100)}%PDF-1.7`), 'not-pdf'],
    ['no such file', () => answer('不存在', 'text/plain', { status: 404 }), 'missing'],
    ['a fault', () => answer('', 'text/plain', { status: 502 }), 'fault'],
    ['a part only', () => answer(PDF, 'application/pdf', { status: 206 }), 'fault'],
    ['one sent elsewhere', () => Object.defineProperty(answer(null), 'type', { value: 'opaqueredirect' }), 'elsewhere'],
    ['one that is too large', () => answer(PDF, 'application/pdf', { length: LARGEST_DOCUMENT + 1 }), 'too-large'],
  ])('is not %s', async (_, response, reason) => {
    network = async () => response()
    expect(await why()).toBe(reason)
    expect(await kept()).toEqual([])
  })

  test('of a closed bucket is missing, and our server is not asked about it', async () => {
    network = async () => answer('<Error>', 'application/xml', { status: 403 })
    const address = 'https://bucket.test/a.pdf'
    const error: unknown = await readDocument(address, new AbortController().signal, () => {}).catch((e: unknown) => e)
    expect(error).toMatchObject({ why: 'missing' })
    expect(asked).toEqual([address])
  })

  describe('that is sold', () => {
    let data: object
    const ours = (address: string) => {
      if (address === ADDRESS) return answer('请从课程里打开这份讲义', 'text/plain', { status: 403 })
      return address.endsWith('/pcapi/course/handout') ? answer(JSON.stringify(data), 'application/json') : null
    }

    test('comes from an address that ends, and is kept and found by its own', async () => {
      const signed = `/media/handout/1.x${ADDRESS.slice('/media'.length)}`
      data = { status: 1, msg: '', data: { src: signed, until: NOW } }
      network = async (address) => ours(address) ?? answer(PDF)
      await keepDocument(ADDRESS, await read(), NOW)
      expect(asked).toEqual([ADDRESS, expect.stringContaining('course/handout'), signed])
      expect(await kept()).toEqual([ADDRESS])
      network = () => Promise.reject(new TypeError('offline'))
      expect(await read()).toEqual(PDF)
      expect(asked).toHaveLength(3)
    })
    test('is refused with what to buy to whom it is not open', async () => {
      data = { status: 0, msg: '购买《军政冲刺》后可以看这份讲义', data: null }
      network = async (address) => ours(address) ?? answer(PDF)
      await expect(read()).rejects.toMatchObject({ name: 'RefusedError', message: '购买《军政冲刺》后可以看这份讲义' })
      expect(asked).toHaveLength(2)
    })
    test('at an address that is over is missing; too large, it is saved from there', async () => {
      data = { status: 1, msg: '', data: { src: '/media/handout/1.x/a.pdf', until: NOW } }
      network = async (address) => ours(address) ?? answer('讲义地址已失效', 'text/plain', { status: 403 })
      expect(await why()).toBe('missing')
      network = async (address) => ours(address) ?? answer(PDF, 'application/pdf', { length: LARGEST_DOCUMENT + 1 })
      await expect(read()).rejects.toMatchObject({ why: 'too-large', from: '/media/handout/1.x/a.pdf' })
    })
  })

  test('larger than the server says is ended where it is too large', async () => {
    const part = new Uint8Array(4 * 1024 * 1024)
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += part.length
        controller.enqueue(part)
      },
    })
    network = async () => answer(body, 'application/pdf', { length: 100 })
    expect(await why()).toBe('too-large')
    expect(sent).toBeLessThan(LARGEST_DOCUMENT + 3 * part.length)
  })

  test('that nobody answers for, or that breaks off, can be tried again', async () => {
    network = () => Promise.reject(new TypeError('no network'))
    expect(await why()).toBeInstanceOf(OfflineError)
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(PDF.slice(0, 50))
        controller.error(new TypeError('cut'))
      },
    })
    network = async () => answer(broken)
    expect(await why()).toBeInstanceOf(OfflineError)
  })

  test('is ended when the student has had enough of waiting', async () => {
    const abort = new AbortController()
    network = (_, { signal }) => unanswered(signal)
    const reading = readDocument(ADDRESS, abort.signal, () => {})
    await eventually(() => expect(asked).toHaveLength(1))
    abort.abort()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('what is kept on the device', () => {
  const named = (n: number) => `/media/${String(n).padStart(16, '0')}.pdf`

  test('is twenty documents at most; the one read longest ago goes', async () => {
    for (let n = 0; n < 20; n++) await keepDocument(named(n), PDF, NOW + n)
    // Read again later, the first is no longer the oldest; on the same day nothing is written.
    await keepDocument(named(0), PDF, NOW + DAY_MS + 100)
    await keepDocument(named(1), PDF, NOW + 100)
    await keepDocument(named(20), PDF, NOW + DAY_MS + 200)
    const names = await kept()
    expect(names).toHaveLength(20)
    expect(names).toContain(named(0))
    expect(names).toContain(named(20))
    expect(names).not.toContain(named(1))
  })

  test('is a hundred megabytes at most, but never less than the one just read', async () => {
    const large = new Uint8Array(29 * 1024 * 1024)
    for (let n = 0; n < 4; n++) await keepDocument(named(n), large, NOW + n)
    expect((await kept()).sort()).toEqual([named(1), named(2), named(3)])
  })

  test('a full device reads on, and says that nothing is kept', async () => {
    const full = { ...memoryCaches(), open: () => Promise.reject(new DOMException('full', 'QuotaExceededError')) }
    vi.stubGlobal('caches', full)
    expect(await keepDocument(ADDRESS, PDF, NOW)).toBe(false)
  })

  test('are the parts of the app that were used, ours alone', async () => {
    const names = [
      `${ORIGIN}/assets/pdf-1.js`,
      `${ORIGIN}/assets/portal.css`,
      `${ORIGIN}/media/x.png`,
      'https://elsewhere.test/assets/x.js',
    ]
    vi.stubGlobal('performance', { getEntriesByType: () => names.map((name) => ({ name })) })
    network = async (address) =>
      address.endsWith('.css') ? answer('<html>', 'text/html') : answer('part', 'text/javascript')
    await keepUsedParts()
    expect((await (await caches.open(PART_CACHE)).keys()).map(({ url }) => url)).toEqual([`${ORIGIN}/assets/pdf-1.js`])
  })

  test('are, while the worker still fetches its own files, those that are surely parts', async () => {
    const names = [`${ORIGIN}/assets/index-1.js`, `${ORIGIN}/assets/mathFont-1.woff2`]
    vi.stubGlobal('performance', { getEntriesByType: () => names.map((name) => ({ name })) })
    network = async () => answer('part', 'font/woff2')
    await keepUsedParts(/^\/assets\/mathFont-/)
    expect((await (await caches.open(PART_CACHE)).keys()).map(({ url }) => url)).toEqual(names.slice(1))
  })

  test('are, of the newest version, those that are asked for by name and are not here yet', async () => {
    const list = ['/assets/hls-1.js', '/assets/lesson-2.css', '/assets/lesson-2.js', '/assets/pdf.worker-1.js']
    const fetched: string[] = []
    network = async (address) => {
      fetched.push(new URL(address, ORIGIN).pathname)
      return address.endsWith('.json')
        ? answer(JSON.stringify(list), 'application/json')
        : answer('part', 'text/javascript')
    }
    await (await caches.open(PART_CACHE)).put(`${ORIGIN}/assets/lesson-2.css`, answer('here', 'text/css'))
    await keepParts(['lesson', 'chrome'])
    expect(fetched).toEqual(['/parts.json', '/assets/lesson-2.js'])
    expect(await caches.match(`${ORIGIN}/assets/lesson-2.js`)).toBeDefined()
  })
})

describe('where a student left off', () => {
  const place = { page: 3, y: 0.25, scale: null }

  test('is remembered for each student and each document', async () => {
    await rememberPlace('u-1', ADDRESS, place)
    await rememberPlace('u-1', '/media/b.pdf', { page: 1, y: 0, scale: 2 })
    expect(await placeIn('u-1', ADDRESS)).toEqual(place)
    expect(await placeIn('u-2', ADDRESS)).toBeNull()
    await rememberPlace('u-1', ADDRESS, { ...place, page: 4 })
    expect(await placeIn('u-1', ADDRESS)).toEqual({ ...place, page: 4 })
  })

  test('is forgotten of what was read a hundred documents ago', async () => {
    const clock = vi.spyOn(Date, 'now')
    for (let n = 0; n <= 100; n++) {
      clock.mockReturnValue(NOW + n)
      await rememberPlace('u-3', `/media/${n}.pdf`, place)
    }
    clock.mockRestore()
    expect(await placeIn('u-3', '/media/0.pdf')).toBeNull()
    expect(await placeIn('u-3', '/media/1.pdf')).toEqual(place)
  })

  test('goes with them when they log out, and the documents, which are nobody’s own, stay', async () => {
    await rememberPlace('u-9', ADDRESS, place)
    await keepDocument(ADDRESS, PDF, NOW)
    await purgeCaches('u-9', NOW)
    expect(await placeIn('u-9', ADDRESS)).toBeNull()
    expect(await kept()).toEqual([ADDRESS])
  })
})
