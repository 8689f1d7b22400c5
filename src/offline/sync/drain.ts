import { isGateway, OfflineError, ServerFaultError, UnauthorizedError } from '#src/api/errors.ts'
import type { study } from '#src/contract/study.ts'
import { SYNC_FETCH_PAGE, SYNC_MAX_BYTES, SYNC_MAX_OPS } from '#src/contract/sync.ts'
import type { Input, Output } from '#src/contract/endpoint.ts'
import { ANONYMOUS } from '../device/names.ts'
import { bytesOf, type createOutbox, onWire } from './outbox.ts'
import type { WaitingOp } from '../device/rows.ts'
import type { Answered, createSettle } from './settle.ts'
import { type Clock, measuredAt, type Reading } from '../device/steadyClock.ts'

export type SyncInput = Input<typeof study.sync>
type SyncOutput = Output<typeof study.sync>
/** Sends one call as the student who made the ops. Throws the four errors of api/errors.ts. */
export type Send = (input: SyncInput) => Promise<SyncOutput>

/** The server has answered and taken none of the ops. The message is for the student. */
class NotTakenError extends Error {
  override readonly name = 'NotTakenError'
}

/** Everything one drain can come to. */
export type Drained =
  | { to: 'done' }
  /** Nobody answered for our server, the server has a fault or is busy, or the device could not write down its answer: later. */
  | { to: 'later'; why: 'offline' | 'server-fault' | 'storage'; afterMs: number | null; error: Error }
  /** The token is no longer taken: everything is kept until this student logs in again. */
  | { to: 'hold' }
  /** The server will not have this call at all (another student's token, say). Kept; trying again does not help. */
  | { to: 'refused'; error: Error }
  /** The sync was stopped meanwhile; what had come is on disk. */
  | { to: 'stopped' }

/** Listeners are told how far an answer has come; `came` counts its changes. */
export interface Settled extends Pick<Answered, 'more' | 'left'> {
  came: number
}
type OnSettled = (questionNos: string[], settled: Settled) => void
/** The first answer of many, with the call that it answers. */
export interface First {
  owner: string
  device: string
  cursor: number
  answer: SyncOutput
}
/** `refused`: the page takes the answer in by itself, which does no harm a second time; `stopped`: nobody does any more. */
export type Filled = 'taken' | 'refused' | 'stopped'
/** Takes in a long record elsewhere. */
export type Fill = (first: First, onSettled: OnSettled | undefined) => Promise<Filled>

type Outbox = Pick<ReturnType<typeof createOutbox>, 'batch' | 'cursor' | 'clock'> & ReturnType<typeof createSettle>

export interface DrainOptions {
  record: Outbox
  owner: string
  device: string
  send: Send
  now: () => number
  /** ms by a clock that only goes forward (steadyClock.ts). */
  steady?: (() => number) | undefined
  /** Told after each answer which questions now look different, and how much it brought. */
  onSettled?: OnSettled | undefined
  fill?: Fill | undefined
  /** Whoever stops a drain while it runs lets its call end, and no other is begun. */
  isStopped?: () => boolean
}

const TOO_LARGE = 413

/**
 * Sends this owner's ops, oldest first, and takes what changed on other devices, until neither is left or the network says
 * no. An op leaves only when the server has answered for it: a crash at any line sends it again, and the server drops repeats.
 * A batch that is too large for something on the way is halved.
 * One answer is taken in while the next call is on its way, so that thousands of ops wait for the slower of the two only.
 * @param first an answer that has come already
 */
