import * as v from 'valibot'
import type { Input, Output } from '#src/contract/endpoint.ts'
import { AnswerPayload, type OpRecord, type study, type StudyState, type Verdict } from '#src/contract/study.ts'
import { type Answer, foldAnswers } from '#src/domain/study.ts'

type SyncInput = Input<typeof study.sync>
type SyncOutput = Output<typeof study.sync>

/** What a server can do wrong; planted to prove that the model notices. */
export type Plant = 'forgets-op-ids' | 'takes-any-owner' | 'forgets-an-effect'
export interface ModelQuestion {
  no: string
  chapterNo: string
  libraryNo: string
  rightId: string
}
interface StoredOp {
  op: OpRecord
  device: string
  hash: string
  /** Null when it was refused. */
  answer: Answer | null
  code: string
  msg: string
}
interface Account {
  ops: Map<string, StoredOp>
  /** Every effect, so that an effect that came twice is seen twice. */
  answers: Answer[]
  rows: Map<string, { rev: number; state: StudyState }>
  rev: number
}

const OLDEST_MS = 400 * 86_400_000

/**
 * `study/sync` as offline.md §4.4 states it, in the plainest way: all facts are kept and folded anew each time. Checked
 * against the real server by the model test itself.
 */
export function createModelServer(questions: readonly ModelQuestion[], pageSize: number, plant?: Plant) {
  const bank = new Map(questions.map((question) => [question.no, question]))
  const accounts = new Map<string, Account>()
  const account = (uid: string): Account => {
    const known = accounts.get(uid) ?? { ops: new Map(), answers: [], rows: new Map(), rev: 0 }
    accounts.set(uid, known)
    return known
  }
  /** Set to make the server one that does not know answers yet. */
  const release = { old: false }

  function take(uid: string, op: OpRecord, input: SyncInput, now: number): Verdict {
    const { opId } = op
    const { ops, answers } = account(uid)
    const hash = JSON.stringify([op.stream, op.kind, op.v, op.payload, op.ctx, op.clientAt])
    const known = plant === 'forgets-op-ids' ? undefined : ops.get(opId)
    if (known && known.hash !== hash)
      return { opId, verdict: 'rejected', code: 'conflict', msg: '同一编号的记录内容不同' }
    if (known)
      return known.answer
        ? { opId, verdict: 'duplicate' }
        : { opId, verdict: 'rejected', code: known.code, msg: known.msg }
    if (release.old || op.kind !== 'answer' || op.v !== 1) return { opId, verdict: 'unsupported' }
    const refuse = (code: string, msg: string): Verdict => {
      ops.set(opId, { op, device: input.device, hash, answer: null, code, msg })
      return { opId, verdict: 'rejected', code, msg }
    }
    const payload = v.safeParse(AnswerPayload, op.payload)
    if (!payload.success) return refuse('invalid', '记录内容不完整，无法保存')
    const { questionNo, response, spentMs } = payload.output
    const question = bank.get(questionNo)
    if (!question) return refuse('unknown_question', '题目不存在')
    const at = Math.max(now - Math.max(0, input.sentAt - op.clientAt), now - OLDEST_MS)
    const right = response.kind === 'choice' && response.ids.length === 1 && response.ids[0] === question.rightId
    const answer = { opId, questionNo, response, spentMs, at, right }
    ops.set(opId, { op, device: input.device, hash, answer, code: '', msg: '' })
    if (plant !== 'forgets-an-effect' || spentMs % 7 !== 0) answers.push(answer)
    return { opId, verdict: 'applied' }
  }

  function fold(uid: string, questionNos: Iterable<string>): void {
    const { answers, rows } = account(uid)
    for (const no of questionNos) {
      const question = bank.get(no)
      const state =
        question &&
        foldAnswers(
          answers.filter((each) => each.questionNo === no),
          question,
        )
      if (state) rows.set(no, { rev: ++account(uid).rev, state })
    }
  }

  const contiguous = (uid: string, device: string): number => {
    const seqs = new Set([...account(uid).ops.values()].filter((each) => each.device === device).map((e) => e.op.seq))
    let ack = 0
    while (seqs.has(ack + 1)) ack++
    return ack
  }

  return {
    release,
    /** @param uid the token's student. Null: this server refuses the batch as a whole. */
    sync(uid: string, input: SyncInput, now: number): SyncOutput | null {
      if (input.owner !== uid && plant !== 'takes-any-owner') return null
      const ops = [...input.ops].sort((a, b) => a.seq - b.seq)
      const stored = account(uid).ops.size
      const verdicts = ops.map((op) => take(uid, op, input, now))
      const applied = new Set(verdicts.flatMap((each) => (each.verdict === 'applied' ? [each.opId] : [])))
      fold(
        uid,
        new Set(
          [...account(uid).ops.values()].filter((e) => applied.has(e.op.opId)).map((e) => e.answer?.questionNo ?? ''),
        ),
      )
      // Every write moves the rev, one that changes no state by one.
      if (applied.size === 0 && account(uid).ops.size > stored) account(uid).rev++
      const changed = [...account(uid).rows.values()]
        .filter(({ rev }) => rev > input.cursor)
        .sort((a, b) => a.rev - b.rev)
      const page = changed.slice(0, pageSize)
      return {
        verdicts,
        changes: page.map(({ state }) => ({ kind: 'state', state })),
        cursor: page.at(-1)?.rev ?? input.cursor,
        more: changed.length > pageSize,
        ackSeq: ops.length === 0 ? 0 : contiguous(uid, input.device),
        serverNow: now,
      }
    },
    /** `spentMs` of every answer that counts for this student: the model gives each answer its own. */
    recorded: (uid: string): number[] => account(uid).answers.map((answer) => answer.spentMs),
    states: (uid: string): Map<string, StudyState> =>
      new Map([...account(uid).rows].map(([no, { state }]) => [no, state])),
  }
}
export type ModelServer = ReturnType<typeof createModelServer>
