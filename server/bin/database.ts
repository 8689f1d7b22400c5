import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { closeFolder, isClaimed, shareFolder } from '#server/db/claim.ts'
import { type EmbeddedServer, startEmbedded } from '#server/db/embedded.ts'
import { EmbeddedError } from '#server/db/embeddedError.ts'
import { type Db, openDatabase } from '#server/db/open.ts'
import type { Environment } from '#server/environment.ts'

/** Runs work on the server's database, whether the server runs or not. */
export async function withDatabase<T>(
  env: Pick<Environment, 'DATABASE_URL' | 'DATA_DIR'>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  if (env.DATABASE_URL) return onDatabase({ url: env.DATABASE_URL }, work)
  const { embedded, use } = await attach(env.DATA_DIR)
  try {
    return await onDatabase({ socketFolder: embedded.socketFolder }, work)
  } finally {
    await use.end()
    if (embedded.owned) await endEmbedded(embedded)
  }
}

async function onDatabase<T>(address: Parameters<typeof openDatabase>[0], work: (db: Db) => Promise<T>): Promise<T> {
  const db = await openDatabase(address, (error) => console.error(error.message))
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

const EVERY_MS = 200
const ATTACH_TRIES = 50
/** Whoever waits longer is told why. */
const SILENT_MS = 2000

/** The folder's database, started if nobody has; one that is being stopped is waited for and started again. */
async function attach(dataDir: string): Promise<{ embedded: EmbeddedServer; use: pg.Client }> {
  for (let tries = 0; tries < ATTACH_TRIES; tries++) {
    const embedded = await startEmbedded(dataDir)
    const use = await shareFolder(embedded.socketFolder)
    if (use) return { embedded, use }
    await pause(EVERY_MS)
  }
  throw new EmbeddedError('内置数据库正在停止，请稍后再试')
}

/** Stops the database that this command has started, once no other command uses it; a server that has come meanwhile keeps it. */
async function endEmbedded({ socketFolder, stop }: EmbeddedServer): Promise<void> {
  for (let waited = 0; !(await isClaimed(socketFolder)); waited += EVERY_MS) {
    if (await closeFolder(socketFolder)) return stop()
    if (waited === SILENT_MS) console.error('另一条命令还在用数据库，等它结束…')
    await pause(EVERY_MS)
  }
}