export async function drain(options: DrainOptions, first?: First): Promise<Drained> {
  const { record, owner, device, fill } = options
  if (owner === ANONYMOUS) return { to: 'done' }
  let size = SYNC_MAX_OPS
  let sent = await take(options, first?.cursor ?? record.cursor(owner), first ? [] : record.batch(owner, size))
  let given = first && { error: null, answer: first.answer }
  let settling = Promise.resolve()
  for (let after = 0; ;) {
    if (options.isStopped?.()) return settling.then(() => ({ to: 'stopped' }))
    const asked = given ?? (await ask(options, sent))
    given = undefined
    // In the order of their cursors: behind an answer that could not be taken in, no later one may be.
    await settling
    if (asked.error !== null) {
      if (!isTooLarge(asked.error)) return failed(asked.error)
      if (sent.ops.length > 1) {
        size = Math.ceil(sent.ops.length / 2)
        sent = await take(options, sent.cursor, sent.ops.slice(0, size))
        continue
      }
      // Something on the way takes not even one op of the usual size: later.
      if (!sent.ops.some((op) => bytesOf(op) > SYNC_MAX_BYTES)) return failed(asked.error)
      await settle(options, sent, refused(sent))
      sent = await take(options, sent.cursor, record.batch(owner, size, after))
      continue
    }
    const { answer } = asked
    if (fill && isLong(answer)) {
      const filled = await fill({ owner, device, cursor: sent.cursor, answer }, options.onSettled)
      if (filled === 'stopped') return { to: 'stopped' }
      if (filled === 'taken') {
        sent = await take(options, record.cursor(owner), record.batch(owner, size))
        continue
      }
    }
    // A server that answers for none of the ops, or asks to wait, must not be asked in a tight loop.
    const mute = sent.ops.length > 0 && !answer.more && answer.verdicts.every(({ verdict }) => verdict === 'retry')
    after = sent.ops.at(-1)?.seq ?? after
    // Begun before the settling, whose transaction each of its reads would wait for.
    const next = take(options, answer.cursor, mute ? [] : record.batch(owner, size, after))
    settling = settle(options, sent, answer)
    // The rejection is handled where `settling` is awaited.
    settling.catch(() => {})
    sent = await next
    if (sent.ops.length > 0 || answer.more) continue
    await settling
    if (mute) return later('server-fault', waitOf(answer), new NotTakenError('服务器暂时没有收到记录，稍后自动重试'))
    // What is to be tried again, and what was written meanwhile.
    sent = await take(options, answer.cursor, record.batch(owner, size))
    if (sent.ops.length === 0) return { to: 'done' }
  }
}

interface Sent {
  cursor: number
  ops: WaitingOp[]
  /** It measures the moment of the call without another read, which would wait for what is being written. */
  clock: Clock
}

async function take(
  options: DrainOptions,
  cursor: number | Promise<number>,
  ops: WaitingOp[] | Promise<WaitingOp[]>,
): Promise<Sent> {
  // Side by side: at a start every read waits for what is being drawn.
  const [read, known, clock] = await Promise.all([ops, cursor, options.record.clock()])
  return { cursor: known, ops: read, clock }
}

const reading = ({ now, steady = now }: Pick<DrainOptions, 'now' | 'steady'>): Reading => ({
  wall: now(),
  steady: steady(),
})

async function ask(
  options: DrainOptions,
  { cursor, ops, clock }: Sent,
): Promise<{ error: null; answer: SyncOutput } | { error: Error }> {
  const { owner, device, send } = options
  const at = reading(options)
  const input = {
    device,
    owner: owner.slice(2),
    proto: 1 as const,
    sentAt: at.wall,
    measured: measuredAt(clock, at),
    cursor,
    ops: ops.map(onWire),
  }
  try {
    return { error: null, answer: await send(input) }
  } catch (error) {
    if (error instanceof Error) return { error }
    throw error
  }
}

/** Only an answer to a call without ops says how much is left. */
const isLong = ({ left = 0 }: Answered): boolean => left >= SYNC_FETCH_PAGE

const isTooLarge = (error: Error): boolean => error instanceof ServerFaultError && error.status === TOO_LARGE

/** No call can carry it, so it is refused here, with its reason; else all others would wait behind it for ever. */
const refused = ({ ops, cursor }: Sent): Answered => ({
  verdicts: ops.map(({ opId }) => ({ opId, verdict: 'rejected', code: 'too_large', msg: '记录内容过长，无法保存' })),
  changes: [],
  cursor,
  // The server has said nothing of what has changed.
  more: true,
})

async function settle(options: DrainOptions, sent: Sent, answer: Answered): Promise<void> {
  // Not inside the optional call, which without a listener would not settle at all.
  const questions = await options.record.settle(options.owner, sent, answer, reading(options))
  const { changes, more, left } = answer
  options.onSettled?.(questions, { came: changes.length, more, ...(left !== undefined && { left }) })
}

const waitOf = ({ verdicts }: SyncOutput): number | null =>
  Math.max(0, ...verdicts.map((each) => (each.verdict === 'retry' ? each.afterMs : 0))) || null

const later = (why: 'offline' | 'server-fault', afterMs: number | null, error: Error): Drained => ({
  to: 'later',
  why,
  afterMs,
  error,
})

function failed(error: Error): Drained {
  if (error instanceof UnauthorizedError) return { to: 'hold' }
  if (error instanceof OfflineError) return later('offline', null, error)
  // Soon, then, without waiting for the gap to end: the first answer of our server is told (engine.reached).
  if (isGateway(error)) return later('offline', null, error)
  if (error instanceof ServerFaultError) return later('server-fault', error.retryAfterMs, error)
  return { to: 'refused', error }
}
