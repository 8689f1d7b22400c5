import type { OpRecord, Verdict } from '#src/contract/study.ts'
import { fits, isRight } from '#src/domain/question/marking.ts'
import type { Answer, Fact } from '#src/domain/study/study.ts'
import type { ThingFact, ThingKind } from '#src/domain/record/things.ts'
import { examSittingsIn, type ExamSittings, followExam, judgeBegin, judgeExam } from './judgeExam.ts'
import { OPS_OF_QUESTION, roomOf } from './allowance.ts'
import type { Gathered } from './gather.ts'
import { isQuestionKind, type Parsed, questionOf } from './parse.ts'
import { sittingsIn, follow, judgeSitting, missingOf, otherTarget, type Sittings } from './judgeHandIn.ts'
import { type Answerable, type Asking, type KnownOp, type OpRow, type Target, targetOf } from './rows.ts'
import { judgeLessonNote, judgeWatch, type Watchables } from './watching.ts'

/** A retraction or hand-in whose answers have not come by then comes from a record that is gone. */
const WAIT_FOR_TARGET_MS = 7 * 86_400_000
const RETRY_MS = 5_000

/** What is known when an op is judged. */
export interface Around extends Sittings, ExamSittings, Watchables {
  /** When each op was done, by op id (moments.ts). */
  moments: ReadonlyMap<string, number>
  now: number
  seen: ReadonlyMap<string, KnownOp>
  answerables: ReadonlyMap<string, Answerable>
  /** Questions of exams whose key this student may not know yet. */
  secrets: ReadonlySet<string>
  targets: ReadonlyMap<string, Target>
}
export interface Judged {
  verdict: Verdict
  /** To be stored; null when the op is there already, or may come again. */
  row: OpRow | null
  fact: Fact | null
  thing: ThingFact | null
  /** The answer counts otherwise than when it was given: its question has been corrected since. */
  corrected?: boolean
}

/** Judges ops in their order, each as the ones before it leave the record. */
export function judgeAll(ops: readonly Parsed[], now: number, { known, waiting, ...gathered }: Gathered): Judged[] {
  const seen = new Map<string, KnownOp>(known.ops.map((op) => [op.op_id, op]))
  const targets = new Map<string, Target>(known.targets.map((target) => [target.opId, target]))
  const answerables = new Map(known.answerables.map((each) => [each.no, each]))
  const sittings = sittingsIn(known)
  const examSittings = examSittingsIn(known)
  const mustWait = roomOf(known.stored, now)
  return ops.map((each) => {
    const { opId } = each.op
    if (!seen.has(opId) && waiting.nos.has(questionOf(each))) return later(opId, waiting.afterMs)
    const one = judge(each, { now, seen, answerables, targets, sittings, examSittings, ...gathered })
    const waitMs = one.row ? mustWait(one.row) : 0
    if (waitMs > 0) return later(opId, waitMs)
    // The same id twice in one batch is a repeat like any other.
    if (one.row) seen.set(opId, one.row)
    // Whatever is stored is there; only answers give anything.
    if (one.row) targets.set(opId, one.fact?.kind === 'answer' ? targetOf(one.fact) : otherTarget(one.row))
    if (one.thing) {
      follow(sittings, one.thing)
      followExam(examSittings, one.thing)
    }
    return one
  })
}

function judge(each: Parsed, around: Around): Judged {
  const { op, hash, known, payload } = each
  const { opId } = op
  const before = around.seen.get(opId)
  if (before && before.payload_hash !== hash)
    return only({ opId, verdict: 'rejected', code: 'conflict', msg: '同一编号的记录内容不同' })
  if (before) return only(resent(each, before, around))
  if (!known) return only({ opId, verdict: 'unsupported' })
  // Of a payload that nobody understands its hash is enough to tell a repeat.
  const row = { ...rowOf(op, around, hash), payload: payload ?? {} }
  if (!payload) return rejected(row, 'invalid', '记录内容不完整，无法保存')
  // By its schema; the kinds that are no question's are those of ThingFact.
  if (!isQuestionKind(op.kind))
    return thing({ kind: op.kind as ThingKind, opId, at: row.effective_at, payload } as ThingFact, row, around)
  return onQuestion({ ...payload, kind: op.kind, opId, at: row.effective_at } as Fact, row, around)
}

