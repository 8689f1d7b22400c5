import { readdirSync, readFileSync } from 'node:fs'
import type { Load } from './load.ts'

/** Linux counts a process's time in hundredths of a second, whatever the kernel ticks at. */
const TICKS_PER_SECOND = 100

/**
 * Runs a load and tells what each of its units cost in CPU time: here, in the server, in its database. A rate tells how much of
 * the machine others left; this does not depend on them.
 */
export async function withCpu(
  pids: { server: number; database: number },
  work: () => Promise<Load>,
): Promise<Load & { cpuPerUnit: number; cpuShares: string }> {
  const spent = () => [process.cpuUsage(), pids.server, pids.database].map(secondsOf)
  const before = spent()
  const load = await work()
  const [here = 0, server = 0, database = 0] = spent().map((after, i) => ((after - (before[i] ?? 0)) * 1e6) / load.all)
  const cpuShares = `CPU µs each: load ${Math.round(here)}, server ${Math.round(server)}, database ${Math.round(database)}`
  return { ...load, cpuPerUnit: here + server + database, cpuShares }
}

const secondsOf = (of: NodeJS.CpuUsage | number): number =>
  typeof of === 'number' ? cpuSeconds(of) : (of.user + of.system) / 1e6

/** CPU seconds that a process has used, its children's with it: PostgreSQL works in one child per connection. NaN when unknown. */
function cpuSeconds(pid: number): number {
  const own = timesOf(pid)
  if (!own) return Number.NaN
  const children = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => timesOf(Number(entry)))
  const living = children.reduce((sum, child) => sum + (child?.parent === pid ? child.self : 0), 0)
  return (own.self + own.ended + living) / TICKS_PER_SECOND
}

/** `ended`: of children that are gone. */
function timesOf(pid: number): { parent: number; self: number; ended: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it, in brackets, may hold spaces.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map((i) => fields[i])
    return { parent, self: user + system, ended: endedUser + endedSystem }
  } catch {
    return null
  }
}
