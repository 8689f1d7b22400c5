import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/open.ts'

/** Work of a kind that some server is to do once. */
export interface NewJob {
  kind: string
  /** JSON; each kind checks its own. */
  args: object
  /** The first of several that are put in under one key is the only one. */
  key?: string
  /** Epoch ms. */
  now: number
}

/** Puts work in, in the transaction of whoever wants it done. */
export async function putJob(db: Db | Tx, { kind, args, key, now }: NewJob): Promise<void> {
  await db
    .insertInto('job')
    .values({ kind, args: JSON.stringify(args), key: key ?? null, created_at: now })
    .onConflict((c) => c.column('key').doNothing())
    .execute()
}

/**
 * Asks for the end of work that has not ended: whoever does it stops when they next write down their place. Reminders are never cancelled;
 * imports and exports that the operators begin are to be.
 */
export async function cancelJob(db: Db | Tx, id: number): Promise<void> {
  // Work that waits for another try is cancelled at once.
  await sql`
    update job set cancel = true, lease_until = case state when 'waiting' then 0 else lease_until end
    where id = ${id} and state in ('waiting', 'running')`.execute(db)
}

/** Tells whether work of a kind has not ended. */
export async function isOpen(db: Db, kind: string): Promise<boolean> {
  const open = db.selectFrom('job').select('id').where('kind', '=', kind).where('state', 'in', ['waiting', 'running'])
  return (await open.limit(1).executeTakeFirst()) !== undefined
}

const KEPT_MS = 30 * 86_400_000
/** Ended work is kept for a month, for whoever asks what became of it. */
export async function sweepJobs(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('job')
    .where('ended_at', '<', now - KEPT_MS)
    .execute()
}

/** Work that this server holds. */
export interface HeldJob {
  id: number
  kind: string
  args: unknown
  cursor: string | null
  progress: number
  /** Holders since its place was last written down, this one counted. */
  tries: number
  cancel: boolean
}

/** Takes the oldest work that nobody holds, or whose holder has not been heard of since its lease. */
export async function takeJob(
  db: Db,
  kinds: readonly string[],
  holder: string,
  { now, until }: { now: number; until: number },
): Promise<HeldJob | null> {
  const { rows } = await sql<HeldJob>`
    update job set state = 'running', holder = ${holder}, lease_until = ${until}, tries = tries + 1
    where id = (
      select id from job where state in ('waiting', 'running') and lease_until <= ${now} and kind = any(${kinds})
      order by id limit 1 for update skip locked
    ) returning id, kind, args, cursor, progress, tries, cancel`.execute(db)
  return rows[0] ?? null
}

/** A holder may change these fields of its work. */
interface Held {
  state?: 'waiting' | 'done' | 'failed' | 'cancelled'
  cursor?: string
  progress?: number
  lease_until?: number
  tries?: number
  result?: string
  ended_at?: number
}
/** @returns whether it is to be cancelled; null, and nothing is written, when somebody else holds it by now. */
export async function writeHeld(db: Db, id: number, holder: string, values: Held): Promise<boolean | null> {
  const row = await db
    .updateTable('job')
    .set(values)
    .where('id', '=', id)
    .where('holder', '=', holder)
    .where('state', '=', 'running')
    .returning('cancel')
    .executeTakeFirst()
  return row?.cancel ?? null
}
