import { OfflineError } from '#src/api/errors.ts'
import { DamagedError, UnsteadyError } from './downloadErrors.ts'

/** The whole was given for the rest: the file has changed since (`if-range`), or something on the way knows no ranges. */
export class WholeGivenError extends DamagedError {}

/** Nothing for so long: the connection is dead, whatever it says. */
const STALL_MS = 20_000
/** A request that brings less has brought nothing: the next one would cost more than it is worth. */
const WORTH_BYTES = 16 * 1024
/** So many of those in a row: the line is left alone for a while. */
const WORTHLESS_AT_MOST = 3

export interface Ranged {
  src: string
  /** The first byte that is wanted. */
  from: number
  /** Behind the last one. */
  to: number
  /** `if-range`, where the address alone does not say which version is meant. */
  headers?: Record<string, string>
  fetch: (src: string, init: RequestInit) => Promise<Response>
  /** How much may be asked for at once, and whether the line breaks. */
  reach: Reach
  /** Asked before each request; throws when there is to be none. */
  mayAsk: () => void
  /** Throws when an answer is not the bytes that were asked for. */
  check: (response: Response) => void
  /** Takes what came, in its order; nothing more is read before it has. */
  take: (bytes: Uint8Array) => Promise<void> | void
}

/** After so many breaks less is asked for at once: some lines bring only what is short. */
const BREAKS = 3
const LEAST_BYTES = 128 * 1024
/** So many requests without a break: the line holds. */
const CALM = 4

/** What the requests of one download have learned of its line; all of its lanes share it. */
export function createReach(tellSteady: (steady: boolean) => void = () => {}) {
  let most = Infinity
  let breaks = 0
  let calm = 0
  let steady = true
  const settle = (next: boolean): void => {
    if (next !== steady) tellSteady(next)
    steady = next
  }
  return {
    most: (): number => most,
    steady: (): boolean => steady,
    /** @param asked how much the request was for. */
    broke: (asked: number): void => {
      calm = 0
      settle(false)
      if (++breaks < BREAKS) return
      breaks = 0
      most = Math.max(LEAST_BYTES, Math.ceil(Math.min(most, asked) / 2))
    },
    held: (): void => {
      if (++calm < CALM) return
      calm = 0
      breaks = 0
      most *= 2
      settle(true)
    },
  }
}
export type Reach = ReturnType<typeof createReach>

/**
 * Bytes of a file by as many requests as it takes: each goes on where the one before broke. What came is the caller's at once, so
 * whatever ends this, the next call begins behind it.
 * @throws WholeGivenError when what came so far is no use; OfflineError when the line brings nothing any more,
 * UnsteadyError when it brings hardly anything
 */
export async function fetchRanged(of: Ranged, signal: AbortSignal): Promise<void> {
  let worthless = 0
  for (let at = of.from; at < of.to;) {
    signal.throwIfAborted()
    of.mayAsk()
    const end = Math.min(of.to, at + of.reach.most())
    const { came, fault } = await ask(of, at, end, signal)
    at += came
    if (at >= end) {
      of.reach.held()
      worthless = 0
      continue
    }
    if (came > 0) of.reach.broke(end - at + came)
    worthless = came < WORTH_BYTES ? worthless + 1 : 0
    if (came === 0) throw new OfflineError('网络不可用', { cause: fault })
    if (worthless >= WORTHLESS_AT_MOST) throw new UnsteadyError(fault)
  }
}

/** One request; how many bytes of it came before it ended or broke. */
async function ask(of: Ranged, at: number, end: number, signal: AbortSignal) {
  const line = createLine(signal)
  let came = 0
  try {
    const response = await of.fetch(of.src, {
      headers: { ...of.headers, range: `bytes=${at}-${end - 1}` },
      signal: line.signal,
      // The browser would keep it a second time.
      cache: 'no-store',
    })
    of.check(response)
    if (response.status === 200 && at > 0) throw new WholeGivenError()
    if (!begins(response, at)) throw new DamagedError()
    const reader = response.body?.getReader()
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      line.moves()
      if (came + chunk.value.length > end - at) {
        await reader?.cancel()
        throw new DamagedError()
      }
      await of.take(chunk.value)
      came += chunk.value.length
    }
    // An answer that ends early and says so by nothing else.
    if (came === 0) throw new DamagedError()
    return { came, fault: null }
  } catch (error) {
    signal.throwIfAborted()
    // As fetch and streams say that the line broke, or that we gave it up.
    if (error instanceof TypeError || (error instanceof DOMException && error.name !== 'QuotaExceededError'))
      return { came, fault: error }
    throw error
  } finally {
    line.end()
  }
}

/** Bytes of another place would be put among ours. Another origin may keep to itself where its bytes are from. */
function begins({ status, type, headers }: Response, at: number): boolean {
  const said = headers.get('content-range')
  if (status !== 206 || (said === null && type === 'cors')) return true
  return Number(/^bytes (\d+)-/.exec(said ?? '')?.[1]) === at
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
