import { existsSync } from 'node:fs'
import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises'
import path from 'node:path'

/** Where Linux tells of each process. Elsewhere PostgreSQL's own checks decide alone. */
const PROCESSES = '/proc'

export interface Cluster {
  /** The cluster's data folder. */
  data: string
  socketFolder: string
}

/**
 * Removes what a killed server left behind and what would keep the next one from starting: files that name a process which is no
 * server of this folder, although another process may have its pid by now. Nothing is removed while any process of PostgreSQL
 * still works in the folder.
 * @param killOrphans also ends such processes if their server is gone: one that is busy does not notice that by itself. What it
 * has committed is safe, because to PostgreSQL this is a crash like any other.
 */
export async function clearLeftovers({ data, socketFolder }: Cluster, killOrphans: boolean): Promise<void> {
  if (!existsSync(path.join(PROCESSES, 'self/cwd')) || !existsSync(data)) return
  const processes = await processesIn(await realpath(data))
  const server = await pidIn(path.join(data, 'postmaster.pid'))
  if (server !== null && processes.includes(server)) return
  if (killOrphans) for (const pid of processes) kill(pid)
  if (processes.length > 0) return
  for (const file of [path.join(data, 'postmaster.pid'), path.join(socketFolder, '.s.PGSQL.5432.lock')])
    await rm(file, { force: true })
}

async function pidIn(file: string): Promise<number | null> {
  const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10)
  return pid > 0 ? pid : null
}

/** The pids of PostgreSQL's processes in the folder: each works there, and no zombie does. */
async function processesIn(folder: string): Promise<number[]> {
  const pids = (await readdir(PROCESSES)).filter((name) => /^\d+$/.test(name))
  const checked = pids.map(async (pid) => {
    const of = (name: string) => readlink(path.join(PROCESSES, pid, name)).catch(() => '')
    return (await of('cwd')) === folder && path.basename(await of('exe')).startsWith('postgres') ? [Number(pid)] : []
  })
  return (await Promise.all(checked)).flat()
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
