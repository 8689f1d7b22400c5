import { ensureBuilt } from './build.ts'
import { endAll } from './endings.ts'
import { isMissed, printTable, type Row } from './figures.ts'
import { machine } from './machine.ts'

/**
 * `npm run bench [-- PART…] [--check]`: measures the parts named, or all, and prints one table of figures beside budgets.
 * `--check` exits 1 when a budget is missed; meant for `sizes`, whose figures are the same on every machine.
 */
const PARTS: Record<string, () => Promise<Row[]>> = {
  sizes: async () => (await import('./sizes.ts')).sizes(),
  paint: async () => (await import('./paint.ts')).paint(),
  taps: async () => (await import('./taps.ts')).taps(),
  search: async () => (await import('./search.ts')).search(),
  sync: async () => (await import('./sync.ts')).sync(),
  record: async () => (await import('./record.ts')).record(),
  // Three years take long: they are measured only when this part is named.
  years: async () => {
    const { oneYear, years } = await import('./years/index.ts')
    return named.includes('years') ? years() : oneYear()
  },
  // The same is true of this one.
  hundredThousand: async () =>
    named.includes('hundredThousand') ? (await import('./years/hundredThousand.ts')).hundredThousand() : [],
  plan: async () => (await import('./plan/index.ts')).plan(),
  server: async () => (await import('./server.ts')).server(),
  flood: async () => (await import('./flood.ts')).flood(),
  rank: async () => (await import('./rank.ts')).rank(),
  handIns: async () => (await import('./handIns.ts')).handIns(),
  download: async () => (await import('./download.ts')).download(),
  scan: async () => (await import('./scan.ts')).scan(),
  import: async () => (await import('./import.ts')).importing(),
  busyMedia: async () => (await import('./busyMedia.ts')).busyMedia(),
  importSize: async () => (await import('./importSize.ts')).importSize(),
}

const args = process.argv.slice(2)
const named = args.filter((arg) => !arg.startsWith('--'))
const unknown = named.filter((name) => !(name in PARTS))
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(' ')}; parts are ${Object.keys(PARTS).join(' ')}`)
  process.exit(2)
}
let stopped = false
const stop = async () => {
  stopped = true
  await endAll()
  process.exit(130)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())

await ensureBuilt()
const before = machine()
const rows: Row[] = []
let failed = false
for (const [name, measure] of Object.entries(PARTS)) {
  if (stopped || (named.length > 0 && !named.includes(name))) continue
  const started = performance.now()
  try {
    rows.push(...(await measure()))
  } catch (error) {
    failed = true
    console.error(error)
    rows.push({ name, why: `failed: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}` })
  } finally {
    await endAll()
  }
  console.error(`${name}: ${Math.round((performance.now() - started) / 1000)} s`)
}
printTable(rows)
console.log(`\nmachine before: ${before}; after: ${machine()}`)
const missed = rows.filter(isMissed).length
console.log(`${rows.filter((row) => 'value' in row && row.budget).length} budgets, ${missed} missed`)
process.exit(failed || (args.includes('--check') && missed > 0) ? 1 : 0)
