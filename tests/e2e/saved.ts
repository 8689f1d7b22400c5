import { expect } from 'vitest'
import type { Product } from './product.ts'

/** What the screens and the engine have called saved, of one student. */
export interface Saved {
  questions: Set<string>
  /** Of these the device has forgotten that they were answered, so it may have asked them again before the server told it. */
  again: Set<string>
  /** In the order in which they were done. */
  ops: Set<string>
  /** Answers by the engine that were not taken back. */
  answers: { opId: string; questionNo: string }[]
  /** Sittings that were handed in, with the op that did so. */
  attempts: { id: string; opId: string }[]
  /** Sittings of an exam; what they have chosen last on each question. */
  exams: ExamSat[]
}

export interface ExamSat {
  attemptId: string
  exam: string
  rev: string
  begun: string
  choices: string[]
  /** The op; '' while it is open. */
  handIn: string
}

export const nothingSaved = (): Saved => ({
  questions: new Set(),
  again: new Set(),
  ops: new Set(),
  answers: [],
  attempts: [],
  exams: [],
})

interface StoredOp {
  op_id: string
  kind: string
  verdict: string
  question_no: string | null
}
const opsOf = (product: Product, uid: string) =>
  product.sql<StoredOp>('select op_id, kind, verdict, question_no from study_op where uid = $1', [uid])

/** What is only on a device is gone with it: what the server has not got is called saved no more. @param unsent ids of what waited */
export async function forgetUnsent(
  product: Product,
  uid: string,
  saved: Saved,
  unsent: ReadonlySet<string>,
): Promise<void> {
  const ops = await opsOf(product, uid)
  const there = new Set(ops.map(({ op_id }) => op_id))
  expect([...saved.ops].filter((opId) => !there.has(opId) && !unsent.has(opId))).toEqual([])
  const byScreen = new Set(ops.filter(({ op_id }) => !saved.ops.has(op_id)).map(({ question_no }) => question_no))
  saved.questions = new Set([...saved.questions].filter((no) => byScreen.has(no)))
  saved.again = new Set(saved.questions)
  saved.ops = new Set([...saved.ops].filter((opId) => there.has(opId)))
  saved.answers = saved.answers.filter(({ opId }) => there.has(opId))
  saved.attempts = saved.attempts.filter(({ opId }) => there.has(opId))
  saved.exams = saved.exams
    .filter(({ begun }) => there.has(begun))
    .map((sat) => ({
      ...sat,
      choices: sat.choices.filter((opId) => there.has(opId)),
      handIn: there.has(sat.handIn) ? sat.handIn : '',
    }))
}

/** Nothing that was called saved is missing, nothing counts twice, and what was done later on a device is later. */
export async function checkSaved(product: Product, uid: string, saved: Saved): Promise<void> {
  const ops = await opsOf(product, uid)
  expect(ops.filter(({ verdict }) => verdict !== 'applied')).toEqual([])
  const there = new Set(ops.map(({ op_id }) => op_id))
  expect([...saved.ops].filter((opId) => !there.has(opId))).toEqual([])
  const byScreen = ops.filter(({ op_id, kind }) => kind === 'answer' && !saved.ops.has(op_id))
  const counted = byScreen.flatMap(({ question_no }) => (saved.questions.has(question_no ?? '') ? [question_no] : []))
  expect(new Set(counted)).toEqual(saved.questions)
  const once = counted.filter((no) => !saved.again.has(no ?? ''))
  expect(once).toHaveLength(new Set(once).size)
  await checkSittings(product, uid, saved)
  await checkSums(product, uid, ops)
  await checkOrder(product, uid, saved)
}

async function checkSittings(product: Product, uid: string, saved: Saved): Promise<void> {
  const attempts = await product.sql<{ id: string }>(
    `select id from study_record where uid = $1 and kind = 'attempt'`,
    [uid],
  )
  expect(attempts.map(({ id }) => id).sort()).toEqual(saved.attempts.map(({ id }) => id).sort())
  const exams = await product.sql<{ id: string; answered: number; handed: boolean }>(
    `select id, (body ->> 'answered')::int as answered, body ->> 'handIn' <> '' as handed
     from study_record where uid = $1 and kind = 'exam' order by id collate "C"`,
    [uid],
  )
  const sat = saved.exams.map(({ attemptId: id, choices, handIn }) => {
    return { id, answered: handIn ? choices.length : 0, handed: handIn !== '' }
  })
  expect(exams).toEqual(sat.sort((a, b) => (a.id < b.id ? -1 : 1)))
}

async function checkSums(product: Product, uid: string, ops: readonly StoredOp[]): Promise<void> {
  const answered =
    ops.filter(({ kind }) => kind === 'answer').length - ops.filter(({ kind }) => kind === 'retract').length
  const sumOf = async (kind: string, field: string) => {
    const [row] = await product.sql<{ sum: number }>(
      'select coalesce(sum((body ->> $3)::int), 0)::int as sum from study_record where uid = $1 and kind = $2',
      [uid, kind, field],
    )
    return row?.sum
  }
  expect([await sumOf('state', 'times'), await sumOf('day', 'answered')]).toEqual([answered, answered])
}

/** By the engine each is done when the one before is on the disk; how the clock jumps meanwhile says nothing. */
async function checkOrder(product: Product, uid: string, saved: Saved): Promise<void> {
  const rows = await product.sql<{ op_id: string; device: string; at: string }>(
    'select op_id, device, effective_at::text as at from study_op where uid = $1',
    [uid],
  )
  const stored = new Map(rows.map((row) => [row.op_id, row]))
  const done = [...saved.ops].flatMap((opId) => stored.get(opId) ?? [])
  for (const [, ofDevice] of Map.groupBy(done, ({ device }) => device)) {
    const moments = ofDevice.map(({ at }) => Number(at))
    expect(moments).toEqual(moments.toSorted((a, b) => a - b))
  }
}