function thing(fact: ThingFact, row: OpRow, around: Around): Judged {
  const { opId } = fact
  const applied = (made: ThingFact): Judged => ({ verdict: { opId, verdict: 'applied' }, row, fact: null, thing: made })
  const refused = fact.kind === 'examBegin' ? judgeBegin(fact, around) : null
  if (refused) return rejected(row, refused.code, refused.msg)
  if (fact.kind === 'watch') {
    const taken = judgeWatch(fact, around)
    return 'code' in taken ? rejected(row, taken.code, taken.msg) : applied({ ...fact, payload: taken })
  }
  if (fact.kind === 'lessonNote') {
    const taken = judgeLessonNote(fact, around)
    return 'code' in taken ? rejected(row, taken.code, taken.msg) : applied({ ...fact, payload: taken })
  }
  if (fact.kind !== 'handIn' && fact.kind !== 'selfMark' && fact.kind !== 'examHandIn') return applied(fact)
  const found = fact.kind === 'examHandIn' ? judgeExam(fact, around.now, around) : judgeSitting(fact, around)
  // Each finds what belongs to its own kind.
  if (!('code' in found)) return applied({ ...fact, ...found })
  return found.code === 'early' && mayStillCome(row, around)
    ? later(opId, RETRY_MS)
    : rejected(row, found.code, found.msg, missingIn(found.code, fact.payload, around))
}

const missingIn = (code: string, payload: Record<string, unknown>, around: Around) =>
  code === 'early' ? { missing: missingOf(payload, around) } : {}

/** What an op names comes with it, or soon after: a hand-in and its answers may be in two calls. */
const mayStillCome = (row: OpRow, { now }: Around): boolean => now - row.effective_at < WAIT_FOR_TARGET_MS

function onQuestion(fact: Fact, row: OpRow, around: Around): Judged {
  const { answerables, targets } = around
  const { opId, questionNo } = fact
  const question = answerables.get(questionNo)
  if (!question) return rejected(row, 'unknown_question', '题目不存在')
  if (question.recorded >= OPS_OF_QUESTION) return rejected(row, 'too_many', '这道题的记录太多，这一次没有计入')
  if (fact.kind === 'answer' && !isFitting(fact, question))
    return rejected(row, 'unfitting', '作答与这道题的题型不符，没有计入')
  // Its mark would tell the key: it counts when that is released.
  if (fact.kind === 'answer' && around.secrets.has(questionNo))
    return mayStillCome(row, around)
      ? later(opId, RETRY_MS)
      : rejected(row, 'not_released', '这道题的考试还没有公布答案，没有计入')
  if (fact.kind === 'retract') {
    const target = targets.get(fact.target)
    if (!target && mayStillCome(row, around)) return later(opId, RETRY_MS)
    if (target?.verdict !== 'applied' || target.kind !== 'answer' || target.questionNo !== questionNo)
      return rejected(row, 'nothing_to_retract', '要撤销的作答不存在')
  }
  const applied: Judged = {
    verdict: { opId, verdict: 'applied' },
    row: { ...row, question_no: questionNo },
    fact,
    thing: null,
  }
  return fact.kind === 'answer' ? { ...applied, ...marked(fact, row, question) } : applied
}

/** Neither a response to what it was asked nor to what it asks now: earlier versions of the app do not say which they showed. */
const isFitting = ({ version, response }: Answer, question: Answerable): boolean =>
  [question, asking(question, version)].some(({ body }) => fits(body, response))

function marked(fact: Answer, row: OpRow, question: Answerable): Pick<Judged, 'row' | 'fact' | 'corrected'> {
  const right = isRight(asking(question, fact.version).body, fact.response)
  return {
    row: { ...row, right, question_no: fact.questionNo },
    fact: { ...fact, right },
    // The student has seen the other mark.
    corrected: right !== isRight(shownKey(question, fact.version).body, fact.response),
  }
}

/** By which a late answer was marked on the device. */
const shownKey = ({ since, body, past }: Answerable, version: number): Asking =>
  past?.find(({ upto }) => version <= upto) ?? { since, body }

/** What the question asked in that version, with the last key of it: an answer that comes late was no answer to anything else. */
export function asking(of: Answerable, version: number): Asking {
  if (version >= of.since) return of
  const { since } = shownKey(of, version)
  return of.past?.findLast((each) => each.since === since) ?? of
}

/** Nothing is stored of it; the device sends it again. */
export const later = (opId: string, afterMs: number): Judged => only({ opId, verdict: 'retry', afterMs })

const only = (verdict: Verdict): Judged => ({ verdict, row: null, fact: null, thing: null })

function resent({ op: { opId }, payload }: Parsed, known: KnownOp, around: Around): Verdict {
  if (known.verdict === 'applied') return { opId, verdict: 'duplicate' }
  const code = known.code ?? 'rejected'
  return { opId, verdict: 'rejected', code, msg: known.msg ?? '', ...missingIn(code, payload ?? {}, around) }
}

function rejected(row: OpRow, code: string, msg: string, more: { missing?: string[] } = {}): Judged {
  return {
    ...only({ opId: row.op_id, verdict: 'rejected', code, msg, ...more }),
    row: { ...row, verdict: 'rejected', code, msg },
  }
}

function rowOf(op: OpRecord, around: Around, hash: string): OpRow {
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
    own_at: op.measured?.own ?? null,
    effective_at: around.moments.get(op.opId) ?? around.now,
    verdict: 'applied',
    code: null,
    msg: null,
    right: null,
    question_no: null,
    foretold: null,
  }
}
