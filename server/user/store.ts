import { DatabaseError } from 'pg'
import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/open.ts'

export const readUserinfo = (db: Db, uid: string) =>
  db
    .selectFrom('student')
    .select(['uid', 'portrait', 'nickname', 'mobile'])
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()

/** @param passwordWas False, and nothing changed, when the stored password is another one by now. */
export async function updateStudent(
  db: Db | Tx,
  uid: string,
  values: { nickname?: string; portrait?: string; password?: string; mobile?: string },
  passwordWas?: string | null,
): Promise<boolean> {
  if (Object.keys(values).length === 0) return true
  const student = db.updateTable('student').set(values).where('uid', '=', uid)
  const same = passwordWas === undefined ? student : student.where('password', 'is not distinct from', passwordWas)
  return (await same.executeTakeFirst()).numUpdatedRows > 0n
}

export const hasMobile = async (db: Db, mobile: string): Promise<boolean> =>
  (await db.selectFrom('student').select('uid').where('mobile', '=', mobile).executeTakeFirst()) !== undefined

const UNIQUE_VIOLATION = '23505'

/** `taken`: another account has it; `moved`: the password is another one by now. The transaction is lost then. */
export async function setMobile(
  tx: Tx,
  uid: string,
  mobile: string,
  passwordWas: string | null,
): Promise<'set' | 'taken' | 'moved'> {
  try {
    return (await updateStudent(tx, uid, { mobile }, passwordWas)) ? 'set' : 'moved'
  } catch (error) {
    // Of two students who take it at the same moment one comes second.
    if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) return 'taken'
    throw error
  }
}

/** Nothing that names the student is written any more until the transaction has ended; afterwards there may be no student. */
export const lockStudent = (tx: Tx, uid: string) =>
  tx.selectFrom('student').select(['mobile', 'password']).where('uid', '=', uid).forUpdate().executeTakeFirst()

/**
 * Codes, and counters under the student's uid. Those of messages sent to the mobile stay for their two days: else an account that
 * is made and closed again and again would get as many as it likes.
 */
export async function forgetTries(tx: Tx, uid: string, mobile: string): Promise<void> {
  await tx.deleteFrom('image_code').where('mobile', '=', mobile).execute()
  await tx.deleteFrom('sms_code').where('mobile', '=', mobile).execute()
  await tx
    .deleteFrom('rate')
    .where(sql<string>`split_part(key, ':', 2)`, 'in', [uid, mobile])
    .execute()
}

export const deleteStudent = async (tx: Tx, uid: string): Promise<void> =>
  void (await tx.deleteFrom('student').where('uid', '=', uid).execute())
