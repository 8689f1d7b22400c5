import { type Drained, drain, type DrainOptions, type Send } from './drain.ts'
import { StorageError } from '../device/idb.ts'

const WRITE_MS = 300
const FIRST_BACKOFF_MS = 1_000
const LAST_BACKOFF_MS = 60_000
/** After so long without an answer the student is told; the call itself is given longer. */
const SILENT_MS = 5_000
/** A holder that is alive says so this often; one that has been silent for ZOMBIE_MS is suspended and may be robbed. */
const BEAT_MS = 2_000
const ZOMBIE_MS = 10_000

/** The end of a drain, as it is told where somebody is left to hear it. */
export type Ended = Exclude<Drained, { to: 'stopped' }>

export interface SyncParts extends Omit<DrainOptions, 'onSettled' | 'isStopped'> {
  /** `navigator.locks`, or null where there is none: two drainers are harmless, only wasteful. */
  locks: LockManager | null
  /** To the other tabs. */
  beat: () => void
  /** 0 ≤ x < 1 */
  random: () => number
  onStart: () => void
  /** Nobody has answered the call for a while; false: now somebody has. A call that fails ends with `onEnd`. */
  onSilence: (silent: boolean) => void
  onSettled: NonNullable<DrainOptions['onSettled']>
  onEnd: (drained: Ended) => void
}

/** Decides when to drain: one drain at a time over all tabs, soon after a write, later and later while nobody answers. */
export function createSync(parts: SyncParts) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let running: Promise<void> | null = null
  /** Something was written meanwhile. */
  let again = false
  /** Somebody said meanwhile that it may work now: worth another try only after one that did not. */
  let nudged = false
  let stopped = false
  let lastBeat = parts.now()

  const schedule = (ms: number): void => {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(() => void run(), ms)
  }

  /** With a timer of its own that goes with the call: none keeps a phone awake. */
  const send: Send = async (input) => {
    let silent = false
    const timer = setTimeout(() => parts.onSilence((silent = true)), SILENT_MS)
    const answer = await parts.send(input).finally(() => clearTimeout(timer))
    if (silent) parts.onSilence(false)
    return answer
  }

  async function once(): Promise<void> {
    parts.onStart()
    const beating = setInterval(parts.beat, BEAT_MS)
    parts.beat()
    const drained = await drain({ ...parts, send, isStopped: () => stopped }).finally(() => clearInterval(beating))
    failures = drained.to === 'later' ? failures + 1 : 0
    if (drained.to === 'done') nudged = false
    if (drained.to === 'stopped') return
    parts.onEnd(drained)
    if (drained.to === 'later') schedule(drained.afterMs ?? backoff())
  }

  const backoff = (): number =>
    Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1)) * (0.5 + parts.random() / 2)

  async function locked(): Promise<void> {
    if (!parts.locks) return once()
    const name = `outbox:${parts.owner}`
    const steal = parts.now() - lastBeat > ZOMBIE_MS
    const options: LockOptions = steal ? { steal } : { ifAvailable: true }
    await parts.locks.request(name, options, async (lock) => {
      if (lock) return once()
      schedule(BEAT_MS)
    })
  }

  function run(): Promise<void> {
    if (stopped) return Promise.resolve()
    clearTimeout(timer)
    if (running) {
      again = true
      return running
    }
    running = locked()
      // A stolen lock rejects here, and the thief drains on. So does storage that fails: later, then.
      .catch((caught: unknown) => {
        const error = caught instanceof Error ? caught : new Error(String(caught))
        failures++
        const why = error instanceof StorageError ? 'storage' : 'offline'
        parts.onEnd({ to: 'later', why, afterMs: null, error })
        schedule(backoff())
      })
      .finally(() => {
        running = null
        if (!(again || nudged) || stopped) return
        again = nudged = false
        schedule(0)
      })
    return running
  }

  return {
    /** A write has been made: soon, together with the next ones. */
    wrote: (): void => (failures === 0 ? schedule(WRITE_MS) : undefined),
    /** Something says that it may work now: at once, and back-off starts anew. */
    now: (): Promise<void> => {
      failures = 0
      if (!running) return run()
      nudged = true
      return running
    },
    heardBeat: (): void => void (lastBeat = parts.now()),
    stop: (): void => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
