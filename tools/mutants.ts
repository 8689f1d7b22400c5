import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `npm run mutants -- domain | offline | server [FILE…]`: StrykerJS changes the sources of that part (or the named files) one
 * operator at a time and runs the tests that reach the change. Prints the changes that no test noticed, and the share of those that
 * one did. Such a survivor is either equal to the original, or a test is missing: then it belongs to `tests/faults`, too.
 */
interface Part {
  sources: readonly string[]
  tests: readonly string[]
  /** This many lines, drawn by chance, stand for all: to change each would take a day. */
  lines?: number
  /** Milliseconds for one test. Watching which line runs makes the first run several times slower; a change may hang each test. */
  patience: number
}

/** They start processes of their own, which run the sources as they are, or read the sources. */
const NOT_CHANGED =
  /\/(bankExport|bucket|contentCommand|courseImport|demoUpgrade|draftReleases|embedded|failures|http|importTurns|media|newsImport|portrait|process|productName|refusals|releases|setImport|shopImport|site|static|supervision)\.test/

const PARTS: Record<string, Part> = {
  domain: { sources: ['src/domain/**/*.ts'], tests: globSync('tests/{domain,search}/**/*.test.ts'), patience: 60_000 },
  // Without the model and two devices, which reach all of it: each takes half a minute and more for one change.
  offline: {
    sources: ['src/offline/{record/write/*,sync/settle,sync/drain,sync/outbox}.ts'],
    tests: globSync(
      'tests/offline/{sync,outbox,engine,storage,trust,background,refused,tornLog,longRecord,fill,upkeep,sums,forget,evicted,versions,write,settle,fold,drain}.test.ts',
    ),
    patience: 15_000,
  },
  server: {
    sources: ['server/{study,exam,order,wallet,rights}/*.ts'],
    tests: globSync('tests/server/*.test.ts').filter((file) => !NOT_CHANGED.test(file)),
    lines: 300,
    patience: 300_000,
  },
}

process.chdir(path.resolve(import.meta.dirname, '..'))
const { positionals } = parseArgs({ allowPositionals: true })
const [name = '', ...files] = positionals
const part = PARTS[name]
if (!part) throw new Error(`name one of ${Object.keys(PARTS).join(', ')}`)

/** Lines on which something can be changed: neither comments nor imports nor a closing bracket. */
function codeLines(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line, i) =>
    /^\s*(import\b|\/?\*|\/\/|[)}\]]|$)/.test(line) ? [] : `${file}:${i + 1}-${i + 1}`,
  )
}

function drawn(sources: readonly string[], count: number): string[] {
  const lines = sources.flatMap((source) => globSync(source)).flatMap(codeLines)
  return lines
    .map((line) => ({ line, by: Math.random() }))
    .toSorted((a, b) => a.by - b.by)
    .slice(0, count)
    .map(({ line }) => line)
}

/** A change that Stryker has tested, as its recorder of events writes it. */
interface Tested {
  status: string
  fileName: string
  location: { start: { line: number; column: number } }
  mutatorName: string
  replacement?: string
}
const NOTICED = new Set(['Killed', 'Timeout', 'RuntimeError'])

/** Lists the survivors of a run that was stopped, and the share that was noticed until then. */
function testedSoFar(): string[] {
  const tested = globSync(path.join(folder, 'events/*-onMutantTested.json'))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Tested)
    .filter(({ status }) => status !== 'Ignored')
  const survivors = tested.filter(({ status }) => !NOTICED.has(status))
  const share = tested.length === 0 ? 0 : (100 * (tested.length - survivors.length)) / tested.length
  return [
    ...survivors.map(
      ({ fileName, location: { start }, mutatorName, replacement, status }) =>
        `${path.relative('.', fileName)}:${start.line}:${start.column} ${status} ${mutatorName} → ${replacement ?? ''}`,
    ),
    `stopped: ${tested.length} tested, ${share.toFixed(1)} % noticed`,
  ]
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-mutants-'))
const config = path.join(folder, 'stryker.json')
const mutate = files.length > 0 ? files : part.lines ? drawn(part.sources, part.lines) : part.sources
writeFileSync(
  config,
  JSON.stringify({
    mutate,
    testRunner: 'vitest',
    vitest: { configFile: 'tools/mutants.config.ts', related: false },
    // Stryker reads it with an interface that TypeScript 7 no longer has.
    tsconfigFile: 'none.json',
    coverageAnalysis: 'perTest',
    // Code that runs once at import would need a process of its own for each change.
    ignoreStatic: true,
    ignorePatterns: ['dist', 'shots', 'gallery', '.data'],
    dryRunTimeoutMinutes: 30,
    concurrency: 1,
    tempDirName: path.join(folder, 'trees'),
    reporters: ['clear-text', 'progress', 'event-recorder'],
    eventReporter: { baseDir: path.join(folder, 'events') },
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  }),
)
// The changes that were tested before an operator stops the run are told all the same.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
const { status } = spawnSync('stryker', ['run', config], {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: {
    ...process.env,
    MUTANT_TESTS: part.tests.join(','),
    MUTANT_PATIENCE: String(part.patience),
    TEST_DATA_DIR: path.join(folder, 'data'),
  },
})
if (status === null || status > 128) for (const line of testedSoFar()) process.stdout.write(`${line}\n`)
rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
process.exit(status ?? 1)
