import { isClaimed } from '#server/db/claim.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { type Db, openDatabase } from '#server/db/open.ts'
import type { Environment } from '#server/environment.ts'

/** Runs work on the server's database, whether the server runs or not. */
export async function withDatabase<T>(
  env: Pick<Environment, 'DATABASE_URL' | 'DATA_DIR'>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const embedded = env.DATABASE_URL ? null : await startEmbedded(env.DATA_DIR)
  const address = env.DATABASE_URL ? { url: env.DATABASE_URL } : { socketFolder: embedded?.socketFolder ?? '' }
  const db = await openDatabase(address, (error) => console.error(error.message))
  try {
    return await work(db)
  } finally {
    await db.destroy()
    // A server that has come meanwhile needs the database.
    if (embedded?.owned && !(await isClaimed(embedded.socketFolder))) await embedded.stop()
  }
}
