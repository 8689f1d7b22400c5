import { createFetch } from 'ofetch'
import type { Endpoint, Input, Output } from '#src/contract/endpoint.ts'
import { session, VISITOR } from '#src/session/session.ts'
import { takeEarly } from './early.ts'
import { isGateway, OfflineError, UnauthorizedError } from './errors.ts'
import { type Put, send, type WireOptions } from './transport.ts'

/** Per-call options of spec.md §7. */
export interface CallOptions extends WireOptions {
  /** Show the loading modal (正在努力加载) until the call ends. */
  loading?: boolean
  /** Show the server's message when the call succeeds. */
  success?: boolean
  /** false: without the Authorization header. */
  authorization?: boolean
}

// fetch is looked up at each call, so that a test can put the real server behind it.
const { raw } = createFetch({ fetch: (input, init) => globalThis.fetch(input, init) })
const put: Put = (url, init) =>
  takeEarly(url, init.body instanceof URLSearchParams ? init.body.toString() : '', init.signal) ??
  raw(url, { ...init, method: init.method ?? 'GET', responseType: 'stream', retry: 0, ignoreResponseError: true })

/** The api throws and never shows: whoever shows (app/failures.ts) listens here. */
export interface CallObserver {
  loading?: (change: 1 | -1) => void
  success?: (msg: string) => void
  /** Whether our server answered at all, whatever it said. */
  reached?: (answered: boolean) => unknown
  /** What stands before our server has answered for it: the network is there, and the server may be back in a moment. */
  away?: () => void
  /** Somebody has ended the login of this device from elsewhere. */
  ended?: () => void
}
const observers = new Set<CallObserver>()
export function observeCalls(observer: CallObserver): () => void {
  observers.add(observer)
  return () => observers.delete(observer)
}
const tell = (act: (observer: CallObserver) => void): void => observers.forEach(act)

/**
 * Calls our server as the student of this page. Resolves to the envelope's data.
 * @throws OfflineError | UnauthorizedError | RefusedError | ServerFaultError (errors.ts), or AbortError by `signal`.
 */
export async function call<E extends Endpoint>(
  endpoint: E | Pick<E, 'path' | 'method'>,
  input: Input<E>,
  options: CallOptions = {},
): Promise<Output<E>> {
  const token = options.authorization === false ? '' : session.get().token
  const owner = session.owner()
  if (options.loading) tell((o) => o.loading?.(1))
  try {
    const caller = { token, owner, scope: session.scope() }
    const answer = await send<E>(endpoint, input, caller, put, options)
    tell((o) => o.reached?.(true))
    // Somebody else logged in meanwhile: this answer must not reach their screen or their cache.
    if (session.owner() !== owner) throw new UnauthorizedError()
    if (options.success && answer.msg) tell((o) => o.success?.(answer.msg))
    return answer.data
  } catch (error) {
    if (error instanceof OfflineError) tell((o) => o.reached?.(false))
    else if (isGateway(error)) tell((o) => o.away?.())
    else if (!(error instanceof DOMException)) tell((o) => o.reached?.(true))
    if (error instanceof UnauthorizedError && token !== '' && session.get().token === token) {
      session.expire(token)
      if (error.why === 'ended') tell((o) => o.ended?.())
    }
    // A login that never was cannot have expired.
    throw error instanceof UnauthorizedError && owner === VISITOR ? new UnauthorizedError('visitor') : error
  } finally {
    if (options.loading) tell((o) => o.loading?.(-1))
  }
}

/** Of a screen, with an answer that does not come; and while the last such request has hung. The request itself goes on. */
const PATIENCE_MS = 3_500
const HUNG_PATIENCE_MS = 1_500
/** So long an answer that came too late waits for whoever asks again. */
const LATE_MS = 10_000
let hung = false
observeCalls({ reached: (answered) => answered && (hung = false) })
const late = new Map<string, Promise<unknown>>()

/**
 * A call that a screen waits for: on a network that takes requests and does not answer, it fails soon. Asked again, the same
 * call joins the one that is on its way, so a slow network gets there, too.
 * @param key of the call and its input
 */
export function soon<T>(key: string, ask: () => Promise<T>): Promise<T> {
  // Under its key stands what the same call has asked.
  const asked = (late.get(key) as Promise<T> | undefined) ?? ask()
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      hung = true
      if (!late.has(key)) keepLate(key, asked)
      tell((o) => o.reached?.(false))
      reject(new OfflineError('网络没有响应'))
    }
    const timer = setTimeout(giveUp, hung ? HUNG_PATIENCE_MS : PATIENCE_MS)
    void asked.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function keepLate(key: string, asked: Promise<unknown>): void {
  late.set(key, asked)
  const drop = () => late.delete(key)
  asked.then(() => setTimeout(drop, LATE_MS), drop)
}
