import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { findChromium } from './chromium.ts'

/** `npm test`: installs a browser if there is none, builds, checks, then runs every test in one run, whose summary comes last. */
process.chdir(path.resolve(import.meta.dirname, '..'))
const env = { ...process.env, CHROME: await findChromium() }
for (const [command, args] of [
  ['vite', ['build', '--logLevel', 'error']],
  [process.execPath, ['tools/check.ts']],
  ['vitest', ['run', ...process.argv.slice(2)]],
] as const) {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env })
  if (status !== 0) process.exit(status ?? 1)
}
