import type { Db } from '#server/db/open.ts'

export const readUserinfo = (db: Db, uid: string) =>
  db
    .selectFrom('student')
    .select(['uid', 'portrait', 'nickname', 'mobile'])
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()

export async function updateStudent(
  db: Db,
  uid: string,
  values: { nickname?: string; password?: string },
): Promise<void> {
  if (Object.keys(values).length > 0) await db.updateTable('student').set(values).where('uid', '=', uid).execute()
}
