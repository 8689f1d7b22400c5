import { sql } from 'kysely'
import { startOf } from '#src/domain/time/day.ts'
import { timeOf } from '#src/domain/study/reminder.ts'
import type { Db } from '#server/db/open.ts'
import type { Subscription } from '#server/outside/push.ts'

/** @param session hash of its token */
export async function subscribe(
  db: Db,
  { uid, session, now }: { uid: string; session: string; now: number },
  { endpoint, p256dh, auth }: Subscription,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
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
  })
}

export const unsubscribe = async (db: Db, session: string): Promise<void> =>
  void (await db.deleteFrom('push_subscription').where('session', '=', session).execute())

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
/**
 * Reads whose time has come by a minute of a day, who have a device for it and were not told yet. Whoever chose the time, or turned the device on,
 * after that moment begins tomorrow. It begins at the devices, which are few: an index for it on `study_record`, the largest table, could not
 * be made without keeping servers from writing to it. Laterally, so that it stops at the last student of a step.
 * @param after the last student that was looked at
 */
export async function readDue(
  db: Db,
  { day, minute }: { day: number; minute: number },
  after: string,
  limit: number,
): Promise<DueStudent[]> {
  const [from, to] = [timeOf(Math.max(0, minute - LATE_MINUTES)), timeOf(minute)]
  const moment = sql`${startOf(day)}::bigint
    + (substr(r.value, 1, 2)::int * 60 + substr(r.value, 4, 2)::int) * 60000`
  const { rows } = await sql<DueStudent>`
    select p.uid, q.body ->> 'value' as quiet from (
      select uid, min(created_at) as since from push_subscription where uid > ${after} group by uid
    ) p
    cross join lateral (
      select body ->> 'value' as value, last_at from study_record
      where uid = p.uid and kind = 'setting' and id = 'reminderAt' limit 1
    ) r
    left join study_record q on q.uid = p.uid and q.kind = 'setting' and q.id = 'reminderQuiet'
    where r.value between ${from} and ${to} and r.last_at <= ${moment} and p.since <= ${moment}
      and not exists (select from reminded d where d.uid = p.uid and d.day >= ${day}::int)
    order by p.uid limit ${limit}`.execute(db)
  return rows
}

/** Settles a student's reminder of a day. False: that is done, here or on another server. */
export async function claimDay(db: Db, uid: string, day: number): Promise<boolean> {
  const { rows } = await sql`
    insert into reminded (uid, day) select uid, ${day}::int from student where uid = ${uid}
    on conflict (uid) do update set day = excluded.day where reminded.day < excluded.day returning uid`.execute(db)
  return rows.length > 0
}
