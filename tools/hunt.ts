import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { findChromium, findHeadlessShell } from './chromium.ts'
import type { Hunt } from './huntClock.ts'
import { movedBy, moveClock } from './movedClock.ts'

/**
 * `npm run hunt -- [FILE…] [--times N] [--from N]`: looks for tests that fail by chance. Runs the files (all of them when none is
 * named) five times, one after another, each time under other circumstances: another time zone, and a clock that passes midnight,
 * the end of a month or New Year while a file runs, each time at another point of it. Another process keeps one core busy all the
 * while. Prints what failed, and when. A hunt that was cut off goes on with `--from 3`.
 *
 * The clock is moved by libfaketime for every process of a run alike, database, server and browser among them.
 */
interface Circumstance {
  zone: string
  /** ISO 8601; null: the clock is left alone, and the run tells how long each file takes. */
  midnight: string | null
  share: number
}
/** Midnight is China's, by which the product counts days, or that of the time zone itself. */
const CIRCUMSTANCES: readonly [Circumstance, ...Circumstance[]] = [
  { zone: 'Asia/Shanghai', midnight: null, share: 0 },
  { zone: 'America/Los_Angeles', midnight: '2026-11-30T16:00:00Z', share: 0.5 },
  { zone: 'Pacific/Kiritimati', midnight: '2026-12-31T16:00:00Z', share: 0.7 },
  { zone: 'Asia/Shanghai', midnight: '2027-02-28T16:00:00Z', share: 0.85 },
  { zone: 'America/Los_Angeles', midnight: '2027-01-01T08:00:00Z', share: 0.3 },
]
process.chdir(path.resolve(import.meta.dirname, '..'))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: String(CIRCUMSTANCES.length) },
    from: { type: 'string', default: '1' },
  },
})
const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-hunt-'))
const chromium = { CHROME: await findChromium(), CHROME_SHELL: await findHeadlessShell() }
const clock = path.join(folder, 'clock')
/** The file outlives a hunt, because only the first circumstance tells how long a test file takes. */
const durations = path.resolve('node_modules/.cache/hunt/durations.json')
mkdirSync(path.dirname(durations), { recursive: true })
if (!existsSync(durations)) writeFileSync(durations, '{}')

/** Seconds by which the clock is moved stand in a file that every process of the run reads whenever it asks for the time. */
function begin({ zone, midnight, share }: Circumstance, time: number): ChildProcess {
  moveClock(clock, 0)
  const hunt: Hunt = {
    circumstance: `${zone} · ${midnight ?? 'now'}`,
    midnight: midnight === null ? null : Date.parse(midnight),
    share,
    clock,
    durations,
  }
  const options = ['--retry=0', '--no-file-parallelism', '--reporter=./tools/huntClock.ts']
  return spawn('vitest', ['run', ...positionals, ...options], {
    // A cluster for each run, as other work goes on beside a hunt, and no clock may run behind what a database has seen.
    env: {
      ...process.env,
      ...chromium,
      ...(midnight === null ? {} : movedBy(clock)),
      TZ: zone,
      TEST_DATA_DIR: path.join(folder, `data-${time}`),
      HUNT: JSON.stringify(hunt),
    },
    stdio: ['ignore', 'inherit', 'ignore'],
  })
}

const load = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
let failed = 0
try {
  for (let time = Number(values.from) - 1; time < Number(values.times); time++) {
    const run = begin(CIRCUMSTANCES[time % CIRCUMSTANCES.length] ?? CIRCUMSTANCES[0], time)
    if ((await new Promise((resolve) => run.once('close', resolve))) !== 0) failed += 1
  }
} finally {
  load.kill()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
console.log(failed === 0 ? 'Nothing failed.' : `Something failed in ${failed} runs.`)
process.exit(failed === 0 ? 0 : 1)
