import * as v from 'valibot'
import { ADDED_TYPES, TYPES_HEADER } from '#src/contract/addedTypes.ts'
import type { Endpoint, Input, Output } from '#src/contract/endpoint.ts'
import type { Scope } from '#src/contract/scalar.ts'
import { encodeForm } from '#src/contract/wire.ts'
import { OfflineError, RefusedError, ServerFaultError, UnauthorizedError } from './errors.ts'

/** Who asks. The page takes it from the session, the service worker from the session's mirror. */
export interface Caller {
  /** '' for a visitor. */
  token: string
  /** Only names the worker's cache; the server never trusts it. */
  owner: string
  scope: Scope
}
export interface WireOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number
  method?: 'GET' | 'POST'
  /** Added to the URL. */
  params?: Record<string, string>
  headers?: Record<string, string>
}
export interface Answer<T> {
  data: T
  msg: string
}

const TIMEOUT_MS = 10_000
const Envelope = v.object({ status: v.picklist([0, 1, 2]), msg: v.string(), data: v.unknown() })
/** Puts a request on the wire and resolves with whatever HTTP answer comes. The page uses ofetch, the small worker fetch. */
export type Put = (url: string, init: RequestInit & { query: Record<string, string> }) => Promise<Response>
export const putByFetch: Put = (url, { query, ...init }) => {
  const search = new URLSearchParams(query).toString()
  return globalThis.fetch(search ? `${url}?${search}` : url, init)
}

/** One call over the wire: form-encoded, envelope opened. Throws one of the four errors of errors.ts, or AbortError. */
export async function send<E extends Endpoint>(
  endpoint: Pick<E, 'path' | 'method'>,
  input: Input<E>,
  caller: Caller,
  put: Put,
  options: WireOptions = {},
): Promise<Answer<Output<E>>> {
  const method = options.method ?? endpoint.method
  // An InputSchema has entries, so what it takes is a record of fields.
  const form = encodeForm({ ...caller.scope, ...(input as Record<string, unknown>) })
  // Sorted, so that one question has one URL and so one place in every cache.
  const fields = new URLSearchParams(Object.entries(form).sort(([a], [b]) => (a < b ? -1 : 1)))
  const body = method === 'POST' ? await packed(fields) : null
  const limit = withTimeout(options.signal, options.timeoutMs ?? TIMEOUT_MS)
  const answered = put(`/pcapi/${endpoint.path.replace(/^\//, '')}`, {
    method,
    query: { ...(method === 'GET' ? Object.fromEntries(fields) : {}), ...options.params },
    ...(body && { body: body.content }),
    headers: {
      'x-owner': caller.owner,
      [TYPES_HEADER]: ADDED_TYPES.join(),
      ...(caller.token && { authorization: caller.token }),
      ...body?.headers,
      ...options.headers,
    },
    signal: limit.signal,
  }).then(async (response) => ({ response, text: await response.text() }))
  const { response, text } = await answered
    .catch((cause: unknown) => {
      if (options.signal?.aborted) throw new DOMException('aborted', 'AbortError')
      throw new OfflineError('网络不可用', { cause })
    })
    .finally(limit.clear)
  return opened<Output<E>>(response, text)
}

const PACK_CHARS = 2_000

/** A long form travels gzipped, where the browser can: a batch of answers is nine parts quotation marks and names. */
async function packed(fields: URLSearchParams): Promise<{ content: BodyInit; headers?: Record<string, string> }> {
  const text = fields.toString()
  if (text.length < PACK_CHARS || typeof CompressionStream === 'undefined') return { content: fields }
  const stream = new Response(text).body?.pipeThrough(new CompressionStream('gzip'))
  return {
    content: await new Response(stream).arrayBuffer(),
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8', 'content-encoding': 'gzip' },
  }
}

const Ended = v.object({ ended: v.literal(true) })

function opened<T>(response: Response, text: string): Answer<T> {
  if (!response.ok) throw new ServerFaultError(response.status, retryAfter(response))
  const envelope = v.safeParse(Envelope, parsed(text))
  // A page of a captive portal, or half an answer: our server has not spoken.
  if (!envelope.success) throw new OfflineError('网络返回了无法识别的内容')
  const { status, msg, data } = envelope.output
  if (status === 2) throw new UnauthorizedError(v.is(Ended, data) ? 'ended' : 'expired')
  if (status === 0) throw new RefusedError(msg)
  // The server filters every output by the same contract, so its shape is taken on trust here.
  return { data: data as T, msg }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after'))
  return seconds > 0 ? seconds * 1000 : null
}

/** ofetch ignores its own time-out when it is given a signal; AbortSignal.any is younger than our oldest browsers. */
function withTimeout(signal: AbortSignal | undefined, timeoutMs: number): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeoutMs)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  const clear = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, clear }
}
