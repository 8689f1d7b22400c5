import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, globSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { spawnOurs } from './endings.ts'
import { makeFolder } from './product.ts'

const TRIES = 100

/** A PostgreSQL of this machine on a new cluster with its own defaults; or why there is none. */
export async function startPostgres(): Promise<{ url: string; data: string; version: string } | { why: string }> {
  const bin = globSync('/usr/lib/postgresql/*/bin')
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .findLast((folder) => existsSync(path.join(folder, 'initdb')))
  if (!bin) return { why: 'no PostgreSQL in /usr/lib/postgresql (apt-get install -y postgresql)' }
  const folder = makeFolder('postgres')
  const account = accountFor()
  if (account === null) return { why: 'PostgreSQL refuses root, and there is no user postgres' }
  if ('uid' in account) chownSync(folder, account.uid, account.gid)
  const data = path.join(folder, 'data')
  const made = spawnSync(
    path.join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'],
    { ...account, encoding: 'utf8' },
  )
  if (made.status !== 0) return { why: `initdb failed: ${made.stderr}` }
  const options = { ...account, stdio: 'ignore' as const }
  spawnOurs(path.join(bin, 'postgres'), ['-D', data, '-k', folder, '-c', 'listen_addresses='], options, 'SIGINT')
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`
  for (let tries = 0; tries < TRIES; tries++) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ server_version: string }>('show server_version')
      return { url, data, version: rows[0]?.server_version ?? '' }
    } catch {
      await pause(100)
    } finally {
      await client.end().catch(() => {})
    }
  }
  return { why: 'PostgreSQL did not start' }
}

/** Empty for who is not root: then the server runs as this user. */
function accountFor(): { uid: number; gid: number } | Record<string, never> | null {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout),
  )
  return uid && gid ? { uid, gid } : null
}
