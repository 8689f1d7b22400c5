import { spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { findChromium, findHeadlessShell } from './chromium.ts'

/**
 * `npm run hunt -- [FILE…] [--times N]`: looks for tests that fail by chance. Runs each file (all of them when none is named) five
 * times, each time under other circumstances: another time zone, and a clock that passes midnight, the end of a month or New Year a
 * few seconds after the file has begun. Another process keeps one core busy all the while. Prints what failed, and when.
 *
 * The clock is moved by libfaketime for every process of a run alike, database, server and browser among them.
 */
interface Circumstance {
  zone: string
  /** The time at which a file begins, in ISO 8601; null: the real one. */
  begins: string | null
}
/** Midnight is China's, by which the product counts days, or that of the time zone itself. */
const CIRCUMSTANCES: readonly Circumstance[] = [
  { zone: 'Asia/Shanghai', begins: null },
  { zone: 'America/Los_Angeles', begins: '2026-11-30T15:59:50Z' },
  { zone: 'Pacific/Kiritimati', begins: '2026-12-31T15:59:50Z' },
  { zone: 'Asia/Shanghai', begins: '2027-02-28T15:59:50Z' },
  { zone: 'America/Los_Angeles', begins: '2027-01-01T07:59:50Z' },
]
const LIBRARY = '/usr/lib/*/faketime/libfaketimeMT.so.1'

process.chdir(path.resolve(import.meta.dirname, '..'))

function findFaketime(): string {
  const [found] = globSync(LIBRARY)
  if (found) return found
  if (process.getuid?.() === 0) spawnSync('apt-get', ['install', '-y', '-q', 'faketime'], { stdio: 'inherit' })
  const [installed] = globSync(LIBRARY)
  if (!installed) throw new Error('libfaketime is missing: apt-get install faketime')
  return installed
}

/** Seconds by which the clock is moved are fixed at the start of a run, so that all its processes agree. */
function environmentOf({ zone, begins }: Circumstance, library: string): NodeJS.ProcessEnv {
  const env = { ...process.env, TZ: zone }
  if (begins === null) return env
  const seconds = Math.round((Date.parse(begins) - Date.now()) / 1000)
  return { ...env, LD_PRELOAD: library, FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}`, FAKETIME_NO_CACHE: '1' }
}

interface Report {
  testResults: { name: string; message: string; assertionResults: { fullName: string; status: string }[] }[]
}

/** @returns what failed in the file: titles of tests, or the file's own fault */
async function run(file: string, circumstance: Circumstance, library: string, folder: string): Promise<string[]> {
  const output = path.join(folder, 'report.json')
  rmSync(output, { force: true })
  const child = spawn('vitest', ['run', file, '--retry=0', '--reporter=json', `--outputFile.json=${output}`], {
    env: environmentOf(circumstance, library),
    stdio: 'ignore',
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code === 0) return []
  if (!existsSync(output)) return [`vitest ended with ${code} and without a report`]
  const report: Report = JSON.parse(readFileSync(output, 'utf8'))
  const failed = report.testResults.flatMap(({ assertionResults, message }) => {
    const titles = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
    return titles.length > 0 || !message ? titles : [message.split('\n')[0] ?? '']
  })
  return failed.length > 0 ? failed : ['a fault outside of its tests']
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: String(CIRCUMSTANCES.length) } },
})
const files = positionals.length > 0 ? positionals : globSync('tests/**/*.test.{ts,tsx}').toSorted()
const library = findFaketime()
process.env.CHROME = await findChromium()
process.env.CHROME_SHELL = await findHeadlessShell()
const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-hunt-'))
// Its own cluster: other work goes on beside a hunt.
process.env.TEST_DATA_DIR = path.join(folder, 'data')
const load = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })

let failures = 0
try {
  for (const file of files)
    for (let time = 0; time < Number(values.times); time++) {
      const circumstance = CIRCUMSTANCES[time % CIRCUMSTANCES.length] ?? { zone: 'UTC', begins: null }
      const started = Date.now()
      const failed = await run(file, circumstance, library, folder)
      failures += failed.length
      const { zone, begins } = circumstance
      const seconds = Math.round((Date.now() - started) / 1000)
      console.log(`${failed.length > 0 ? '✗' : '✓'} ${file} · ${zone} · ${begins ?? 'now'} · ${seconds} s`)
      for (const title of failed) console.log(`    ${title}`)
    }
} finally {
  load.kill()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
console.log(failures === 0 ? 'Nothing failed.' : `${failures} failures.`)
process.exit(failures === 0 ? 0 : 1)
