import type { Db } from '#server/db/open.ts'

export const readUserinfo = (db: Db, uid: string) =>
  db
    .selectFrom('student')
    .select(['uid', 'portrait', 'nickname', 'mobile'])
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()

/** @param passwordWas False, and nothing changed, when the stored password is another one by now. */
export async function updateStudent(
  db: Db,
  uid: string,
  values: { nickname?: string; portrait?: string; password?: string },
  passwordWas?: string | null,
): Promise<boolean> {
  if (Object.keys(values).length === 0) return true
  const student = db.updateTable('student').set(values).where('uid', '=', uid)
  const same = passwordWas === undefined ? student : student.where('password', 'is not distinct from', passwordWas)
  return (await same.executeTakeFirst()).numUpdatedRows > 0n
}
