import { OfflineError, ServerFaultError, UnauthorizedError } from '#src/api/errors.ts'
import type { study } from '#src/contract/study.ts'
import type { OpRecord } from '#src/contract/study.ts'
import { SYNC_MAX_OPS } from '#src/contract/sync.ts'
import type { Input, Output } from '#src/contract/endpoint.ts'
import { ANONYMOUS } from './names.ts'
import type { Outbox } from './outbox.ts'
import type { WaitingOp } from './rows.ts'

export type SyncInput = Input<typeof study.sync>
type SyncOutput = Output<typeof study.sync>
/** Sends one call as the student who made the ops. Throws the four errors of api/errors.ts. */
export type Send = (input: SyncInput) => Promise<SyncOutput>

/** Everything one drain can come to. */
export type Drained =
  | { to: 'done' }
  /** Nobody answered, or the server has a fault or is busy: later. */
  | { to: 'later'; why: 'offline' | 'server-fault'; afterMs: number | null; error: Error }
  /** The token is no longer taken: everything is kept until this student logs in again. */
  | { to: 'hold' }
  /** The server will not have this call at all (another student's token, say). Kept; trying again does not help. */
  | { to: 'refused'; error: Error }

export interface DrainOptions {
  record: Outbox
  owner: string
  device: string
  send: Send
  now: () => number
  /** Told after each answer which questions now look different. */
  onSettled?: (questionNos: string[]) => void
}

const TOO_LARGE = 413

/**
 * Sends this owner's ops, oldest first, and takes what changed on other devices, until neither is left or the network says
 * no. An op leaves only when the server has answered for it: a crash at any line sends it again, and the server drops repeats.
 */
export async function drain({ record, owner, device, send, now, onSettled }: DrainOptions): Promise<Drained> {
  if (owner === ANONYMOUS) return { to: 'done' }
  let size = SYNC_MAX_OPS
  for (let more = true; more;) {
    const ops = await record.batch(owner, size)
    const input = {
      device,
      owner: owner.slice(2),
      proto: 1 as const,
      sentAt: now(),
      cursor: await record.cursor(owner),
      ops: ops.map(onWire),
    }
    let answer: SyncOutput
    try {
      answer = await send(input)
    } catch (error) {
      if (error instanceof ServerFaultError && error.status === TOO_LARGE && size > 1) {
        size = Math.ceil(Math.min(size, ops.length) / 2)
        continue
      }
      return failed(error)
    }
    // Not inside the optional call, which without a listener would not settle at all.
    const questions = await record.settle(owner, answer, now())
    onSettled?.(questions)
    more = answer.more || (ops.length > 0 && (await record.batch(owner, 1)).length > 0)
    // A server that answers for none of the ops, or asks to wait, must not be asked in a tight loop.
    const settled = answer.verdicts.some((each) => each.verdict !== 'retry')
    if (more && !answer.more && !settled)
      return later('server-fault', waitOf(answer), new Error('study/sync answered for none of the ops'))
  }
  return { to: 'done' }
}

/** What travels: the record as it was first made. */
const onWire = ({ opId, seq, stream, kind, v, payload, ctx, clientAt }: WaitingOp): OpRecord => ({
  opId,
  seq,
  stream,
  kind,
  v,
  payload,
  ctx,
  clientAt,
})

const waitOf = ({ verdicts }: SyncOutput): number | null =>
  Math.max(0, ...verdicts.map((each) => (each.verdict === 'retry' ? each.afterMs : 0))) || null

const later = (why: 'offline' | 'server-fault', afterMs: number | null, error: Error): Drained => ({
  to: 'later',
  why,
  afterMs,
  error,
})

function failed(error: unknown): Drained {
  if (error instanceof UnauthorizedError) return { to: 'hold' }
  if (error instanceof OfflineError) return later('offline', null, error)
  if (error instanceof ServerFaultError) return later('server-fault', error.retryAfterMs, error)
  if (error instanceof DOMException) return later('offline', null, error)
  if (error instanceof Error) return { to: 'refused', error }
  throw error
}
