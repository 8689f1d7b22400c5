import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { accountFor, findBinaries, initialise, launch, LOG } from './cluster.ts'
import { fullDisk, saysFull, spaceOf } from './disk.ts'
import { EmbeddedError } from './embeddedError.ts'
import { clearLeftovers } from './leftovers.ts'
import { troubleOf } from './troubles.ts'

export interface EmbeddedServer {
  /** Folder of the Unix socket: what `pg` calls the host. */
  socketFolder: string
  /** False when another process started the server: then `stop` leaves it running. */
  owned: boolean
  /** Stops the server if this process started it: connections are cut, everything committed is on disk. */
  stop: () => Promise<void>
}

/** `sockaddr_un` holds about 107 bytes, of which `/.s.PGSQL.5432` takes 15. */
const SOCKET_FOLDER_MAX = 90
const START_TRIES = 100
/** So many attempts are left to a killed server's last processes to end by themselves. */
const PATIENT_TRIES = 10
const LEAST_BYTES = 1024 ** 2
const TURN_EVERY_MS = 50
const TURN_MS = 120_000

/**
 * Starts PostgreSQL on the folder, or attaches to the one that already runs there. Simultaneous starts take turns: the first
 * makes the cluster and starts the server, the others attach.
 * @param signal ends the start: then nothing that it began runs on, and it throws.
 */
export async function startEmbedded(dataDir: string, signal?: AbortSignal): Promise<EmbeddedServer> {
  const folder = path.join(path.resolve(dataDir), 'postgres')
  const socketFolder = shortFolder(folder)
  for (const each of [folder, socketFolder])
    await mkdir(each, { recursive: true, mode: 0o700 }).catch((cause: unknown) => noFolder(each, cause))
  const attached: EmbeddedServer = { socketFolder, owned: false, stop: async () => {} }
  if (await answers(socketFolder)) return attached

  const endTurn = await takeTurn(folder, signal)
  try {
    if (await answers(socketFolder)) return attached
    const child = await start(folder, socketFolder, signal)
    return child ? { socketFolder, owned: true, stop: () => stop(child) } : attached
  } finally {
    endTurn()
  }
}

/** Null when a server answers that another process started without taking its turn. */
async function start(folder: string, socketFolder: string, signal?: AbortSignal): Promise<ChildProcess | null> {
  const data = path.join(folder, 'data')
  const binaries = await findBinaries()
  const account = await accountFor(binaries, [folder, socketFolder])
  await initialise(binaries, data, account)
  for (let tries = 0; tries < START_TRIES; tries++) {
    await clearLeftovers({ data, socketFolder }, tries >= PATIENT_TRIES)
    const { child, said, leave } = await launch(binaries, data, socketFolder, account)
    if (await ready(child, socketFolder, signal)) {
      leave()
      return child
    }
    // A killed server's last processes are still leaving, or another server is still starting or stopping.
    await pause(100, undefined, { signal })
    if (await answers(socketFolder)) return null
    const space = await spaceOf(data)
    // Without any space it cannot even write to its log why it ended.
    if (saysFull(await said()) || space.free < LEAST_BYTES) throw new EmbeddedError(fullDisk(data, space))
  }
  throw new EmbeddedError(`内置数据库无法启动，请查看 ${path.join(data, LOG)}`)
}

/** Waits for the right to start the folder's server. SQLite's lock is the kernel's, so it ends with its holder, by kill -9 too. */
async function takeTurn(folder: string, signal?: AbortSignal): Promise<() => void> {
  const lock = await openLock(path.join(folder, 'starting'))
  for (let waited = 0; ; waited += TURN_EVERY_MS) {
    try {
      lock.exec('begin exclusive')
      return () => lock.close()
    } catch (cause) {
      if (!isBusy(cause)) await noFolder(folder, cause)
      if (waited >= TURN_MS) throw new EmbeddedError('另一个进程一直在启动内置数据库，请先结束它，再试一次', { cause })
      await pause(TURN_EVERY_MS, undefined, { signal }).catch((aborted: unknown) => {
        lock.close()
        throw aborted
      })
    }
  }
}

/** SQLITE_BUSY: another process has the lock. */
const isBusy = (error: unknown): boolean => error instanceof Error && 'errcode' in error && error.errcode === 5

async function openLock(file: string): Promise<DatabaseSync> {
  try {
    return new DatabaseSync(file, { timeout: 0 })
  } catch (cause) {
    return noFolder(path.dirname(file), cause)
  }
}

async function noFolder(folder: string, cause: unknown): Promise<never> {
  const space = await spaceOf(folder)
  if (troubleOf(cause) === 'full' || space.free === 0) throw new EmbeddedError(fullDisk(folder, space), { cause })
  throw new EmbeddedError(`无法写入数据目录 ${folder}，请检查 DATA_DIR 的权限`, { cause })
}

function shortFolder(folder: string): string {
  if (Buffer.byteLength(folder) <= SOCKET_FOLDER_MAX) return folder
  return path.join(os.tmpdir(), `lijian-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`)
}

/** Whether a server takes connections on the socket. A pid proves nothing: it may be a zombie, or another process. */
async function answers(socketFolder: string): Promise<boolean> {
  const client = new pg.Client({
    host: socketFolder,
    user: 'postgres',
    database: 'postgres',
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** Waits until the server we launched takes connections. False when it ended: another one holds the folder, or `signal` ended it. */
async function ready(child: ChildProcess, socketFolder: string, signal?: AbortSignal): Promise<boolean> {
  const end = new AbortController()
  child.once('exit', () => end.abort()).once('error', () => end.abort())
  while (!end.signal.aborted) {
    if (signal?.aborted && child.pid !== undefined) await stop(child)
    if (child.pid !== undefined && (await answers(socketFolder)) && ownsLock(child.pid, socketFolder)) return true
    await pause(20)
  }
  return false
}

/** The second line-up of a lost race: a socket may answer although our own process is about to give up. */
function ownsLock(pid: number, socketFolder: string): boolean {
  try {
    const holder = Number.parseInt(readFileSync(path.join(socketFolder, '.s.PGSQL.5432.lock'), 'utf8'), 10)
    // Inside a user namespace the child is `unshare` itself, which becomes the server, so the pid is the same.
    return holder === pid
  } catch {
    return false
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  await gone
}
