import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { defineConfig, mergeConfig } from 'vitest/config'
import SlowFirst from './tools/slowFirst.ts'
import vite from './vite.config.ts'

// Tests put their temporary folders into this one, which goes when the run ends. The cluster stays: the next run begins with it.
process.env.TEST_DATA_DIR ??= path.join(os.tmpdir(), `lijian-test-${process.getuid?.() ?? 0}`)
const temporary = mkdtempSync(path.join(os.tmpdir(), 'lijian-run-'))
// Databases in it belong to another account when root runs this.
chmodSync(temporary, 0o755)
process.env.TMPDIR = temporary
process.on('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }))

// A busy machine is slow, not wrong; and a back-off of the engine is longer than the second that is usual. Three files at a time:
// each waits for a database, a timer or a process for a third of its time.
const patient = { maxWorkers: 3, testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 15_000 } } }
const browser = {
  ...patient,
  // A browser fills a core by itself. So these come after all others, not among them.
  maxWorkers: 2,
  sequence: { groupOrder: 1 },
  pool: 'threads',
  testTimeout: 300_000,
  hookTimeout: 180_000,
  globalSetup: ['tests/e2e/prepared.ts'],
} as const

// Changes within this process take milliseconds: to look for them every 50 ms, as is usual, made most of some files' time.
const quick = { ...patient, expect: { poll: { ...patient.expect.poll, interval: 5 } } }

/** These mock what they import, or they test modules that keep state. */
const OWN_MODULES = ['tests/{offline,search}/**/*.test.ts', 'tests/server/once.test.ts']
const unit = {
  name: 'unit',
  ...quick,
  // The server keeps its state in what a test makes, not in its modules: to load those for each file took a fifth of the time.
  isolate: false,
  include: ['tests/{domain,content,server,install,tools}/**/*.test.ts', 'tests/*.test.ts'],
  exclude: OWN_MODULES,
}
const unitThreads = {
  name: 'unit-threads',
  ...quick,
  pool: 'threads',
  setupFiles: ['tests/support/channels.ts'],
  include: OWN_MODULES,
}
const screens = {
  ...quick,
  environment: 'jsdom',
  setupFiles: ['tests/support/channels.ts', 'tests/support/dom.ts'],
}
/** What these look at needs parts of Node that a VM context lacks: its cryptography, its streams, a worker's scope. */
const OWN_THREAD = [
  'tests/api/client.test.ts',
  'tests/app/{available,syncSheet,takeover,updates}.test.{ts,tsx}',
  'tests/features/{downloadAll,examElsewhere,examSitting,facts,lessonDownloads,lessonUpdate,lessonWithdrawn,library,packs,portrait,wordFile}.test.{ts,tsx}',
  'tests/features/lesson/lesson.test.tsx',
  'tests/upload/task.test.ts',
]
const ui = {
  ...screens,
  name: 'ui',
  // One jsdom for many files, a page of its own for each: it takes half the time of a process of its own.
  pool: 'vmThreads',
  include: ['tests/{device,player,sitting,upload,features,app,ui,session,api}/**/*.test.{ts,tsx}'],
  exclude: OWN_THREAD,
}
const ownThread = { ...screens, name: 'ui-threads', pool: 'threads', include: OWN_THREAD }
// One mishap of a browser does not fail a run; tools/testReport.ts names it, and fails the run when there are more than two.
const e2e = { name: 'e2e', ...browser, isolate: false, retry: 1, include: ['tests/e2e/**/*.test.ts'] }
// Browsers that npm cannot bring: asked for by `npm run engines`.
const engines = { name: 'engines', ...browser, include: ['tests/engines/*.engine.ts'] }
// Real banks that the project does not hold: read only where they are.
const banks = { name: 'banks', ...patient, include: ['tests/content/**/*.banks.ts'] }

const projects = [
  unit,
  unitThreads,
  ui,
  ownThread,
  e2e,
  ...(process.argv.includes('engines') ? [engines] : []),
  ...(existsSync('../shared/data') ? [banks] : []),
]

export default mergeConfig(
  vite,
  defineConfig({
    test: {
      // The database belongs to the run: a project that began with it would end it while others still use it.
      globalSetup: ['tests/support/database.ts'],
      // Vitest then knows what a change can break from what each file has loaded: by their imports alone, all screens reach one another.
      experimental: { recordDependencies: true },
      sequence: { sequencer: SlowFirst },
      projects: projects.map((test) => ({ extends: './vite.config.ts', test })),
    },
  }),
)
