import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { Db } from '#server/db/open.ts'
import { type HeldJob, takeJob, writeHeld } from './store.ts'

/** A kind is given this of work that is under way. */
export interface Task<Args> {
  args: Args
  /** The last holder stood there; null: nobody has finished a step. */
  cursor: string | null
  /** So much was done before. */
  progress: number
  /** Aborted when this server ends, has lost the work to another, or the work is cancelled. */
  signal: AbortSignal
  /**
   * Writes down how far the work is, after each step: a server that takes it over goes on from here.
   * @throws Interrupted when it is not to be gone on with here; let it through.
   */
  save: (cursor: string, progress: number) => Promise<void>
}
/** One kind of work, given to the runner by the start. */
export interface JobKind {
  kind: string
  run: (job: Task<unknown>) => Promise<object>
}
/** @param run whatever it returns is kept as the result, as JSON. A step that is done again must do no harm: a server may end before its `save`. */
export const jobKind = <S extends v.GenericSchema>(
  kind: string,
  args: S,
  run: (task: Task<v.InferOutput<S>>) => Promise<object>,
): JobKind => ({ kind, run: (task) => run({ ...task, args: v.parse(args, task.args) }) })

/** Somebody who holds work is heard of within so long, or others take it. */
export const LEASE_MS = 60_000
const HEARTBEAT_MS = 15_000
/** Work that was taken so many times without a finished step is at fault itself. */
const TRIES = 6
const FIRST_RETRY_MS = 30_000

type Why = 'stopping' | 'lost' | 'cancelled'
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly why: Why
  constructor(why: Why) {
    super(`work interrupted: ${why}`)
    this.why = why
  }
}

export interface RunnerParts {
  db: Db
  kinds: readonly JobKind[]
  /** Epoch ms, by the server's clock. */
  now: () => number
  /** The server is to end. */
  stop: AbortSignal
  /** Told of work that failed, this time or for good. */
  failed: (error: unknown, kind: string) => void
}

/**
 * Does the oldest work that waits, or that a server has left behind.
 * @returns false when there is none.
 */
export async function runJob(parts: RunnerParts): Promise<boolean> {
  const { db, kinds, now, stop } = parts
  if (stop.aborted) return false
  const holder = randomUUID()
  const at = now()
  const names = kinds.map(({ kind }) => kind)
  const job = await takeJob(db, names, holder, { now: at, until: at + LEASE_MS })
  const kind = kinds.find((each) => each.kind === job?.kind)
  if (!job || !kind) return false
  const lease = holdLease(parts, job, holder)
  try {
    if (job.cancel) throw new Interrupted('cancelled')
    if (job.tries > TRIES) throw new Error('given up: no step was finished')
    const { args, cursor, progress } = job
    const result = await kind.run({ args, cursor, progress, signal: lease.signal, save: lease.save })
    await end(parts, job.id, holder, 'done', result)
  } catch (error) {
    await leave(parts, { ...job, tries: lease.tries() }, holder, lease.signal.aborted ? lease.signal.reason : error)
  } finally {
    lease.end()
  }
  return true
}

/** The lease on work, kept alive while it is under way. */
function holdLease({ db, now, stop }: RunnerParts, job: HeldJob, holder: string) {
  const { id } = job
  let { tries } = job
  const gone = new AbortController()
  const write = async (step: { cursor: string; progress: number; tries: number } | object): Promise<void> => {
    const cancel = await writeHeld(db, id, holder, { ...step, lease_until: now() + LEASE_MS })
    const why = cancel === null ? 'lost' : cancel ? 'cancelled' : null
    if (why) gone.abort(new Interrupted(why))
  }
  // A database that does not answer now may do so before the lease is over.
  const beat = setInterval(() => void write({}).catch(() => {}), HEARTBEAT_MS)
  const stopping = () => gone.abort(new Interrupted('stopping'))
  stop.addEventListener('abort', stopping)
  return {
    signal: gone.signal,
    tries: () => tries,
    save: async (cursor: string, progress: number): Promise<void> => {
      tries = 1
      await write({ cursor, progress, tries })
      gone.signal.throwIfAborted()
    },
    end: () => {
      clearInterval(beat)
      stop.removeEventListener('abort', stopping)
    },
  }
}

const end = (
  { db, now }: RunnerParts,
  id: number,
  holder: string,
  state: 'done' | 'failed' | 'cancelled',
  result = {},
) => writeHeld(db, id, holder, { state, result: JSON.stringify(result), ended_at: now() })

/** Leaves work to others, to a later try, or for good. */
async function leave(parts: RunnerParts, { id, kind, tries }: HeldJob, holder: string, error: unknown): Promise<void> {
  const why = error instanceof Interrupted ? error.why : null
  if (why === 'lost') return
  if (why === 'cancelled') return void (await end(parts, id, holder, 'cancelled'))
  const { db, now, failed } = parts
  // Whoever takes it next is at once there, and has as many tries as this one had.
  if (why === 'stopping')
    return void (await writeHeld(db, id, holder, { state: 'waiting', lease_until: 0, tries: tries - 1 }))
  failed(error, kind)
  if (tries >= TRIES) return void (await end(parts, id, holder, 'failed', { error: String(error) }))
  const later = now() + FIRST_RETRY_MS * 2 ** (tries - 1)
  await writeHeld(db, id, holder, { state: 'waiting', lease_until: later })
}
