import 'fake-indexeddb/auto'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttp, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import fastify from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { hashedName, storeFiles } from '#server/content/media/mediaFiles.ts'
import { handoutAddress, serveHandouts } from '#server/course/media.ts'
import type { Progress } from '#src/offline/downloads/documents/arriving.ts'
import { begunDocument, dropParts } from '#src/offline/downloads/documents/documentParts.ts'
import { keepDocument, readDocument } from '#src/offline/downloads/documents/documents.ts'
import { memoryCaches } from '#tests/support/cacheStorage.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const CUT = 300 * 1024
/** As large as a scanned handout. */
const documentOf = (bytes: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(bytes)])
const FILE = documentOf(4_300_000)
const NAME = hashedName(FILE, 'pdf')
const ADDRESS = `/media/${NAME}`

/** A line before a server: it breaks after so many bytes of each connection, and counts all that go over it. */
async function wireTo(port: number, cut = CUT) {
  const wire = { port: 0, bytes: 0, isDown: false, close: () => {} }
  const line = net.createServer((phone) => {
    if (wire.isDown) return phone.resetAndDestroy()
    const server = net.connect(port, '127.0.0.1')
    let left = cut
    const end = () => {
      server.destroy()
      phone.destroy()
    }
    server.on('error', end).on('close', end)
    phone.on('error', end).on('close', end)
    phone.pipe(server)
    server.on('data', (bytes: Buffer) => {
      const some = bytes.subarray(0, left)
      left -= some.length
      wire.bytes += some.length
      phone.write(some, () => left === 0 && end())
    })
  })
  line.listen(0, '127.0.0.1')
  await once(line, 'listening')
  wire.port = (line.address() as AddressInfo).port
  wire.close = () => line.close()
  return wire
}

let server: TestServer
let port = 0
const closing: (() => unknown)[] = []
beforeAll(async () => {
  server = await startServer()
  await storeFiles(server.mediaDir, new Map([[NAME, FILE]]))
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  port = (server.app.server.address() as AddressInfo).port
})
afterAll(() => server.close())
const network = globalThis.fetch
/** The page's own way to the server. */
const throughPort = (to: number, sent: Headers[] = []) =>
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    if (address.includes('/media/')) sent.push(new Headers(init.headers))
    return network(new URL(address, `http://127.0.0.1:${to}`), init)
  })
beforeEach(() => {
  vi.stubGlobal('caches', memoryCaches())
  vi.stubGlobal('location', new URL('https://lijian.test'))
})
afterEach(async () => {
  for (const close of closing.splice(0)) close()
  await dropParts(ADDRESS)
  vi.unstubAllGlobals()
})

const isSame = (bytes: Uint8Array, as: Buffer): boolean => Buffer.compare(bytes, as) === 0
const atOnce = () => Promise.resolve()
interface Reading {
  signal?: AbortSignal
  tell?: (progress: Progress) => void
  wait?: (ms: number) => Promise<void>
}
const read = ({ signal = new AbortController().signal, tell = () => {}, wait = atOnce }: Reading = {}) =>
  readDocument(ADDRESS, signal, tell, wait)

test.each([
  [300, 20],
  [800, 9],
])(
  'a document arrives whole over a line that breaks every %i KB, and hardly a byte goes over it twice',
  async (kb, most) => {
    const wire = await wireTo(port, kb * 1024)
    closing.push(wire.close)
    const sent: Headers[] = []
    throughPort(wire.port, sent)
    const told: Progress[] = []
    expect(isSame(await read({ tell: (progress) => told.push(progress) }), FILE)).toBe(true)
    expect(wire.bytes).toBeLessThan(FILE.length * 1.2)
    expect(sent.length).toBeLessThan(most)
    expect(sent[0]?.get('range')).toBeNull()
    expect(sent.slice(1).every((headers) => headers.get('if-range') === `"${NAME.split('.')[0]}"`)).toBe(true)
    // What is told never goes back, and says when it waits.
    expect(told.some(({ waiting }) => waiting)).toBe(true)
    expect(told.every(({ loaded }, i) => loaded >= (told[i - 1]?.loaded ?? 0))).toBe(true)
    expect(told.at(-1)).toEqual({ loaded: FILE.length, total: FILE.length })
  },
)

test('what came is there after the app was closed, and only the rest is asked for; a document that is kept needs it no more', async () => {
  const wire = await wireTo(port)
  closing.push(wire.close)
  const sent: Headers[] = []
  throughPort(wire.port, sent)
  const closed = new AbortController()
  const tell = ({ loaded }: Progress) => loaded > FILE.length / 2 && closed.abort()
  await expect(read({ signal: closed.signal, tell })).rejects.toMatchObject({ name: 'AbortError' })
  const before = sent.length
  const bytes = await read()
  expect(isSame(bytes, FILE)).toBe(true)
  expect(Number(/^bytes=(\d+)-$/.exec(sent[before]?.get('range') ?? '')?.[1])).toBeGreaterThan(FILE.length / 2)
  expect(wire.bytes).toBeLessThan(FILE.length * 1.2)
  expect(await keepDocument(ADDRESS, bytes, 0)).toBe(true)
  vi.stubGlobal('caches', memoryCaches())
  await read()
  expect(sent.filter((headers) => headers.get('range') === null)).toHaveLength(2)
})

/** A document whose reader left in the middle. */
async function begun(): Promise<void> {
  const wire = await wireTo(port)
  closing.push(wire.close)
  throughPort(wire.port)
  const left = new AbortController()
  const tell = ({ loaded }: Progress) => loaded > FILE.length / 2 && left.abort()
  await expect(read({ signal: left.signal, tell })).rejects.toMatchObject({ name: 'AbortError' })
  expect(await begunDocument(ADDRESS)).toBeTruthy()
}
/** From now on each address is answered so. */
const answered = (init: ResponseInit, body = '') => vi.stubGlobal('fetch', async () => new Response(body, init))

