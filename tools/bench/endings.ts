import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'

/** What must be ended after a part, however the part ended: servers, browsers, folders. */
const endings: (() => Promise<unknown>)[] = []

export const atEnd = (end: () => Promise<unknown>): void => void endings.push(end)

/** Ends everything, newest first. A failing end never keeps the others from running. */
export async function endAll(): Promise<void> {
  for (let end = endings.pop(); end; end = endings.pop())
    await end().catch((error: unknown) => console.error('bench could not clean up:', error))
}

/**
 * A child that ends with the part, or with this process if it crashes. `signal` must be one on which the child also ends its
 * own children: the server stops its database on SIGTERM.
 */
export function spawnOurs(
  command: string,
  args: string[],
  options: SpawnOptions,
  signal: NodeJS.Signals,
): ChildProcess {
  const child = spawn(command, args, options)
  const kill = () => child.kill(signal)
  process.once('exit', kill)
  atEnd(async () => {
    process.off('exit', kill)
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    const gone = once(child, 'exit')
    kill()
    await gone
  })
  return child
}
