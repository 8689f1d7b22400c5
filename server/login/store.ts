import { type RawBuilder, sql } from 'kysely'
import { dayOf } from '#src/domain/time/day.ts'
import type { Db, Tx } from '#server/db/open.ts'

const DAY_MS = 86_400_000
/** A session ends so long after it was used last, */
const SESSION_MS = 30 * DAY_MS
/** and so long after it was begun, however often it is used. */
export const SESSION_MOST_MS = 90 * DAY_MS

/** What was proven of who logs in. `password`: as it was stored then; left out where a code was the proof. */
export interface Proven {
  uid: string
  mobile: string
  password?: string
}

/**
 * False, and nothing begun, when it is not true of the student any more. Whoever changes password or mobile, closes the account or
 * ends its sessions holds the student's row: this waits for them, or they for this, and then they see the session that they end.
 */
export async function insertSession(
  db: Db | Tx,
  hash: string,
  { uid, mobile, password }: Proven,
  now: number,
  device: string,
): Promise<boolean> {
  const { rows } = await sql<{ uid: string }>`
    with proven as (select uid from student where uid = ${uid} and mobile = ${mobile}
      and (${password ?? null}::text is null or password = ${password ?? null}) for share)
    insert into session (token_hash, uid, device, created_at, expires_at, seen_at)
      select ${hash}, uid, ${device}, ${now}, ${now + SESSION_MS}, ${now} from proven returning uid`.execute(db)
  return rows.length > 0
}

/**
 * Until the transaction ends nobody logs in as this student, or ends their sessions.
 * @returns false: this session has ended itself
 */
export async function holdSessions(tx: Tx, uid: string, hash: string): Promise<boolean> {
  await tx.selectFrom('student').select('uid').where('uid', '=', uid).forNoKeyUpdate().executeTakeFirst()
  const own = tx.selectFrom('session').select('uid').where('token_hash', '=', hash).where('uid', '=', uid)
  return (await own.executeTakeFirst()) !== undefined
}

/** The student of a live session; keeps a used session alive, by one write a day: at every call it would be one a call. */
export async function sessionUid(db: Db, hash: string, now: number): Promise<string | null> {
  const row = await db
    .selectFrom('session')
    .select(['uid', 'seen_at', 'created_at'])
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .where('created_at', '>', now - SESSION_MOST_MS)
    .executeTakeFirst()
  if (row && dayOf(row.seen_at) < dayOf(now))
    await db
      .updateTable('session')
      .set({ seen_at: now, expires_at: Math.min(now + SESSION_MS, row.created_at + SESSION_MOST_MS) })
      .where('token_hash', '=', hash)
      .execute()
  return row?.uid ?? null
}

/** Tells whether a session was ended elsewhere: it has not run out, and its own device has not logged out. */
export const hasEnded = async (db: Db, hash: string): Promise<boolean> =>
  (await db.selectFrom('ended_session').select('at').where('token_hash', '=', hash).executeTakeFirst()) !== undefined

/** Ends sessions from outside of their devices. @param which of the rows of `session` */
async function endSessions(tx: Tx, which: RawBuilder<unknown>, now: number): Promise<void> {
  await sql`with ended as (delete from session where ${which} returning token_hash)
    insert into ended_session (token_hash, at) select token_hash, ${now} from ended on conflict do nothing`.execute(tx)
}
export const endAllSessions = (tx: Tx, uid: string, now: number): Promise<void> =>
  endSessions(tx, sql`uid = ${uid}`, now)
export const endOtherSessions = (tx: Tx, uid: string, hash: string, now: number): Promise<void> =>
  endSessions(tx, sql`uid = ${uid} and token_hash <> ${hash}`, now)
export const endSessionById = (tx: Tx, uid: string, id: string, now: number): Promise<void> =>
  endSessions(tx, sql`uid = ${uid} and id = ${id}`, now)

/** A device that nobody has logged in on for so long is a stranger again. */
export const KNOWN_MS = 400 * DAY_MS

export const isKnownDevice = async (db: Db, mobile: string, deviceHash: string): Promise<boolean> =>
  (await db
    .selectFrom('known_device')
    .innerJoin('student', 'student.uid', 'known_device.uid')
    .select('known_device.uid')
    .where('mobile', '=', mobile)
    .where('device_hash', '=', deviceHash)
    .executeTakeFirst()) !== undefined

/** Of a student who logs in on it. @returns whether it is new to them */
export async function rememberDevice(db: Db | Tx, uid: string, deviceHash: string, now: number): Promise<boolean> {
  // A row that was only updated has the transaction that did so in xmax.
  const { rows } = await sql<{ isNew: boolean }>`
    insert into known_device (uid, device_hash, seen_at) values (${uid}, ${deviceHash}, ${now})
    on conflict (uid, device_hash) do update set seen_at = excluded.seen_at returning xmax = 0 as "isNew"`.execute(db)
  return rows[0]?.isNew ?? false
}

export async function deleteSession(db: Db, hash: string): Promise<void> {
  await db.deleteFrom('session').where('token_hash', '=', hash).execute()
}

