import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { EmbeddedServer } from './embedded.ts'
import { EmbeddedError } from './embeddedError.ts'

const KEY = 20_261_121
/** Held shared by each command that uses the database, alone by the one that is about to stop it. */
const USE = 20_261_123
const END_MS = 10_000

export interface Claim {
  socketFolder: string
  /** Resolves when the claim is over, because it was given up or because the database has gone. */
  lost: Promise<void>
  /** Gives the folder up and stops its database, whoever started it. */
  end: () => Promise<void>
}

/**
 * One server a data folder. The claim is an advisory lock of the database itself, so it ends with its holder, by kill -9 too.
 * Operators' commands attach without a claim.
 * @throws EmbeddedError when another server holds it.
 */
export async function claimFolder(embedded: EmbeddedServer, dataDir: string): Promise<Claim> {
  const client = await connect(embedded.socketFolder)
  const lost = new Promise<void>((resolve) => client.once('end', resolve))
  const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [KEY])
  if (!rows[0]?.held) {
    await client.end()
    throw new EmbeddedError(`数据目录 ${dataDir} 正被另一个服务使用，请先停止它，或用 DATA_DIR 换一个目录`)
  }
  return {
    socketFolder: embedded.socketFolder,
    lost,
    end: async () => {
      await client.end().catch(() => {})
      if (embedded.owned) await embedded.stop()
      else await stopOrphan(path.join(path.resolve(dataDir), 'postgres/data'))
    },
  }
}

/** Whether a server holds the folder: then a command that started the database leaves it running. */
export async function isClaimed(socketFolder: string): Promise<boolean> {
  const client = await connect(socketFolder)
  const { rowCount } = await client.query(`select from pg_locks where locktype = 'advisory' and objid = $1`, [KEY])
  await client.end()
  return (rowCount ?? 0) > 0
}

/**
 * Says that a command uses the folder's database, until the client that is returned ends; null: whoever started it is about to
 * stop it, or it has just gone.
 */
export async function shareFolder(socketFolder: string): Promise<pg.Client | null> {
  try {
    const client = await connect(socketFolder)
    const { rows } = await client.query('select pg_try_advisory_lock_shared($1) as held', [USE])
    if (rows[0]?.held) return client
    await client.end()
  } catch {
    // Gone meanwhile.
  }
  return null
}

/** Whether no command uses the folder's database; none can begin to until it has been stopped. */
export async function closeFolder(socketFolder: string): Promise<boolean> {
  const client = await connect(socketFolder)
  const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [USE])
  if (rows[0]?.held) return true
  await client.end()
  return false
}

async function connect(socketFolder: string): Promise<pg.Client> {
  const client = new pg.Client({ host: socketFolder, user: 'postgres', database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** The database of a server that was killed goes on; its heir ends it by the pid that PostgreSQL keeps in its folder. */
async function stopOrphan(data: string): Promise<void> {
  const pid = Number.parseInt(await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => ''), 10)
  if (!pid) return
  for (let waited = 0; waited < END_MS; waited += 50) {
    try {
      process.kill(pid, waited === 0 ? 'SIGINT' : 0)
    } catch {
      return
    }
    await pause(50)
  }
}
