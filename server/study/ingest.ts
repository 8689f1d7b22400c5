import { hash as digest } from 'node:crypto'
import * as v from 'valibot'
import { type AnswerPayload, OP_PAYLOADS, type OpRecord, type StudyState, type Verdict } from '#src/contract/study.ts'
import { isRight } from '#src/domain/marking.ts'
import { type Answer, applyAnswer, byTime, foldAnswers } from '#src/domain/study.ts'
import type { Db } from '#server/db/open.ts'
import {
  type Answerable,
  type Known,
  type KnownOp,
  type OpRow,
  type Page,
  pageOf,
  type StateRow,
  readAnswers,
  readKnown,
  writeBatch,
} from './store.ts'

export interface Batch {
  uid: string
  device: string
  /** Changes after it are answered. */
  cursor: number
  ops: readonly OpRecord[]
  /** The device's clock at sending, ms. */
  sentAt: number
  now: number
}
/** An op older than this is taken as this old: no device's clock can place an answer in another era. */
const OLDEST_MS = 400 * 86_400_000

/** Batches of one student at the same moment: one wins, the others read again. */
const TRIES = 20

/** An op as far as it can be read without the database. */
interface Read {
  op: OpRecord
  hash: string
  /** This server knows its kind and version. */
  known: boolean
  /** Null when nobody understands it. */
  payload: AnswerPayload | null
}
type Judged = { verdict: Verdict; row: OpRow | null; answer: Answer | null }
export interface Ingested {
  verdicts: Verdict[]
  /** A page of what changed after the cursor, this batch's own effects among them when it is the last one. */
  page: Page
  ackSeq: number
}

/** Takes a batch: each op once for ever by (student, op id), its effect with it. Verdicts come in the order of `seq`. */
export async function ingest(db: Db, batch: Batch): Promise<Ingested> {
  const ops = [...batch.ops].sort((a, b) => a.seq - b.seq).map(read)
  const opIds = ops.map(({ op }) => op.opId)
  const asked = new Set(ops.flatMap(({ payload }) => payload?.questionNo ?? []))
  for (let tries = 0; tries < TRIES; tries++) {
    const ingested = await attempt(db, batch, ops, await readKnown(db, batch, opIds, [...asked]))
    if (ingested) return ingested
  }
  throw new Error(`study_rev moved ${TRIES} times under one batch`)
}

function read(op: OpRecord): Read {
  const schema = op.kind === 'answer' && op.v === 1 ? OP_PAYLOADS.answer[1] : null
  const payload = schema && v.safeParse(schema, op.payload)
  return { op, hash: payloadHash(op), known: schema !== null, payload: payload?.success ? payload.output : null }
}

/** Null: another batch of this student came between. */
async function attempt(db: Db, batch: Batch, ops: readonly Read[], known: Known): Promise<Ingested | null> {
  const { uid, device, now } = batch
  const seen = new Map<string, KnownOp>(known.ops.map((op) => [op.op_id, op]))
  const answerables = new Map(known.answerables.map((each) => [each.no, each]))
  const judged = ops.map((each) => {
    const one = judge(each, batch, seen.get(each.op.opId), answerables)
    // The same id twice in one batch is a repeat like any other.
    if (one.row) seen.set(each.op.opId, one.row)
    return one
  })
  const verdicts = judged.map(({ verdict }) => verdict)
  const rows = judged.flatMap(({ row }) => (row ? [row] : []))
  const ackSeq = contiguous(known.ack, [...known.seqs, ...rows.map((row) => row.seq)])
  if (rows.length === 0) return { verdicts, page: pageOf(known.changes, batch.cursor), ackSeq }
  const answers = judged.flatMap(({ answer }) => (answer ? [answer] : []))
  const states = answers.length > 0 ? await foldedStates(db, uid, answers, known, answerables) : []
  const written = await writeBatch(db, { uid, device, ops: rows, states, rev: known.rev, ack: ackSeq, now })
  return written ? { verdicts, page: withOwn(known, states, batch.cursor), ackSeq } : null
}

/** The highest seq up to which none is missing. */
function contiguous(from: number, seqs: readonly number[]): number {
  const stored = new Set(seqs)
  let at = from
  while (stored.has(at + 1)) at++
  return at
}

/**
 * What was read, with the states that this batch has written after it. Their older ones must never be sent: the device would
 * take them for the newest and forget the op that is newer.
 */