describe('what came of a document', () => {
  test('leaves when the server has no such document any more', async () => {
    await begun()
    answered({ status: 404 })
    await expect(read()).rejects.toMatchObject({ why: 'missing' })
    expect(await begunDocument(ADDRESS)).toBeNull()
  })
  test.each<[string, ResponseInit]>([
    ['behind a captive portal', { status: 200, headers: { 'content-type': 'text/html' } }],
    ['while the server is in trouble', { status: 503 }],
  ])('stays %s', async (_, init) => {
    await begun()
    answered(init, '<html>')
    const left = new AbortController()
    const wait = () => Promise.resolve(left.abort())
    await expect(read({ signal: left.signal, wait })).rejects.toMatchObject({ name: expect.any(String) })
    expect((await begunDocument(ADDRESS))?.pieces.length).toBeGreaterThan(1)
  })
  test('leaves a month after it was left, when any other is opened, and not before', async () => {
    await begun()
    answered({ status: 404 })
    const openAnother = async (days: number) => {
      vi.spyOn(Date, 'now').mockReturnValue(start + days * 86_400_000)
      await expect(
        readDocument('/media/another.pdf', new AbortController().signal, () => {}, atOnce),
      ).rejects.toMatchObject({ why: 'missing' })
      return begunDocument(ADDRESS)
    }
    const start = Date.now()
    expect(await openAnother(29)).toBeTruthy()
    expect(await openAnother(31)).toBeNull()
    vi.restoreAllMocks()
  })
})

test('a line that is away for a while is waited for', async () => {
  const wire = await wireTo(port)
  closing.push(wire.close)
  throughPort(wire.port)
  const waits: number[] = []
  const wait = async (ms: number) => {
    waits.push(ms)
    wire.isDown = waits.length < 9
  }
  expect(isSame(await read({ wait }), FILE)).toBe(true)
  // Longer and longer, and at once again when something came.
  expect(waits.slice(1, 8)).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  expect(waits[9]).toBe(1_000)
})

test('our server gives the rest of a handout, never packed, and the whole to whoever has another version', async () => {
  const etag = `"${NAME.split('.')[0]}"`
  const headers = { range: 'bytes=1000-', 'if-range': etag, 'accept-encoding': 'gzip, br' }
  const signed = handoutAddress('a secret', ADDRESS, 0).src
  const app = fastify()
  serveHandouts(app, { mediaDir: server.mediaDir, secret: 'a secret', now: () => 0 })
  for (const ask of [
    (given: Record<string, string>) => server.app.inject({ url: ADDRESS, headers: given }),
    (given: Record<string, string>) => app.inject({ url: signed, headers: given }),
  ]) {
    const rest = await ask(headers)
    expect(rest.statusCode).toBe(206)
    expect(rest.headers).toMatchObject({ etag, 'content-range': `bytes 1000-${FILE.length - 1}/${FILE.length}` })
    expect(rest.headers['content-encoding']).toBeUndefined()
    const other = await ask({ ...headers, 'if-range': '"another"' })
    expect([other.statusCode, other.rawPayload.length]).toEqual([200, FILE.length])
  }
})

/** A server that minds ranges as it likes, and gives another version after the first answer. */
async function changing(answer: (headers: IncomingHttpHeaders, n: number) => Parameters<typeof reply>[1]) {
  let asked = 0
  const listener: RequestListener = (request, response) => reply(response, answer(request.headers, asked++))
  const own = createHttp(listener)
  own.listen(0, '127.0.0.1')
  await once(own, 'listening')
  const wire = await wireTo((own.address() as AddressInfo).port)
  closing.push(wire.close, () => own.close())
  throughPort(wire.port)
}
const reply = (
  response: Parameters<RequestListener>[1],
  { status, etag, body, range }: { status: number; etag: string; body: Buffer; range?: string },
) => {
  const headers = { 'content-type': 'application/pdf', 'content-length': body.length, etag }
  response.writeHead(status, { ...headers, ...(range && { 'content-range': range }) }).end(body)
}
const OTHER = documentOf(250_000)

test.each<[string, Parameters<typeof changing>[0]]>([
  [
    'and the server says so with the whole of the other',
    (_, n) => (n === 0 ? { status: 200, etag: '"1"', body: FILE } : { status: 200, etag: '"2"', body: OTHER }),
  ],
  [
    'and the server gives its rest all the same',
    ({ range }, n) => {
      if (n === 0) return { status: 200, etag: '"1"', body: FILE }
      if (!range) return { status: 200, etag: '"2"', body: OTHER }
      const from = Number(/\d+/.exec(range)?.[0])
      const whole = { etag: '"2"', range: `bytes ${from}-${FILE.length - 1}/${FILE.length}` }
      return { status: 206, body: FILE.subarray(from), ...whole }
    },
  ],
  [
    'and is shorter than what came',
    ({ range }, n) => {
      if (n === 0) return { status: 200, etag: '"1"', body: FILE }
      if (!range) return { status: 200, etag: '"2"', body: OTHER }
      return { status: 416, etag: '"2"', body: Buffer.alloc(0), range: `bytes */${OTHER.length}` }
    },
  ],
])('a document that was changed in between is had anew, and never of two: %s', async (_, answer) => {
  await changing(answer)
  expect(isSame(await read(), OTHER)).toBe(true)
})
