import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { bankJson } from '#tests/support/bank.ts'
import type { Figure } from './figures.ts'
import type { Attack } from './flooding.ts'
import { Device, underLoad } from './load.ts'
import { startProduct } from './product.ts'

const VICTIMS = 20
const PAUSE_MS = 200
const MS = 20_000
const QUESTIONS = 200

/**
 * One student sends essays of full length, and notes to the same few questions, each older than the one before, over many
 * connections: how long the answers of others take meanwhile, against a quiet server.
 */
export async function flood(): Promise<Figure[]> {
  const product = await startProduct()
  const bank = bankJson({ prefix: 'FLOOD', chapters: 1, perChapter: QUESTIONS })
  const essays = [{ no: 'FLOOD_e1', chapter: 'FLOOD_c1', type: 'essay', stem: '论述', answer: '略', scoring: [] }]
  product.importBank({ ...bank, questions: [...bank.questions, ...essays] })
  const victims = await Promise.all(
    Array.from({ length: VICTIMS }, async () => new Device(product.url, await product.student())),
  )
  let answered = 0
  const answer = (worker: number) =>
    victims[worker]?.answer([`FLOOD_q${(answered++ % QUESTIONS) + 1}`]) ?? Promise.resolve(0)
  const quiet = await underLoad(VICTIMS, MS, answer, PAUSE_MS)
  const rows: Figure[] = [{ name: 'study/sync p99, quiet', value: quiet.p99, unit: 'ms' }]
  for (const connections of [16, 60]) {
    const workerData: Attack = { url: product.url, ...(await product.student()), connections }
    // Its own thread: the time that making the forms takes is none of the server's.
    const attack = new Worker(new URL('flooding.ts', import.meta.url), { workerData })
    const loaded = await underLoad(VICTIMS, MS, answer, PAUSE_MS)
    attack.postMessage('stop')
    const [told] = await once(attack, 'message')
    rows.push(
      {
        name: `the same, one student floods over ${connections} connections`,
        value: loaded.p99 / quiet.p99,
        unit: '×',
        budget: { max: 3 },
        note: `p99 ${Math.round(loaded.p99)} ms; of the attack's calls ${String(told)}`,
      },
      {
        name: 'failed calls of the others',
        value: loaded.errors,
        unit: '',
        budget: { max: 0 },
        note: loaded.firstError,
      },
    )
  }
  return rows
}