function withOwn({ changes, rev }: Known, states: readonly StateRow[], cursor: number): Page {
  const own = new Set(states.map((state) => state.questionNo))
  const read = pageOf(changes, cursor)
  const older = read.states.filter((state) => !own.has(state.questionNo))
  if (read.more) return { ...read, states: older }
  return pageOf(
    [
      ...changes.filter(({ state }) => !own.has(state.questionNo)),
      ...states.map((state, i) => ({ rev: rev + 1 + i, state })),
    ],
    cursor,
  )
}

function judge(
  { op, hash, known, payload }: Read,
  batch: Batch,
  before: KnownOp | undefined,
  answerables: ReadonlyMap<string, Answerable>,
): Judged {
  const { opId } = op
  if (before && before.payload_hash !== hash)
    return {
      verdict: { opId, verdict: 'rejected', code: 'conflict', msg: '同一编号的记录内容不同' },
      row: null,
      answer: null,
    }
  if (before) return { verdict: resent(opId, before), row: null, answer: null }
  if (!known) return { verdict: { opId, verdict: 'unsupported' }, row: null, answer: null }
  // Of a payload that nobody understands its hash is enough to tell a repeat.
  const row = { ...rowOf(op, batch, hash), payload: payload ?? {} }
  if (!payload) return rejected(row, 'invalid', '记录内容不完整，无法保存')
  const { questionNo, response, spentMs } = payload
  const question = answerables.get(questionNo)
  if (!question) return rejected(row, 'unknown_question', '题目不存在')
  const right = isRight(question.body, response)
  return {
    verdict: { opId, verdict: 'applied' },
    row: { ...row, right, question_no: questionNo },
    answer: { opId, questionNo, response, spentMs, right, at: row.effective_at },
  }
}

function resent(opId: string, known: KnownOp): Verdict {
  if (known.verdict === 'applied') return { opId, verdict: 'duplicate' }
  return { opId, verdict: 'rejected', code: known.code ?? 'rejected', msg: known.msg ?? '' }
}

function rejected(row: OpRow, code: string, msg: string): Judged {
  const verdict: Verdict = { opId: row.op_id, verdict: 'rejected', code, msg }
  return { verdict, row: { ...row, verdict: 'rejected', code, msg }, answer: null }
}

function rowOf(op: OpRecord, { sentAt, now }: Batch, hash: string): OpRow {
  // The age is a difference on one clock, so a wrong clock cancels out.
  const effective = now - Math.max(0, sentAt - op.clientAt)
  return {
    op_id: op.opId,
    seq: op.seq,
    stream: op.stream,
    kind: op.kind,
    v: op.v,
    payload: op.payload,
    payload_hash: hash,
    ctx: op.ctx,
    client_at: op.clientAt,
    effective_at: Math.max(effective, now - OLDEST_MS),
    verdict: 'applied',
    code: null,
    msg: null,
    right: null,
    question_no: null,
  }
}

/** Over the record as it was first made; not its seq or owner, which change when a visitor's ops are merged. */
const payloadHash = (op: OpRecord): string =>
  digest('sha256', JSON.stringify([op.opId, op.stream, op.kind, op.v, op.payload, op.ctx, op.clientAt]), 'base64url')

async function foldedStates(
  db: Db,
  uid: string,
  answers: readonly Answer[],
  known: Known,
  answerables: ReadonlyMap<string, Answerable>,
): Promise<StateRow[]> {
  const before = new Map(known.states.map((state) => [state.questionNo, state]))
  const byQuestion = Map.groupBy([...answers].sort(byTime), (answer) => answer.questionNo)
  const late = [...byQuestion].filter(([no, [first]]) => first && isLate(first, before.get(no))).map(([no]) => no)
  const recorded =
    late.length > 0 ? Map.groupBy(await readAnswers(db, uid, late), (a) => a.questionNo) : new Map<string, Answer[]>()
  return [...byQuestion].map(([no, added]) => {
    const place = {
      chapterNo: answerables.get(no)?.chapter_no ?? null,
      libraryNo: answerables.get(no)?.library_no ?? null,
    }
    const all = late.includes(no) ? [...(recorded.get(no) ?? []), ...added] : null
    const start = before.get(no) ?? null
    const state = all
      ? foldAnswers(all, place)
      : added.reduce<StudyState | null>((s, answer) => applyAnswer(s, answer, place), start)
    const last = (all ? [...all].sort(byTime) : added).at(-1)
    if (!state || !last) throw new Error(`no answers to fold for ${no}`)
    return { ...state, lastOp: last.opId }
  })
}

const isLate = (first: Answer, state: StateRow | undefined): boolean =>
  state !== undefined && byTime(first, { at: state.lastAt, opId: state.lastOp }) < 0
