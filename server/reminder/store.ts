import { sql } from 'kysely'
import { startOf } from '#src/domain/time/day.ts'
import { timeOf } from '#src/domain/study/reminder.ts'
import type { Db, Tx } from '#server/db/open.ts'
import type { Subscription } from '#server/outside/push.ts'

/** @param session hash of its token */
export async function subscribe(
  tx: Tx,
  { uid, session, now }: { uid: string; session: string; now: number },
  { endpoint, p256dh, auth }: Subscription,
): Promise<void> {
  // The browser gives everybody who uses it the same address: it belongs to who asked last.
  await tx
    .deleteFrom('push_subscription')
    .where((row) => row.or([row('session', '=', session), row('endpoint', '=', endpoint)]))
    .execute()
  // One of two calls at once is enough, and a session that has ended meanwhile gets none.
  await sql`
    insert into push_subscription (session, uid, endpoint, p256dh, auth, created_at)
    select token_hash, uid, ${endpoint}::text, ${p256dh}::text, ${auth}::text, ${now}::bigint from session
    where token_hash = ${session} and uid = ${uid} on conflict do nothing`.execute(tx)
}

/** @returns the devices that are left to the student */
export async function unsubscribe(tx: Tx, uid: string, session: string): Promise<number> {
  await tx.deleteFrom('push_subscription').where('session', '=', session).execute()
  const left = tx
    .selectFrom('push_subscription')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('uid', '=', uid)
  return (await left.executeTakeFirstOrThrow()).n
}

export const unsubscribeAll = async (tx: Tx, uid: string): Promise<void> =>
  void (await tx.deleteFrom('push_subscription').where('uid', '=', uid).execute())

/** The browser's maker takes no more messages there. */
export const forgetEndpoint = async (db: Db, endpoint: string): Promise<void> =>
  void (await db.deleteFrom('push_subscription').where('endpoint', '=', endpoint).execute())

export const readDevices = (db: Db, uid: string) =>
  db
    .selectFrom('push_subscription as p')
    .innerJoin('session as s', 's.token_hash', 'p.session')
    .select(['p.session', 'p.endpoint', 'p.created_at', 's.device'])
    .where('p.uid', '=', uid)
    .orderBy('p.created_at')
    .execute()

/** Sessions that have run out are swept once in a while: until then they get nothing. */
export const readSubscriptions = (db: Db, uid: string, now: number): Promise<Subscription[]> =>
  db
    .selectFrom('push_subscription as p')
    .innerJoin('session as s', 's.token_hash', 'p.session')
    .select(['p.endpoint', 'p.p256dh', 'p.auth'])
    .where('p.uid', '=', uid)
    .where('s.expires_at', '>', now)
    .execute()

/** A server that was away brings a reminder so late, and no later. */
const LATE_MINUTES = 180

export interface DueStudent {
  uid: string
  /** The setting is given as it is stored; null: the student has chosen none. */
  quiet: string | null
}
/** A minute of a day of Asia/Shanghai. */
export interface Moment {
  day: number
  minute: number
}
const msOf = ({ day, minute }: Moment): number => startOf(day) + minute * 60_000

/**
 * Reads whose time has come by a minute of a day, who have a device for it and were not told yet, or whose message is to be tried again.
 * Whoever chose the time, or turned the device on, after that moment begins tomorrow. A stored time that is none is nobody's: the cast is
 * guarded by a case, since PostgreSQL evaluates conditions in whatever order it likes. The query begins at the devices, which are few: an
 * index for it on `study_record`, the largest table, could not be made without keeping servers from writing to it. Laterally, so that it
 * stops at the last student of a step.
 * @param after the last student that was looked at
 */
export async function readDue(db: Db, moment: Moment, after: string, limit: number): Promise<DueStudent[]> {
  const { day, minute } = moment
  const [from, to] = [timeOf(Math.max(0, minute - LATE_MINUTES)), timeOf(minute)]
  const { rows } = await sql<DueStudent>`
    select p.uid, q.body ->> 'value' as quiet from (
      select uid, min(created_at) as since from push_subscription where uid > ${after} group by uid
    ) p
    cross join lateral (
      select body ->> 'value' as value, last_at, case when body ->> 'value' ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' then ${startOf(day)}::bigint
        + (substr(body ->> 'value', 1, 2)::int * 60 + substr(body ->> 'value', 4, 2)::int) * 60000 end as moment
      from study_record where uid = p.uid and kind = 'setting' and id = 'reminderAt' limit 1
    ) r
    left join study_record q on q.uid = p.uid and q.kind = 'setting' and q.id = 'reminderQuiet'
    where r.value between ${from} and ${to} and r.last_at <= r.moment and p.since <= r.moment
      and not exists (
        select from reminded d where d.uid = p.uid and d.day >= ${day}::int and not ${isAgain(day, msOf(moment))}
      )
    order by p.uid limit ${limit}`.execute(db)
  return rows
}

/**
 * The condition under which the message of a row `d` of `reminded` is tried again. A server from before sets `day` alone and leaves what an
 * earlier day has written in `again_at`, which is therefore looked at only where it lies on this day.
 */
const isAgain = (day: number, now: number) =>
  sql`(d.day = ${day}::int and d.again_at is not null and d.again_at between ${startOf(day)}::bigint and ${now}::bigint)`

/** After so many minutes a message that has reached nobody is tried again: once for each, and not once more. */
const AGAIN_MINUTES = [5, 15, 45]

/**
 * Claims a student's message of a day for one try, and says when the next one comes unless `settleDay` is called: so a server that is killed,
 * or whose call fails, leaves the message to that one. No try comes on another day.
 * @returns false: what became of the day's message is known, or another server has claimed it.
 */
export async function claimDay(db: Db, uid: string, day: number, now: number): Promise<boolean> {
  const times = AGAIN_MINUTES.map((minutes) => now + minutes * 60_000).filter((at) => at < startOf(day + 1))
  const { rows } = await sql`
    insert into reminded as d (uid, day, tries, again_at)
      select uid, ${day}::int, 1, ${times[0] ?? null}::bigint from student where uid = ${uid}
    on conflict (uid) do update set day = excluded.day,
      tries = case when d.day < excluded.day then 1 else d.tries + 1 end,
      again_at = (${times}::bigint[])[case when d.day < excluded.day then 1 else d.tries + 1 end]
    where d.day < excluded.day or ${isAgain(day, now)} returning d.uid`.execute(db)
  return rows.length > 0
}

/** Says that the message of a day needs no other try. */
export const settleDay = async (db: Db, uid: string, day: number): Promise<void> =>
  void (await db
    .updateTable('reminded')
    .set({ again_at: null })
    .where('uid', '=', uid)
    .where('day', '=', day)
    .execute())
