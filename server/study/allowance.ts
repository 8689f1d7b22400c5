import { type RawBuilder, sql } from 'kysely'
import { allowed, addHits } from '#server/http/limits.ts'
import type { Db } from '#server/db/open.ts'

/**
 * How much one student may store, and make the server fold. The most diligent do a few thousand things a day, and a phone that
 * was offline for weeks sends them all at once; beyond this somebody plays with the server, and others must not wait for that.
 */
const DAY_MS = 86_400_000
const OPS_A_DAY = 60_000
/** UTF-16 units of payload, as JSON. */
const SIZE_A_DAY = 40_000_000
/** Ops on one question are refused from here on: ten a day for half a year. */
export const OPS_OF_QUESTION = 2_000
/** So many ops are folded again for one batch: what more it asks for comes with the next one. */
const FOLDED_AT_ONCE = 3_000
/** And so many within ten minutes. */
const FOLDED = { max: 100_000, windowMs: 600_000 }
/** A device that is told "later" asks again after this. */
const AGAIN_MS = 30_000
const SOON_MS = 1_000

/** An op as it is going to be stored. */
interface Stands {
  payload: unknown
}

/** What a student has stored since `since`, epoch ms. */
export interface Stored {
  since: number
  ops: number
  size: number
}
const keysOf = (uid: string) => ({ ops: `study-ops:${uid}`, size: `study-size:${uid}` })

/** Of the day that began with the first op after the last such day; null: none has begun. */
export const storedBy = (uid: string): RawBuilder<unknown> => {
  const { ops, size } = keysOf(uid)
  return sql`select json_build_object('since', o.window_start, 'ops', o.hits, 'size', s.hits)
    from rate o join rate s on s.key = ${size} where o.key = ${ops}`
}
/** Counts what a batch stores, as part of the statement that does so: it has called the student's row `moved`. */
export function counting(uid: string, rows: readonly Stands[], now: number): RawBuilder<unknown> {
  const { ops, size } = keysOf(uid)
  return sql`insert into rate (key, window_start, hits)
    select t.key, ${now}, t.hits from moved, (values (${ops}, ${rows.length}::int), (${size}, ${rows.reduce((sum, row) => sum + sizeOf(row), 0)}::int)) as t(key, hits)
    ${addHits(DAY_MS)}`
}
const sizeOf = ({ payload }: Stands): number => JSON.stringify(payload).length

/** What is left of the student's day: tells of each op in turn whether it may still be stored, or else after how many ms. */
export function roomOf(stored: Stored | null, now: number): (row: Stands) => number {
  const open = stored && now - stored.since < DAY_MS ? stored : { since: now, ops: 0, size: 0 }
  let { ops, size } = open
  return (row) => {
    const grown = size + sizeOf(row)
    if (ops >= OPS_A_DAY || grown > SIZE_A_DAY)
      return Math.max(AGAIN_MS, Math.min(open.since + DAY_MS - now, DAY_MS / 24))
    ops++
    size = grown
    return 0
  }
}

/** A question that is to be folded again, and how many ops that reads. */
export interface Folding {
  no: string
  recorded: number
}
/** Questions that must wait for another batch, and how long. */
export interface Postponed {
  nos: ReadonlySet<string>
  afterMs: number
}

/** Which of a batch's questions are folded now: the first ones that fit, if the student's share of such work is not used up. */
export async function postponed(db: Db, uid: string, foldings: readonly Folding[], now: number): Promise<Postponed> {
  let sum = 0
  const fitting = foldings.filter(({ recorded }) => (sum += recorded) <= FOLDED_AT_ONCE)
  const hits = fitting.reduce((all, { recorded }) => all + recorded, 0)
  const all = foldings.map(({ no }) => no)
  // What costs next to nothing is not worth a question to the database.
  if (hits > OPS_OF_QUESTION / 20 && !(await allowed(db, { key: `study-folded:${uid}`, ...FOLDED, hits }, now)))
    return { nos: new Set(all), afterMs: AGAIN_MS }
  return { nos: new Set(all.slice(fitting.length)), afterMs: SOON_MS }
}
