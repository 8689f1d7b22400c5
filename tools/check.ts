import { spawnSync } from 'node:child_process'
import path from 'node:path'

/** `npm run check`: everything that can be known without running the product. Stops at nothing, fails if anything failed. */
const CHECKS: [string, string[]][] = [
  ...['pure', 'browser', 'worker', 'server'].map((part): [string, string[]] => [
    'tsc',
    ['-p', `tsconfig.${part}.json`],
  ]),
  ['oxlint', ['--type-aware', '--deny-warnings']],
  ['oxfmt', ['--check']],
  ['depcruise', ['--config', '.dependency-cruiser.mjs', 'src', 'server']],
  ['knip', []],
  // These tests read sources only. They fail at once when a line that they quote has moved.
  [
    'vitest',
    ['run', '--silent=true', 'tests/faults', 'tests/tree', 'tests/classes', 'tests/ui/tokens', 'tests/offline/readme'],
  ],
]

process.chdir(path.resolve(import.meta.dirname, '..'))
const failed = CHECKS.filter(([command, args]) => {
  const started = performance.now()
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  console.log(
    `${status === 0 ? '✓' : '✗'} ${command} ${args.join(' ')} (${Math.round(performance.now() - started)} ms)`,
  )
  return status !== 0
})
process.exit(failed.length > 0 ? 1 : 0)
