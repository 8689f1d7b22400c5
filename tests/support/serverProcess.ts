import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { bareEnv } from './processEnv.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

export interface Run {
  url: string
  child: ChildProcess
  output: () => string
  /** Resolves with the exit code; null when a signal ended it. */
  ended: Promise<number | null>
}
const running = new Set<ChildProcess>()
const folders: string[] = []

/** The process that holds the folder's database; null when its file names none. */
export function postmasterIn(folder: string): number | null {
  const lock = path.join(folder, 'postgres/data/postmaster.pid')
  return existsSync(lock) ? Number.parseInt(readFileSync(lock, 'utf8'), 10) : null
}
/** A server that was killed leaves its database running, and the next one only attaches to it. */
function stopDatabaseIn(folder: string): void {
  const pid = postmasterIn(folder)
  if (pid !== null) process.kill(pid, 'SIGINT')
}

/** Ends what a test has started and removes its folders. */
export async function endAll(): Promise<void> {
  for (const child of running) {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    if (child.kill('SIGTERM')) await gone
  }
  for (const folder of folders.splice(0)) {
    stopDatabaseIn(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** A folder of its own for a test. */
export function dataFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-process-'))
  folders.push(folder)
  return folder
}

/** `node server/main.ts` as an operator runs it, with nothing of the test run's environment but the path. */
export function launch(env: Record<string, string>): Run {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: ROOT,
    env: { ...bareEnv, DEMO: '0', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  child.stdout.on('data', (bytes: Buffer) => void (output += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => void (output += bytes.toString()))
  const ended = new Promise<number | null>((resolve) =>
    // 'close' and not 'exit': its last lines have been read by then.
    child.once('close', (code) => {
      running.delete(child)
      resolve(code)
    }),
  )
  return { child, output: () => output, ended, url: '' }
}

/** Until it says that it has started; the address is the one it printed. */
export async function start(env: Record<string, string>): Promise<Run> {
  const run = launch(env)
  const url = await new Promise<string>((resolve, reject) => {
    run.child.stdout?.on('data', () => {
      const found = /已启动：(http:\S+)/.exec(run.output())?.[1]
      if (found) resolve(found)
    })
    void run.ended.then(() => reject(new Error(`it ended:\n${run.output()}`)))
  })
  return { ...run, url }
}
/** What a start says that must not succeed. */
export async function fails(env: Record<string, string>): Promise<string> {
  const run = launch(env)
  expect(await run.ended).toBe(1)
  return run.output()
}
export async function end(run: Run, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  run.child.kill(signal)
  return run.ended
}
/** Asks the folder's database itself. */
export async function sqlIn(dataDir: string, text: string) {
  const client = new pg.Client({ host: path.join(dataDir, 'postgres'), user: 'postgres', database: 'postgres' })
  await client.connect()
  try {
    const { rows }: { rows: { id: string; code: string }[] } = await client.query(text)
    return rows
  } finally {
    await client.end()
  }
}
