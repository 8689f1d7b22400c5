import type { Measured, OpRecord } from '#src/contract/study.ts'
import { byTime, type Moment } from '#src/domain/study/moment.ts'

/** An op older than this is taken as this old: no device's clock can place an answer in another era. */
const OLDEST_MS = 400 * 86_400_000

/** A call, as far as it says how old its ops are. */
export interface Sent {
  /** The device's clock at sending, ms. */
  sentAt: number
  /** The same moment by the device's own measure; apps before have none. */
  measured?: Measured | undefined
  /** By the server's clock, epoch ms. */
  now: number
}
/** An op of the device that is stored: what is done later on the device is later. */
export interface Neighbour extends Moment {
  /** By the device's own measure; null for an op of an app before, or from a rescue file. */
  own: number | null
}

/**
 * When ops of one device were done, by the server's clock, epoch ms by op id. Their ages are differences on one clock, so a wrong
 * clock cancels out; one that was put right between an act and its sending does not, and there the device's own measure counts.
 * What the device did later is later here, too, as `byTime` has it, whatever its clock said and however long a call took.
 * @param stored ops of the device next to those sent, and those that have come before.
 */
export function momentsOf(ops: readonly OpRecord[], sent: Sent, stored: readonly Neighbour[]): Map<string, number> {
  const moments = new Map(ops.map((op) => [op.opId, dated(op, sent)]))
  const told = new Map(stored.map((each) => [each.opId, each]))
  const chain = [
    ...stored.map((each) => ({ ...each, fixed: true })),
    ...ops.flatMap(({ opId, measured }) =>
      told.has(opId) ? [] : [{ opId, own: measured?.own ?? null, at: moments.get(opId) ?? sent.now, fixed: false }],
    ),
  ]
    .flatMap(({ own, ...link }) => (own === null ? [] : [{ ...link, own }]))
    .sort((a, b) => byTime({ opId: a.opId, at: a.own }, { opId: b.opId, at: b.own }))
  pull(chain, sent.now)
  push(chain)
  for (const { opId, at } of chain) moments.set(opId, at)
  for (const { opId, at } of stored) moments.set(opId, at)
  return moments
}

function dated({ clientAt, measured }: OpRecord, { sentAt, measured: sending, now }: Sent): number {
  if (!measured || !sending) return Math.max(now - Math.max(0, sentAt - clientAt), now - OLDEST_MS)
  const latest = now - Math.max(0, sending.sure - measured.sure)
  const earliest = Math.max(measured.since ?? 0, now - OLDEST_MS)
  const at = now - Math.max(0, sending.own - measured.own)
  // Its clock was years behind, and put right since: then only what certainly passed says anything.
  if (at < earliest) return measured.since === undefined ? latest : Math.min(earliest, latest)
  return Math.min(at, latest)
}

interface Link extends Moment {
  fixed: boolean
}
/** Nothing is after what was done later, or after now: a clock that was ahead then is known to have been. */
function pull(chain: Link[], now: number): void {
  let next: Moment | null = null
  for (const link of chain.toReversed()) {
    if (!link.fixed) link.at = Math.min(link.at, now, next ? next.at - (link.opId < next.opId ? 0 : 1) : now)
    next = link
  }
}
/** Nothing is before what was done earlier: an answer may overtake another on the wire. */
function push(chain: Link[]): void {
  let last: Moment | null = null
  for (const link of chain) {
    if (!link.fixed && last && byTime(last, link) >= 0) link.at = last.at + (last.opId < link.opId ? 0 : 1)
    last = link
  }
}
