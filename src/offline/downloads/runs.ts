import { OfflineError, ServerFaultError } from '#src/api/errors.ts'
import type { Board } from './board.ts'
import { NoWifiError } from './network.ts'
import { DamagedError, GoneError, troubleOf, UnsteadyError } from './downloadErrors.ts'

const FIRST_BACKOFF_MS = 1_000
const LAST_BACKOFF_MS = 60_000
/** What comes damaged so often in a row is not damaged by the line; others wait behind it. */
const DAMAGED_AT_MOST = 8

export interface RunParts {
  /** `navigator.locks`; null: downloads of two tabs are harmless, only wasteful. */
  locks: LockManager | null
  /** Resolves when it may work again; at the latest after `ms`. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  random: () => number
}
/** Goes on with what is on the device; resolves when all of it is. `onProgress`: 0 … 1, of all bytes. */
export type Attempt = (no: string, onProgress: (part: number) => void, signal: AbortSignal) => Promise<void>

/**
 * The downloads of this tab, each until it is done or the student must do something; one attempt at a time over all tabs, so that
 * one that waits, for Wi-Fi or a server in trouble, holds up no other.
 * @param lock the name of the Web Lock under which attempts are
 */
export function createRuns(parts: RunParts, lock: string, board: Board, attempt: Attempt) {
  const running = new Map<string, { controller: AbortController; ended: Promise<void> }>()
  /** Those that are about to be put down: nothing of them is on disk yet. */
  const starting = new Set<string>()
  const inTurn: Attempt = (no, onProgress, signal) => {
    const work = (): Promise<void> => {
      board.show(no, { at: 'running' })
      return attempt(no, onProgress, signal)
    }
    board.show(no, { at: 'queued', message: '' })
    return parts.locks ? parts.locks.request(lock, { signal }, work) : work()
  }
  return {
    /** @param put puts down on disk what is to be downloaded; when it is stopped before that, it never begins. */
    run(no: string, put: (signal: AbortSignal) => Promise<void> = () => Promise.resolve()): Promise<void> {
      const known = running.get(no)
      if (known) return known.ended
      const controller = new AbortController()
      const { signal } = controller
      starting.add(no)
      const ended = put(signal)
        .finally(() => starting.delete(no))
        .then(() => persist(no, parts, board, inTurn, signal))
        .then(
          () => board.show(no, null),
          (error: unknown) => board.show(no, signal.aborted || error instanceof GoneError ? null : troubleOf(error)),
        )
        .finally(() => running.delete(no))
      running.set(no, { controller, ended })
      return ended
    },
    /** In every tab; resolves when it has ended in this one. */
    async stop(no: string): Promise<void> {
      board.askToStop(no)
      const known = running.get(no)
      known?.controller.abort()
      await known?.ended
    },
    abort: (no: string): void => running.get(no)?.controller.abort(),
    /** Another tab asks for it, which knows nothing of what this one is only about to put down. */
    heardStop: (no: string): void => (starting.has(no) ? undefined : running.get(no)?.controller.abort()),
    abortAll: (): void => {
      for (const { controller } of running.values()) controller.abort()
    },
  }
}

async function persist(
  no: string,
  parts: RunParts,
  board: Board,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<void> {
  let furthest = -1
  let failures = 0
  const onProgress = (part: number) => {
    if (part > furthest) failures = 0
    furthest = Math.max(furthest, part)
    board.show(no, { part })
    board.tellPart(no, part)
  }
  while (!signal.aborted)
    try {
      return await attempt(no, onProgress, signal)
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error
      failures++
      if (error instanceof DamagedError && failures >= DAMAGED_AT_MOST) throw error
      board.show(no, { at: waitsFor(error) })
      const told = error instanceof ServerFaultError ? error.retryAfterMs : null
      await parts.pause(told ?? backoff(failures, parts.random), signal)
    }
}

const waitsFor = (error: unknown): 'wifi' | 'unsteady' | 'waiting' => {
  if (error instanceof NoWifiError) return 'wifi'
  return error instanceof UnsteadyError ? 'unsteady' : 'waiting'
}
const isPassing = (error: unknown): boolean =>
  error instanceof NoWifiError || error instanceof OfflineError || error instanceof ServerFaultError
const backoff = (failures: number, random: () => number): number =>
  Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1)) * (0.5 + random() / 2)
