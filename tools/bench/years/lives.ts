import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { OpPayload, OpRecord } from '#src/contract/study.ts'
import { type OpKind, OP_VERSIONS, SYNC_MAX_OPS } from '#src/contract/sync.ts'
import { authorise } from '#tests/support/login.ts'
import { post } from '../load.ts'
import type { Product, Student } from '../product.ts'
import { questionNo } from './bank.ts'

/** What a student has done in so many days, ending today. */
export interface Life {
  name: 'S0' | 'S1' | 'S2'
  days: number
  answers: number
  /** Questions that were answered, each at least once. */
  touched: number
  /** Of those, questions that were wrong the first time. */
  missed: number
  notes: number
  collections: number
  sittings: number
}
export const LIVES: readonly Life[] = [
  { name: 'S0', days: 0, answers: 0, touched: 0, missed: 0, notes: 0, collections: 0, sittings: 0 },
  { name: 'S1', days: 365, answers: 20_000, touched: 6_171, missed: 1_900, notes: 300, collections: 800, sittings: 40 },
  {
    name: 'S2',
    days: 1_095,
    answers: 100_000,
    touched: 15_900,
    missed: 6_900,
    notes: 1_500,
    collections: 4_000,
    sittings: 150,
  },
]
/** The same life, shorter. */
export const shortened = (life: Life, by: number): Life => ({
  name: life.name,
  days: Math.ceil(life.days * by),
  answers: Math.ceil(life.answers * by),
  touched: Math.ceil(life.touched * by),
  missed: Math.ceil(life.missed * by),
  notes: Math.ceil(life.notes * by),
  collections: Math.ceil(life.collections * by),
  sittings: Math.ceil(life.sittings * by),
})

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** A session ends by itself after three months. */
const SESSION_DAYS = 60
const FOLDERS = 8
/** The server takes 400 calls of a student a minute. */
const PACE_MS = 155

/** A paper that sittings are of, and its questions. */
export interface Paper {
  no: string
  itemNo: string
  rev: string
  questions: readonly string[]
}
interface Living {
  product: Product
  life: Life
  paper: Paper
  /** Puts the server's clock there, epoch ms. */
  setClock: (at: number) => void
}

/** Lives a life through the real calls, day by day by the server's clock, on a device that nobody has any more. */
export async function live({ product, life, paper, setClock }: Living): Promise<Student> {
  const today = Date.now()
  const device = randomUUID()
  const mobile = `17${life.name.slice(1).padStart(9, '0')}`
  let student = await authorise(product.db, mobile, today)
  const ops = opsOf(life, paper)
  for (let day = life.days; day > 0; day--) {
    const begins = today - day * DAY_MS
    setClock(begins)
    if ((life.days - day) % SESSION_DAYS === 0) student = await authorise(product.db, mobile, begins)
    const done = ops(life.days - day, begins)
    for (let from = 0; from < done.length; from += SYNC_MAX_OPS)
      await send(product, student, device, done.slice(from, from + SYNC_MAX_OPS), begins + DAY_MS / 2)
  }
  setClock(today)
  return authorise(product.db, mobile, Date.now())
}

/** Gives the ops of each day in turn; so much of everything a day that all of it is done at the end. */
function opsOf(life: Life, paper: Paper): (day: number, begins: number) => OpRecord[] {
  let seq = 0
  let at = 0
  const op = <K extends OpKind>(kind: K, stream: string, payload: OpPayload<K> & object): OpRecord => ({
    opId: randomUUID(),
    seq: ++seq,
    stream,
    kind,
    v: OP_VERSIONS[kind],
    payload,
    ctx: { sg_key: 'jg', area: '0', key: 'jg' },
    clientAt: (at += MINUTE_MS / 4),
  })
  const answer = (n: number, right: boolean, from: 'library' | 'error' | 'set' = 'library') => {
    const no = questionNo(n)
    const response = { kind: 'choice' as const, ids: [right ? 'B' : 'A'] }
    return op('answer', `q:${no}`, { questionNo: no, response, spentMs: 4_000, from, version: 1 })
  }
  const shareOf = (whole: number, day: number) =>
    Math.floor((whole * (day + 1)) / life.days) - Math.floor((whole * day) / life.days)
  const wrongEvery = life.touched / Math.max(1, life.missed)
  const isMissed = (n: number) => Math.floor((n + 1) / wrongEvery) > Math.floor(n / wrongEvery)
  let [touched, noted, collected, reviewed] = [0, 0, 0, 0]
  return (day, begins) => {
    at = begins
    const done: OpRecord[] = []
    if (day === 0)
      for (let i = 1; i <= FOLDERS; i++) done.push(op('folder', `folder:f${i}`, { no: `f${i}`, name: `第${i}夹` }))
    const fresh = shareOf(life.touched, day)
    for (let i = 0; i < fresh; i++, touched++) done.push(answer(touched, !isMissed(touched)))
    // What was answered before comes again, and is right one time in three where it was wrong: most of it stays in the book.
    const again = shareOf(life.answers, day) - fresh
    for (let i = 0; i < again; i++, reviewed += 7) {
      const n = reviewed % Math.max(1, touched)
      done.push(answer(n, !isMissed(n) || reviewed % 3 === 0, 'error'))
    }
    for (let i = shareOf(life.notes, day); i > 0; i--, noted++) {
      const no = questionNo(noted * 3)
      done.push(
        op('note', `q:${no}`, {
          questionNo: no,
          text: `第 ${noted + 1} 条：先看条件，再代入，最后检查单位。`,
          over: [],
        }),
      )
    }
    for (let i = shareOf(life.collections, day); i > 0; i--, collected++) {
      const no = questionNo(collected * 2)
      done.push(op('collect', `q:${no}`, { questionNo: no, folder: `f${(collected % FOLDERS) + 1}`, over: [] }))
    }
    for (let i = shareOf(life.sittings, day); i > 0; i--) done.push(...sitting(paper, op))
    return done
  }
}

type MakeOp = <K extends OpKind>(kind: K, stream: string, payload: OpPayload<K> & object) => OpRecord

function sitting({ no, itemNo, rev, questions }: Paper, op: MakeOp): OpRecord[] {
  const given = questions.map((questionNo, i) =>
    op('answer', `q:${questionNo}`, {
      questionNo,
      response: { kind: 'choice', ids: [i % 4 === 0 ? 'A' : 'B'] },
      spentMs: 4_000,
      from: 'set',
      version: 1,
    }),
  )
  const attemptId = randomUUID()
  const handIn = op('handIn', `attempt:${attemptId}`, {
    attemptId,
    answers: given.map(({ opId }) => opId),
    mode: 'exam',
    tookMs: 20 * MINUTE_MS,
    spentMs: 15 * MINUTE_MS,
    paper: { of: 'set', no, itemNo, rev, trial: false },
  })
  return [...given, handIn]
}

let nextCall = 0
async function send(
  { url }: Product,
  { uid, token }: Student,
  device: string,
  ops: readonly OpRecord[],
  sentAt: number,
): Promise<void> {
  await pause(Math.max(0, nextCall - performance.now()))
  nextCall = performance.now() + PACE_MS
  const fields = { device, owner: uid, proto: '1', sentAt: String(sentAt), cursor: '0', ops: JSON.stringify(ops) }
  const text = (await post(url, 'study/sync', new URLSearchParams(fields).toString(), token)).toString()
  const applied = text.match(/"verdict":"applied"/g)?.length ?? 0
  if (applied !== ops.length) throw new Error(`${applied} of ${ops.length} applied: ${text.slice(0, 400)}`)
}
