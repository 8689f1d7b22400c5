import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { AnswerPayload, OP_PAYLOADS, type OpRecord, type StudyState, type Verdict } from '#src/contract/study.ts'
import { isRight } from '#src/domain/marking.ts'
import { type Answer, applyAnswer, byTime, foldAnswers } from '#src/domain/study.ts'
import type { Tx } from '#server/db/open.ts'
import {
  type Answerable,
  type Known,
  type KnownOp,
  type OpRow,
  type StateRow,
  insertOps,
  lockAndRead,
  putStates,
  readAnswers,
} from './store.ts'

export interface Batch {
  uid: string
  device: string
  ops: readonly OpRecord[]
  /** The device's clock at sending, ms. */
  sentAt: number
  now: number
}
/** An op older than this is taken as this old: no device's clock can place an answer in another era. */
const OLDEST_MS = 400 * 86_400_000

type Judged = { verdict: Verdict; row: OpRow | null; answer: Answer | null }

/**
 * Takes a batch inside one transaction: each op once for ever by (student, op id), its effect with it. Returns a verdict
 * per op, in the order of `seq`.
 */
export async function ingest(tx: Tx, batch: Batch): Promise<Verdict[]> {
  const ops = [...batch.ops].sort((a, b) => a.seq - b.seq)
  const asked = ops
    .map((op) => v.safeParse(AnswerPayload, op.payload))
    .flatMap((p) => (p.success ? [p.output.questionNo] : []))
  const known = await lockAndRead(
    tx,
    batch.uid,
    ops.map((op) => op.opId),
    [...new Set(asked)],
  )
  const seen = new Map<string, KnownOp>(known.ops.map((op) => [op.op_id, op]))
  const answerables = new Map(known.answerables.map((each) => [each.no, each]))
  const judged = ops.map((op) => {
    const one = judge(op, batch, seen.get(op.opId), answerables)
    // The same id twice in one batch is a repeat like any other.
    if (one.row) seen.set(op.opId, one.row)
    return one
  })
  const rows = judged.flatMap(({ row }) => (row ? [row] : []))
  if (rows.length > 0) await insertOps(tx, batch.uid, rows, batch.now)
  const answers = judged.flatMap(({ answer }) => (answer ? [answer] : []))
  if (answers.length > 0)
    await putStates(tx, batch.uid, await foldedStates(tx, batch.uid, answers, known, answerables), known.rev)
  return judged.map(({ verdict }) => verdict)
}

function judge(
  op: OpRecord,
  batch: Batch,
  known: KnownOp | undefined,
  answerables: ReadonlyMap<string, Answerable>,
): Judged {
  const { opId } = op
  const hash = payloadHash(op)
  if (known && known.payload_hash !== hash)
    return {
      verdict: { opId, verdict: 'rejected', code: 'conflict', msg: '同一编号的记录内容不同' },
      row: null,
      answer: null,
    }
  if (known) return { verdict: resent(opId, known), row: null, answer: null }
  const schema = op.kind === 'answer' && op.v === 1 ? OP_PAYLOADS.answer[1] : null
  if (!schema) return { verdict: { opId, verdict: 'unsupported' }, row: null, answer: null }

  const payload = v.safeParse(schema, op.payload)
  // JSON's null would become SQL's, and the column takes none.
  const row = { ...rowOf(op, batch, hash), payload: payload.success ? payload.output : (op.payload ?? {}) }
  if (!payload.success) return rejected(row, 'invalid', '记录内容不完整，无法保存')
  const { questionNo, response, spentMs } = payload.output
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

function rowOf(op: OpRecord, { device, sentAt, now }: Batch, hash: string): OpRow {
  // The age is a difference on one clock, so a wrong clock cancels out.
  const effective = now - Math.max(0, sentAt - op.clientAt)
  return {
    op_id: op.opId,
    device,
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
  createHash('sha256')
    .update(JSON.stringify([op.opId, op.stream, op.kind, op.v, op.payload, op.ctx, op.clientAt]))
    .digest('base64url')

async function foldedStates(
  tx: Tx,
  uid: string,
  answers: readonly Answer[],
  known: Known,
  answerables: ReadonlyMap<string, Answerable>,
): Promise<StateRow[]> {
  const before = new Map(known.states.map((state) => [state.questionNo, state]))
  const byQuestion = Map.groupBy([...answers].sort(byTime), (answer) => answer.questionNo)
  const late = [...byQuestion].filter(([no, [first]]) => first && isLate(first, before.get(no))).map(([no]) => no)
  const recorded =
    late.length > 0 ? Map.groupBy(await readAnswers(tx, uid, late), (a) => a.questionNo) : new Map<string, Answer[]>()
  return [...byQuestion].map(([no, added]) => {
    const place = {
      chapterNo: answerables.get(no)?.chapter_no ?? null,
      libraryNo: answerables.get(no)?.library_no ?? null,
    }
    const all = recorded.get(no)
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
