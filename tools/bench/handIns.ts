import { hash as digest, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Response } from '#src/contract/response.ts'
import { sealText } from '#src/domain/paper/exam.ts'
import { bankJson } from '#tests/support/bank.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { opsOf } from '#tests/support/sitExam.ts'
import { type Figure, percentile, type Row } from './figures.ts'
import { post } from './load.ts'
import { startPostgres } from './postgres.ts'
import { type Product, startProduct, type Student } from './product.ts'

const STUDENTS = 3_000
const MINUTE = 60_000
/** A paper of 文职 has so many; the last ones are chosen and handed in together, without a network before. */
const QUESTIONS = 110
const LAST = 20
/** One in ten is sent twice at once, as by a page and its worker. */
const TWICE = 10
const PREPARE_AT_ONCE = 16
const GIVE_UP_MS = 120_000

/** 3,000 students who hand in a paper of 110 questions within one minute. */
export async function handIns(): Promise<Row[]> {
  const rows = await measure('embedded', await startProduct())
  const postgres = await startPostgres()
  if ('why' in postgres) return [...rows, { name: 'PostgreSQL', why: postgres.why }]
  return [...rows, ...(await measure('PostgreSQL', await startProduct(postgres.url)))]
}

interface Sitting {
  student: Student
  first: () => string
  /** As it stands when it is handed in. */
  last: () => string
}

async function measure(name: string, product: Product): Promise<Figure[]> {
  product.importBank(bankJson({ prefix: 'HAND', chapters: 1, perChapter: QUESTIONS }))
  const nos = Array.from({ length: QUESTIONS }, (_, i) => `HAND_q${i + 1}`)
  await publishExam(product.db, { ...examJson({ no: 'HAND_X', paper: [nos] }), minutes: 180 })
  const { rev } = await product.db.selectFrom('exam').select('rev').where('no', '=', 'HAND_X').executeTakeFirstOrThrow()
  const sittings = await Promise.all(
    Array.from({ length: STUDENTS }, async () => sitting(await product.student(), nos, rev)),
  )
  await sql`insert into exam_apply (exam_no, uid, at)
    select 'HAND_X', uid, 0 from unnest(${sittings.map(({ student }) => student.uid)}::text[]) uid`.execute(product.db)
  const queue = [...sittings]
  await Promise.all(
    Array.from({ length: PREPARE_AT_ONCE }, async () => {
      for (let next = queue.pop(); next; next = queue.pop()) await send(product, next.student, next.first())
    }),
  )

  const times: number[] = []
  const begun = performance.now()
  await Promise.all(
    sittings.map(async ({ student, last }, i) => {
      await pause((MINUTE * i) / STUDENTS)
      const started = performance.now()
      const form = last()
      const both = i % TWICE === 0 ? [form, form] : [form]
      await Promise.all(both.map((each) => send(product, student, each)))
      times.push(performance.now() - started)
    }),
  )
  const tookMs = performance.now() - begun
  const countedAfter = await counted(product)
  const { rows } = await sql<{ taken: number; students: number; ranked: number; tallied: number }>`select
    (select count(*)::int from study_op where kind = 'examHandIn' and verdict = 'applied') as taken,
    (select count(distinct uid)::int from study_op where kind = 'examHandIn') as students,
    (select count(*)::int from exam_entry where exam_no = 'HAND_X' and score = ${QUESTIONS * 50}) as ranked,
    (select sum(n)::int from exam_tally where exam_no = 'HAND_X' and part = 0) as tallied`.execute(product.db)
  const sums = rows[0]
  const wrong = [sums?.taken, sums?.students, sums?.ranked, sums?.tallied].filter((n) => n !== STUDENTS)
  return [
    {
      name: `${name}: hand-in p99, ${STUDENTS} in a minute`,
      value: percentile(times, 0.99),
      unit: 'ms',
      note: `p50 ${Math.round(percentile(times, 0.5))} ms, ${LAST} choices each, all in ${(tookMs / 1000).toFixed(1)} s`,
    },
    { name: `${name}: counted in the ranking after`, value: countedAfter, unit: 'ms' },
    {
      name: `${name}: sums that are not ${STUDENTS}`,
      value: wrong.length,
      unit: '',
      budget: { max: 0 },
      note: `taken ${sums?.taken}, ranked ${sums?.ranked} with full marks, tallied ${sums?.tallied}`,
    },
  ]
}

/** A whole sitting as two calls: what went up on the way, and the end of it. */
function sitting(student: Student, nos: readonly string[], rev: string): Sitting {
  const attemptId = randomUUID()
  const device = randomUUID()
  const startedAt = Date.now() - 2 * MINUTE
  const op = opsOf(attemptId)
  const ref = { exam: 'HAND_X', rev, mode: 'exam' }
  const response: Response = { kind: 'choice', ids: ['B'] }
  const begin = op('examBegin', ref, startedAt)
  const choices = nos.map((questionNo, at) =>
    op('examChoice', { questionNo, response, spentMs: 1_000, elapsedMs: at * 1_000 }, startedAt + at * 1_000),
  )
  const hash = digest(
    'sha256',
    sealText(
      attemptId,
      nos.map((questionNo) => ({ questionNo, response })),
    ),
  )
  const named = choices.map(({ opId }) => opId)
  const handIn = () => {
    const now = Date.now()
    return op('examHandIn', { ...ref, choices: named, hash, elapsedMs: now - startedAt, spentMs: MINUTE }, now)
  }
  const form = (ops: object[]) =>
    new URLSearchParams({
      device,
      owner: student.uid,
      proto: '1',
      sentAt: String(Date.now()),
      cursor: '0',
      ops: JSON.stringify(ops),
    }).toString()
  return {
    student,
    first: () => form([begin, ...choices.slice(0, -LAST)]),
    last: () => form([...choices.slice(-LAST), handIn()]),
  }
}

async function send({ url }: Product, { token }: Student, form: string): Promise<void> {
  const text = (await post(url, 'study/sync', form, token)).toString()
  if (!text.startsWith('{"status":1,') || /"verdict":"(rejected|retry|unsupported)"/.test(text))
    throw new Error(`study/sync: ${text.slice(0, 300)}`)
}

/** How long after the last hand-in all are in the ranking, ms. */
async function counted({ db }: Product): Promise<number> {
  const began = performance.now()
  while (performance.now() - began < GIVE_UP_MS) {
    const waiting = db
      .selectFrom('exam_entry')
      .select('uid')
      .where('exam_no', '=', 'HAND_X')
      .where('counted', '=', false)
    if (!(await waiting.executeTakeFirst())) return performance.now() - began
    await pause(200)
  }
  return Number.NaN
}
