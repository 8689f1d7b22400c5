import { setTimeout as pause } from 'node:timers/promises'
import { countOthers, isClaimed } from '#server/db/claim.ts'
import { type EmbeddedServer, startEmbedded } from '#server/db/embedded.ts'
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
    if (embedded?.owned) await endEmbedded(embedded)
  }
}

const EVERY_MS = 200
/** Whoever waits longer is told why. */
const SILENT_MS = 2000

/** Stops the database that this command has started, once no other command uses it; a server that has come meanwhile keeps it. */
async function endEmbedded({ socketFolder, stop }: EmbeddedServer): Promise<void> {
  for (let waited = 0; (await countOthers(socketFolder)) > 0; waited += EVERY_MS) {
    if (await isClaimed(socketFolder)) return
    if (waited === SILENT_MS) console.error('另一条命令还在用数据库，等它结束…')
    await pause(EVERY_MS)
  }
  if (!(await isClaimed(socketFolder))) await stop()
}
