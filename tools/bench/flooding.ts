import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { percentile } from './figures.ts'
import { makeOp, post } from './load.ts'
import type { Student } from './product.ts'

/** The thread of an attacker (flood.ts): calls without a pause until it hears anything, then says what it was answered. */
export interface Attack extends Student {
  url: string
  connections: number
}
const { url, uid, token, connections } = workerData as Attack

const QUESTION = 'FLOOD_e1'
const OPS = 6
/** Of 100 Mbit a second, which the attacker has for all connections together: on this machine alone they would have a hundred times that. */
const LINE_BYTES_PER_MS = 12_500
/** As long as an essay may be. */
const LONG = '长'.repeat(20_000)
const payloads = [
  {
    v: 2,
    kind: 'answer',
    payload: {
      questionNo: QUESTION,
      response: { kind: 'essay', text: LONG, ticked: [] },
      spentMs: 1,
      from: 'library',
      version: 1,
    },
  },
  { kind: 'note', payload: { questionNo: QUESTION, text: LONG.slice(0, 1_000), over: [] } },
]
/** Escaped but for what differs from op to op: to escape an essay takes longer than to send it. */
const pieces = payloads.map((each) =>
  encodeURIComponent(JSON.stringify({ ...makeOp(QUESTION, 0, 0), ...each, opId: '~', seq: '~', clientAt: '~' })).split(
    /%22~%22|~/,
  ),
)
const device = randomUUID()
const answers = new Map<string, number>()
const times: number[] = []
let seq = 0
const ends = new AbortController()
let lineFreeAt = performance.now()

/** Waits until a form of so many bytes has gone over the line, behind those of the other connections. */
function overTheLine(bytes: number): Promise<void> {
  lineFreeAt = Math.max(lineFreeAt, performance.now()) + bytes / LINE_BYTES_PER_MS
  return pause(lineFreeAt - performance.now())
}

function op(now: number): string {
  const own = pieces[++seq % pieces.length] ?? []
  // In the order of the fields; each is older than the one before.
  const values = [`%22${randomUUID()}%22`, String(seq), String(now - seq)]
  return own.map((piece, i) => `${piece}${values[i] ?? ''}`).join('')
}

async function flood(): Promise<void> {
  while (!ends.signal.aborted) {
    const now = Date.now()
    const ops = Array.from({ length: OPS }, () => op(now)).join('%2C')
    const form = `device=${device}&owner=${uid}&proto=1&sentAt=${now}&cursor=0&ops=%5B${ops}%5D`
    await overTheLine(form.length)
    const started = performance.now()
    const told = await post(url, 'study/sync', form, token).then(
      (body) =>
        body.includes('"verdict":"retry"') ? 'later' : body.includes('"verdict":"applied"') ? 'taken' : 'none',
      (error: unknown) => (error instanceof Error ? error.message : 'failed'),
    )
    times.push(performance.now() - started)
    answers.set(told, (answers.get(told) ?? 0) + 1)
  }
}

parentPort?.once('message', () => ends.abort())
await Promise.all(Array.from({ length: connections }, flood))
parentPort?.postMessage(
  `${[...answers].map(([told, n]) => `${told}: ${n}`).join(', ')}; p50 ${Math.round(percentile(times, 0.5))} ms`,
)