/** The live ones, the one used last first. */
export const readSessions = (db: Db | Tx, uid: string, now: number) =>
  db
    .selectFrom('session')
    .select(['token_hash as hash', 'id', 'device', 'created_at as createdAt', 'seen_at as seenAt'])
    .where('uid', '=', uid)
    .where('expires_at', '>', now)
    .orderBy('seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .execute()

export async function sweepLogin(db: Db, now: number): Promise<void> {
  await db.deleteFrom('session').where('expires_at', '<=', now).execute()
  await db
    .deleteFrom('known_device')
    .where('seen_at', '<=', now - KNOWN_MS)
    .execute()
  // Whoever has not asked by then is told that it has run out.
  await db
    .deleteFrom('ended_session')
    .where('at', '<=', now - SESSION_MOST_MS)
    .execute()
  await db.deleteFrom('image_code').where('expires_at', '<=', now).execute()
  await db.deleteFrom('sms_code').where('expires_at', '<=', now).execute()
}

export async function credentials(
  db: Db,
  mobile: string,
): Promise<{ uid: string; password: string | null } | undefined> {
  return db.selectFrom('student').select(['uid', 'password']).where('mobile', '=', mobile).executeTakeFirst()
}

/** Waits for whoever changes the student of this mobile, as logging in does: before the code is spent, since closing forgets it. */
export const awaitStudent = async (tx: Tx, mobile: string): Promise<void> =>
  void (await tx.selectFrom('student').select('uid').where('mobile', '=', mobile).forShare().executeTakeFirst())

export async function account(db: Db, uid: string): Promise<{ mobile: string; password: string | null }> {
  return db.selectFrom('student').select(['mobile', 'password']).where('uid', '=', uid).executeTakeFirstOrThrow()
}

/** The student of this mobile, made now if there is none. Two simultaneous calls make one. */
export async function findOrCreateStudent(db: Db | Tx, mobile: string, newUid: string, now: number): Promise<string> {
  await db
    .insertInto('student')
    .values({ uid: newUid, mobile, nickname: `学员${mobile.slice(-4)}`, portrait: '', password: null, created_at: now })
    .onConflict((c) => c.column('mobile').doNothing())
    .execute()
  const row = await db.selectFrom('student').select('uid').where('mobile', '=', mobile).executeTakeFirstOrThrow()
  return row.uid
}

export interface ImageCode {
  id: string
  mobile: string
  code: string
}
export async function putImageCode(db: Db, image: ImageCode, expiresAt: number): Promise<void> {
  await db
    .insertInto('image_code')
    .values({ ...image, expires_at: expiresAt })
    .execute()
}

/**
 * Takes the named picture away, whether its code is right or wrong: one picture, one try. Who names none (an earlier version of the
 * app does not) takes the one away that their code is right for, and else nothing: it could be another's.
 */
export async function takeImageCode(
  db: Db,
  { id, mobile, code }: ImageCode,
  now: number,
): Promise<'right' | 'wrong' | 'gone'> {
  const live = db.selectFrom('image_code').select('id').where('mobile', '=', mobile).where('expires_at', '>', now)
  if (id === '') {
    const right = live.where('code', '=', code).limit(1)
    const taken = await db.deleteFrom('image_code').where('id', 'in', right).returning('id').executeTakeFirst()
    if (taken) return 'right'
    return (await live.executeTakeFirst()) ? 'wrong' : 'gone'
  }
  const taken = await db
    .deleteFrom('image_code')
    .where('id', '=', id)
    .where('mobile', '=', mobile)
    .where('expires_at', '>', now)
    .returning('code')
    .executeTakeFirst()
  return taken ? (taken.code === code ? 'right' : 'wrong') : 'gone'
}

export async function putSmsCode(db: Db, mobile: string, hash: string, expiresAt: number): Promise<void> {
  await db
    .insertInto('sms_code')
    .values({ mobile, code_hash: hash, expires_at: expiresAt, wrong: 0 })
    .onConflict((c) => c.column('mobile').doUpdateSet({ code_hash: hash, expires_at: expiresAt, wrong: 0 }))
    .execute()
}

/** Names the code that was sent last to a mobile and still counts, without telling it. */
export async function smsCodeName(db: Db, mobile: string, now: number): Promise<string | null> {
  const row = await db
    .selectFrom('sms_code')
    .select('code_hash')
    .where('mobile', '=', mobile)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.code_hash.slice(0, 16) ?? null
}

/**
 * Whether this is the code. A try is counted before it is looked at, in one statement that takes the row's lock: however many
 * guesses come at once, `maxTries` of them are looked at.
 */
export async function trySmsCode(
  db: Db,
  mobile: string,
  hash: string,
  now: number,
  maxTries: number,
): Promise<boolean> {
  const tried = await db
    .updateTable('sms_code')
    .set({ wrong: sql`wrong + 1` })
    .where('mobile', '=', mobile)
    .where('expires_at', '>', now)
    .where('wrong', '<', maxTries)
    .returning('code_hash')
    .executeTakeFirst()
  return tried?.code_hash === hash
}

/** False when it has ended before. */
export async function endSmsCode(db: Db | Tx, mobile: string, hash: string): Promise<boolean> {
  const used = await db
    .deleteFrom('sms_code')
    .where('mobile', '=', mobile)
    .where('code_hash', '=', hash)
    .returning('mobile')
    .executeTakeFirst()
  return used !== undefined
}

export const isStudent = async (tx: Tx, uid: string): Promise<boolean> =>
  (await tx.selectFrom('student').select('uid').where('uid', '=', uid).executeTakeFirst()) !== undefined
