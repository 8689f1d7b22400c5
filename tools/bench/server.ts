import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { OpRow, RecordRow } from '#server/study/rows.ts'
import { writeBatch } from '#server/study/store.ts'
import { bankJson } from '#tests/support/bank.ts'
import { withCpu } from './cpu.ts'
import type { Figure, Row } from './figures.ts'
import { Device, type Load, makeOp, post, underLoad } from './load.ts'
import { startPostgres } from './postgres.ts'
import { type Product, startProduct } from './product.ts'

/** Faster than anybody answers. */
const PAUSE_MS = 2_000
/** Students who call at the same time; connections that read. */
const STUDENTS = 200
const READERS = 32
/** As many as the server's own pool, so that "the database's own rate" is under the same pressure. */
const POOL = 16
const QUESTIONS = 2_000
const CHAPTER = 50
const MS = 5_000
/** By each student before anything is measured: in its first thousand batches a server still compiles its hot code. */
const WARM_UP_BATCHES = 5
const repeat = async (times: number, once: () => Promise<unknown>): Promise<void> => {
  for (let i = 0; i < times; i++) await once()
}

/** The server under load, with its own database and with a PostgreSQL. Load, server and database share this machine. */
export async function server(): Promise<Row[]> {
  const product = await startProduct()
  const rows = await measure('embedded', product, postmaster(path.join(product.dataDir, 'postgres/data')))
  const postgres = await startPostgres()
  if ('why' in postgres) return [...rows, { name: 'PostgreSQL', why: postgres.why }]
  return [
    ...rows,
    ...(await measure(
      `PostgreSQL ${postgres.version.split(' ')[0]}`,
      await startProduct(postgres.url),
      postmaster(postgres.data),
    )),
  ]
}

const postmaster = (data: string): number =>
  Number.parseInt(readFileSync(path.join(data, 'postmaster.pid'), 'utf8'), 10)

async function measure(name: string, product: Product, database: number): Promise<Figure[]> {
  const idle = memory(product.pid)
  product.importBank(bankJson({ prefix: 'LOAD', chapters: QUESTIONS / CHAPTER, perChapter: CHAPTER }))
  const devices = await Promise.all(
    Array.from({ length: STUDENTS }, async () => new Device(product.url, await product.student())),
  )
  const places = devices.map((_, i) => i * 7)
  const answer = (batch: number) => (worker: number) => {
    const from = places[worker] ?? 0
    places[worker] = from + batch
    const nos = Array.from({ length: batch }, (_, i) => `LOAD_q${((from + i) % QUESTIONS) + 1}`)
    return devices[worker]?.answer(nos) ?? Promise.resolve(0)
  }
  await Promise.all(devices.map((_, worker) => repeat(WARM_UP_BATCHES, () => answer(50)(worker))))
  const processes = { server: product.pid, database }
  const own = await withCpu(processes, () => ownRate(product))
  const fifty = await withCpu(processes, () => underLoad(STUDENTS, MS, answer(50)))
  const one = await underLoad(STUDENTS, MS, answer(1))
  const paced = await underLoad(STUDENTS, MS, answer(1), PAUSE_MS)
  const reads = await underLoad(READERS, MS, async (worker) => {
    const no = `LOAD_c${(worker % (QUESTIONS / CHAPTER)) + 1}`
    const body = await post(product.url, 'question/block', `no=${no}&at=0&sg_key=jg&area=0&key=jg`)
    if (!body.subarray(0, 12).toString().startsWith('{"status":1')) throw new Error(body.subarray(0, 80).toString())
    return 1
  })
  const plain = (what: string, value: number, unit: Figure['unit'], note = ''): Figure => ({
    name: `${name}: ${what}`,
    value,
    unit,
    note,
  })
  return [
    plain('first start', product.startMs, 'ms', 'budget 5 s, demo content imported'),
    plain('memory when idle', idle, 'MB', 'server process; budget 200 MB'),
    plain("the database's own rate, batches of 50", own.perSecond, '/s', `${latency(own)}; ${own.cpuShares}`),
    plain('answers, batches of 50', fifty.perSecond, '/s', `${latency(fifty)}; ${fifty.cpuShares}`),
    {
      ...plain('the same, of the own rate', (fifty.perSecond / own.perSecond) * 100, '%'),
      budget: { min: 50 },
    },
    plain(
      'the same by CPU time',
      (own.cpuPerUnit / fifty.cpuPerUnit) * 100,
      '%',
      'the same with all cores busy in both; others on the machine do not change it',
    ),
    plain('answers, batches of 1', one.perSecond, '/s', latency(one)),
    {
      ...plain(
        `study/sync p99, ${STUDENTS} students, an answer every ${PAUSE_MS / 1000} s`,
        paced.p99,
        'ms',
        latency(paced),
      ),
      budget: { max: 100 },
    },
    {
      ...plain('failed calls', own.errors + fifty.errors + one.errors + paced.errors + reads.errors, ''),
      budget: { max: 0 },
    },
    plain('question/block', reads.perSecond, '/s', latency(reads)),
  ]
}

const latency = ({ p50, p99, errors, firstError }: Load): string =>
  `p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms${errors > 0 ? `, ${errors} failed: ${firstError}` : ''}`

/** What the database stores when nothing else is asked of it: the server's own statement for a batch of first answers. */
async function ownRate({ db, student }: Product): Promise<Load> {
  const owners = await Promise.all(Array.from({ length: POOL }, student))
  const places = owners.map(() => 0)
  return underLoad(POOL, MS, async (worker) => {
    const now = Date.now()
    const uid = owners[worker]?.uid ?? ''
    const from = places[worker] ?? 0
    places[worker] = from + 50
    const ops = Array.from({ length: 50 }, (_, i) => opRow(`LOAD_q${((from + i) % QUESTIONS) + 1}`, from + i + 1, now))
    const records = ops.map((op) => recordRow(op, now))
    const firsts = ops.map(
      (op) => ({ question_no: op.question_no ?? '', since: 1, pick: 'B', n: 1, right: 1 }) as const,
    )
    const batch = { uid, device: DEVICE, ops, records, rev: from, marking: 0, ack: from + 50, now }
    if (!(await writeBatch(db, { ...batch, firsts, heard: [] }))) throw new Error('the rev moved')
    return ops.length
  })
}

const DEVICE = '019a0000-0000-7000-8000-000000000000'

function opRow(questionNo: string, seq: number, now: number): OpRow {
  const { opId, clientAt, ...op } = makeOp(questionNo, seq, now)
  return {
    ...op,
    op_id: opId,
    payload_hash: 'x'.repeat(43),
    client_at: clientAt,
    own_at: null,
    effective_at: now,
    verdict: 'applied',
    code: null,
    msg: null,
    right: true,
    question_no: questionNo,
    foretold: null,
  }
}

const recordRow = (op: OpRow, now: number): RecordRow => ({
  kind: 'state',
  id: op.question_no ?? '',
  lastAt: now,
  lastOp: op.op_id,
  body: {
    times: 1,
    wrong: 0,
    streak: 1,
    lastAt: now,
    lastRight: true,
    lastResponse: { kind: 'choice', ids: ['B'] },
    spentMs: 1_000,
    memory: { stability: 2.3065, difficulty: 2.1181 },
  },
})

/** Resident memory of a process, MB. */
function memory(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
