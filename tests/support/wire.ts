import { Buffer } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { types } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { vi } from 'vitest'
import type { TestServer } from './server.ts'

/** A request as it left the page. */
export interface Sent {
  method: string
  path: string
  query: Record<string, string>
  body: Record<string, string>
  headers: Record<string, string>
}
/** What becomes of a request instead of our server's answer. */
export type Fault = (sent: Sent, signal: AbortSignal | null) => Response | null | Promise<Response | null>

export interface Wire {
  sent: Sent[]
  /** Null: the server answers. */
  fault: Fault | null
  last: () => Sent
  restore: () => void
}

export const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
export const page = (status = 200): Response =>
  new Response('<!doctype html><title>免费上网</title><form>手机号</form>', {
    status,
    headers: { 'content-type': 'text/html' },
  })
/** As a browser says that nobody answered. */
export const nobody: Fault = () => Promise.reject(new TypeError('Failed to fetch'))

/** Headers come, and then nothing more. */
export const endless: Fault = (_, signal) => {
  const start = (stream: ReadableStreamDefaultController) =>
    signal?.addEventListener('abort', () => stream.error(new DOMException('This operation was aborted', 'AbortError')))
  return new Response(new ReadableStream({ start }))
}
export const silence: Fault = () => new Promise(() => {})

/** Puts the real server, in this process, behind the page's fetch. Without one, only faults answer. */
export function connect(server: Pick<TestServer, 'app'> | null = null): Wire {
  const wire: Wire = {
    sent: [],
    fault: null,
    last: () => {
      const last = wire.sent.at(-1)
      if (!last) throw new Error('nothing was sent')
      return last
    },
    restore: () => spy.mockRestore(),
  }
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : String(input), 'http://lijian.test')
    // Not `instanceof`: a page of the tests has an ArrayBuffer of its own.
    const raw = types.isArrayBuffer(init.body) ? Buffer.from(init.body) : null
    const form = raw ? gunzipSync(raw).toString() : plain(init.body)
    const sent: Sent = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      body: Object.fromEntries(new URLSearchParams(form)),
      headers: Object.fromEntries(new Headers(init.headers)),
    }
    wire.sent.push(sent)
    return (
      (await aborted(init.signal, wire.fault?.(sent, init.signal ?? null) ?? null)) ??
      (await inject(server, sent, url, raw ?? form))
    )
  })
  return wire
}

const plain = (body: RequestInit['body']): string =>
  typeof body === 'string' ? body : body instanceof URLSearchParams ? body.toString() : ''

/** A request that the page gives up ends as in a browser, whatever the other side does. */
function aborted<T>(signal: AbortSignal | null | undefined, work: T | Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new DOMException('This operation was aborted', 'AbortError'))
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop)
    void Promise.resolve(work).then(resolve, reject)
  })
}

async function inject(
  server: Pick<TestServer, 'app'> | null,
  sent: Sent,
  url: URL,
  form: string | Buffer,
): Promise<Response> {
  if (!server) throw new TypeError('Failed to fetch')
  const get = sent.method === 'GET'
  const answer = await server.app.inject({
    method: get ? 'GET' : 'POST',
    url: url.pathname + url.search,
    headers: { ...sent.headers, ...(!get && { 'content-type': 'application/x-www-form-urlencoded' }) },
    ...(!get && { payload: form }),
    // Else each answer is decoded as text, too: for lessons that takes longer than all else.
    payloadAsStream: true,
  })
  const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
  return new Response(new Uint8Array(await buffer(answer.stream())), { status: answer.statusCode, headers })
}
