import * as v from 'valibot'
import { openDatabase } from '#server/db/open.ts'
import { jobKind, runJob } from '#server/jobs/runner.ts'

/** A process that takes work, says when it has come so far, and then hangs in the middle of the next step until it is killed. */
const [socketFolder = '', database = '', last = ''] = process.argv.slice(2)
const kind = jobKind('steps', v.object({ steps: v.number() }), async ({ save }) => {
  for (let step = 1; step <= Number(last); step++) await save(String(step), step)
  process.stdout.write('there\n')
  return new Promise(() => {})
})
const db = await openDatabase({ socketFolder, database }, () => {})
const alive = setInterval(() => {}, 1_000)
await runJob({
  db,
  kinds: [kind],
  now: Date.now,
  stop: new AbortController().signal,
  failed: (error) => process.stderr.write(`${String(error)}\n`),
})
clearInterval(alive)
