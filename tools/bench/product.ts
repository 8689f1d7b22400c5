import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Db, openDatabase } from '#server/db/open.ts'
import { authorise } from '#tests/support/login.ts'
import { ROOT } from './build.ts'
import { atEnd, spawnOurs } from './endings.ts'

export interface Student {
  uid: string
  token: string
}
export interface Product {
  url: string
  dataDir: string
  env: NodeJS.ProcessEnv
  /** The server's own database, for what no client can ask. */
  db: Db
  pid: number
  /** From spawning the process to its first answer, ms. */
  startMs: number
  /** With the operator's command, while the server runs. */
  importBank: (bank: unknown) => void
  /** Several in one command. */
  importBanks: (banks: readonly unknown[]) => void
  student: () => Promise<Student>
}

let mobiles = 15_000_000_000

export function makeFolder(name: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), `lijian-bench-${name}-`))
  atEnd(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/**
 * The real server process with demo content, on a database of its own: embedded, or the PostgreSQL of `databaseUrl`.
 * @param more variables of the server alone
 */
export async function startProduct(databaseUrl?: string, more: NodeJS.ProcessEnv = {}): Promise<Product> {
  const dataDir = makeFolder('data')
  const env: NodeJS.ProcessEnv = { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', DEMO: '1' }
  for (const name of ['DATABASE_URL', 'HOST', 'PUBLIC_URL']) delete env[name]
  if (databaseUrl) env.DATABASE_URL = databaseUrl
  const started = performance.now()
  const server = spawnOurs(
    process.execPath,
    ['server/main.ts'],
    { cwd: ROOT, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] },
    'SIGTERM',
  )
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (bytes: Buffer) => {
      output += bytes.toString()
      const at = /已启动：(http:\S+?)\/?\s/.exec(output)?.[1]
      if (at) resolve(at)
    }
    server.stdout?.on('data', hear)
    server.stderr?.on('data', hear)
    server.once('exit', () => reject(new Error(`the server ended:\n${output}`)))
  })
  const startMs = performance.now() - started
  const address = databaseUrl ? { url: databaseUrl } : { socketFolder: path.join(dataDir, 'postgres') }
  const db = await openDatabase(address, () => {})
  atEnd(() => db.destroy())
  const importBanks = (banks: readonly unknown[]): void => {
    const files = banks.map((bank, i) => {
      const file = path.join(dataDir, `bank-${i}.json`)
      writeFileSync(file, JSON.stringify(bank))
      return file
    })
    const { status, stderr } = spawnSync(process.execPath, ['server/bin/content.ts', 'import', ...files], {
      cwd: ROOT,
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    if (status !== 0) throw new Error(`import failed: ${stderr}`)
  }
  return {
    url,
    dataDir,
    env,
    db,
    startMs,
    pid: server.pid ?? 0,
    importBank: (bank) => importBanks([bank]),
    importBanks,
    student: () => authorise(db, String(++mobiles), Date.now()),
  }
}
