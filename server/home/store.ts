import type { Db, Tx } from '#server/db/open.ts'

const NOTICE = 'notice'

/** '' when there is none. */
export async function readNotice(db: Db): Promise<string> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', NOTICE).executeTakeFirst()
  return row?.value ?? ''
}

export async function writeNotice(db: Db | Tx, text: string): Promise<void> {
  await db
    .insertInto('setting')
    .values({ key: NOTICE, value: text })
    .onConflict((c) => c.column('key').doUpdateSet({ value: text }))
    .execute()
}
