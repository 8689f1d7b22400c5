import type { Db } from '#server/db/open.ts'

export async function readNames(db: Db): Promise<Record<string, string>> {
  const rows = await db.selectFrom('point').select(['no', 'name']).execute()
  return Object.fromEntries(rows.map(({ no, name }) => [no, name]))
}
