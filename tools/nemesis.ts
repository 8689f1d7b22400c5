import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { findChromium } from './chromium.ts'

/** `npm run nemesis`: tests/e2e/nemesis.test.ts with 20 seeds. NEMESIS_SEED=n NEMESIS_SEEDS=1 replays one. */
process.chdir(path.resolve(import.meta.dirname, '..'))
const env = { NEMESIS_SEEDS: '20', NEMESIS_STEPS: '60', ...process.env, CHROME: await findChromium() }
for (const [command, args] of [
  ['vite', ['build', '--logLevel', 'error']],
  ['vitest', ['run', '--project', 'e2e', 'tests/e2e/nemesis.test.ts', '--retry=0', ...process.argv.slice(2)]],
] as const) {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env })
  if (status !== 0) process.exit(status ?? 1)
}
