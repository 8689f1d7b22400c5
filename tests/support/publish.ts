import { sql } from 'kysely'
import { faultless } from '#server/content/draft.ts'
import { publishSources, type Source } from '#server/content/publish/publish.ts'
import type { Db } from '#server/db/open.ts'
import type { TestServer } from './server.ts'

/** Publishes a file the way an operator does. @throws FileFault when it has faults. */
export async function publishJson(
  { db, mediaDir, clock: { now } }: Pick<TestServer, 'db' | 'mediaDir' | 'clock'>,
  kind: Source['kind'],
  json: unknown,
  file: string,
): Promise<object | string> {
  const [done] = await publishSources(db, [{ file, kind, json }], { mediaDir, now, by: 'operator' })
  if (!done) throw new Error('nothing was published')
  return faultless(done, done.written).written
}

/** How many imports wait for their turn. */
export const importsWaiting = async (db: Db): Promise<number> =>
  (
    await sql`select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  ).rows.length
