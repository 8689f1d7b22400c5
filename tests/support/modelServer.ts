import { momentsOf } from '#server/study/moments.ts'
import * as v from 'valibot'
import type { SetPaperRef } from '#src/contract/sitting.ts'
import type { Input, Output } from '#src/contract/endpoint.ts'
import {
  type Change,
  OP_PAYLOADS,
  type OpPayload,
  type OpRecord,
  type study,
  type StudyState,
  type ThingChange,
  type Verdict,
} from '#src/contract/study.ts'
import type { OpKind } from '#src/contract/sync.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { addDay, dayOfAnswer, NO_TIME } from '#src/domain/study/days.ts'
import { earnedBy, type Markables, withEssays } from '#src/domain/paper/paper.ts'
import { byTime } from '#src/domain/study/moment.ts'
import { type Fact, fold as foldFacts, type Place, QUESTION_KINDS, standing } from '#src/domain/study/study.ts'
import { grown, type SittingKind, type ThingFact, thingOf } from '#src/domain/record/things.ts'
import { WATCHED } from './courses.ts'
import { single } from './questions.ts'

type SyncInput = Input<typeof study.sync>
type SyncOutput = Output<typeof study.sync>

/** What a server can do wrong; planted to prove that the model notices. */
export type Plant = 'forgets-op-ids' | 'takes-any-owner' | 'forgets-an-effect'
export interface ModelQuestion extends Place {
  no: string
  rightId: string
}
/** The one paper that there is: all the questions, each 1.5 marks. */
export const MODEL_PAPER: SetPaperRef = { of: 'set', no: 'S', itemNo: 'S_1', rev: 'model', trial: false }
export const modelPaper = (questions: readonly ModelQuestion[]): Markables => ({
  partial: 'half',
  sections: [
    {
      title: '第1大题',
      entries: questions.map(({ no, rightId }) => ({
        question: single(no, rightId),
        scores: [150],
        rev: 'r',
        chapterNo: '',
        libraryNo: '',
      })),
    },
  ],
})
type SittingFact = Extract<ThingFact, { kind: SittingKind }>
interface StoredOp {
  op: OpRecord
  /** When it was done. */
  at: number
  device: string
  hash: string
  /** Null when it was refused, or is about no question. */
  fact: Fact | null
  applied: boolean
  code: string
  msg: string
}
interface Account {
  ops: Map<string, StoredOp>
  /** Every effect, so that an effect that came twice is seen twice. */
  facts: Fact[]
  things: ThingFact[]
  rows: Map<string, { rev: number; change: Change }>
  rev: number
}

const WAIT_FOR_TARGET_MS = 7 * 86_400_000
const NOWHERE: Place = { chapterNo: null, libraryNo: null, type: 'single', points: [] }

/**
 * `study/sync` as offline.md §4.4 states it, in the plainest way: all facts are kept and folded anew each time. Checked
 * against the real server by the model test itself.
 */
export function createModelServer(questions: readonly ModelQuestion[], pageSize: number, plant?: Plant) {
  const bank = new Map(questions.map((question) => [question.no, question]))
  const accounts = new Map<string, Account>()
  const account = (uid: string): Account => {
    const known = accounts.get(uid) ?? { ops: new Map(), facts: [], things: [], rows: new Map(), rev: 0 }
    accounts.set(uid, known)
    return known
  }
  /** Set to make the server one that does not know answers yet. */
  const release = { old: false }

  /** `at`: when it was done; checked by tests of its own (tests/server/moments.test.ts). */
  function take(uid: string, op: OpRecord, input: SyncInput, now: number, at: number): Verdict {
    const { opId } = op
    const { ops, facts, things } = account(uid)
    const hash = JSON.stringify([op.stream, op.kind, op.v, op.payload, op.ctx, op.clientAt])
    const known = plant === 'forgets-op-ids' ? undefined : ops.get(opId)
    if (known && known.hash !== hash)
      return { opId, verdict: 'rejected', code: 'conflict', msg: '同一编号的记录内容不同' }
    if (known)
      return known.applied
        ? { opId, verdict: 'duplicate' }
        : { opId, verdict: 'rejected', code: known.code, msg: known.msg }
    const versions: Record<number, v.GenericSchema> = OP_PAYLOADS[op.kind as OpKind] ?? {}
    const schema = versions[op.v]
    if (release.old || !schema) return { opId, verdict: 'unsupported' }
    const stored = { op, at, device: input.device, hash, fact: null, applied: true, code: '', msg: '' }
    const refuse = (code: string, msg: string): Verdict => {
      ops.set(opId, { ...stored, applied: false, code, msg })
      return { opId, verdict: 'rejected', code, msg }
    }
    const payload = v.safeParse(schema, op.payload)
    if (!payload.success) return refuse('invalid', '记录内容不完整，无法保存')
    if (!QUESTION_KINDS.some((kind) => kind === op.kind)) {
      const fact = { kind: op.kind, opId, at, payload: payload.output } as ThingFact
      if (fact.kind === 'handIn' || fact.kind === 'selfMark') {
        const fault = sitting(uid, fact)
        if (fault === 'early' && now - at < WAIT_FOR_TARGET_MS) return { opId, verdict: 'retry', afterMs: 5_000 }
        if (fault) return refuse(fault, FAULTS[fault])
      }
      if (fact.kind === 'watch') {
        if (!WATCHED.lessons.includes(fact.payload.lessonNo)) return refuse('unknown_lesson', FAULTS.unknown_lesson)
        fact.payload = withinLesson(fact.payload)
      }
      if (fact.kind === 'lessonNote' && fact.payload.text !== '') {
        if (!WATCHED.lessons.includes(fact.payload.lessonNo)) return refuse('unknown_lesson', FAULTS.unknown_lesson)
        fact.payload.second = Math.min(fact.payload.second, LESSON_END)
      }
      ops.set(opId, stored)
      things.push(fact)
      return { opId, verdict: 'applied' }
    }
    const fact = { ...(payload.output as object), kind: op.kind, opId, at } as Fact
    const question = bank.get(fact.questionNo)
    if (!question) return refuse('unknown_question', '题目不存在')
    if (fact.kind === 'retract') {
      const target = ops.get(fact.target)
      if (!target && now - at < WAIT_FOR_TARGET_MS) return { opId, verdict: 'retry', afterMs: 5_000 }
      if (target?.fact?.kind !== 'answer' || target.fact.questionNo !== fact.questionNo)
        return refuse('nothing_to_retract', '要撤销的作答不存在')
    }
    if (fact.kind === 'answer') fact.right = isRight(fact, question)
    ops.set(opId, { ...stored, fact })
    if (plant !== 'forgets-an-effect' || fact.kind !== 'answer' || fact.spentMs % 7 !== 0) facts.push(fact)
    return { opId, verdict: 'applied' }
  }

  /** Marks it, or says why not. */
  function sitting(uid: string, fact: SittingFact): keyof typeof FAULTS | null {
    const { ops, things } = account(uid)
    const { payload } = fact
    const mine = things.filter((each) => 'attemptId' in each.payload && each.payload.attemptId === payload.attemptId)
    const before = mine.reduce<ThingChange | null>(grown, null)
    if (fact.kind === 'handIn' && before) return 'finished'
    const stored = payload.answers.map((opId) => ops.get(opId))
    if (stored.includes(undefined) || (fact.kind === 'selfMark' && !before)) return 'early'
    const paper = 'paper' in payload ? payload.paper : before?.kind === 'attempt' ? before.body.paper : null
    if (paper?.of !== 'set' || paper.itemNo !== MODEL_PAPER.itemNo) return 'unknown_paper'
    const facts = stored.flatMap((each) => (each?.fact?.kind === 'answer' ? [each.fact] : [])).sort(byTime)
    const given = new Map(facts.map(({ questionNo, response }) => [questionNo, response]))
    const markables = modelPaper(questions)
    fact.earned = before?.kind === 'attempt' ? withEssays(markables, before.body, given) : earnedBy(markables, given)
    return null
  }

  /** Everything anew; only what came out different gets a new rev. */
  function fold(uid: string, touched: ReadonlySet<string>): void {
    const { facts, things, rows } = account(uid)
    const put = (change: Change) => {
      const key = change.kind === 'state' ? `state ${change.state.questionNo}` : `${change.kind} ${change.id}`
      if (touched.has(key)) rows.set(key, { rev: ++account(uid).rev, change })
    }
    for (const [no, of] of Map.groupBy(facts, (fact) => fact.questionNo)) {
      const { chapterNo, libraryNo, type, points } = bank.get(no) ?? NOWHERE
      put({ kind: 'state', state: foldFacts(no, of, { chapterNo, libraryNo, type, points }) })
    }
    const answers = facts.filter((fact) => fact.kind === 'answer')
    const counted = new Set([...Map.groupBy(facts, (fact) => fact.questionNo).values()].flatMap((of) => standing(of)))
    for (const [day, of] of Map.groupBy(answers, (fact) => dayOf(fact.at)))
      put({
        kind: 'day',
        id: String(day),
        body: of
          .filter((fact) => counted.has(fact))
          .map(dayOfAnswer)
          .reduce((sum, each) => addDay(sum, each), NO_TIME),
      })
    for (const of of Map.groupBy(things, keyOfThing).values()) {
      const thing = of.reduce<ThingChange | null>(grown, null)
      if (thing) put(thing)
    }
  }

  /** The rows that an op may change. */
  function keysOf(uid: string, { op, fact }: StoredOp): string[] {
    if (!fact) {
      const thing = account(uid).things.find(({ opId }) => opId === op.opId)
      return thing ? [keyOfThing(thing)] : []
    }
    const state = `state ${fact.questionNo}`
    if (fact.kind === 'answer') return [state, `day ${dayOf(fact.at)}`]
    const target = fact.kind === 'retract' ? account(uid).ops.get(fact.target)?.fact : null
    return target ? [state, `day ${dayOf(target.at)}`] : [state]
  }

  const ofDevice = (uid: string, device: string) =>
    [...account(uid).ops.values()]
      .filter((each) => each.device === device)
      .map(({ op: { opId, measured }, at }) => ({ opId, own: measured?.own ?? null, at }))

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
      const moments = momentsOf(ops, { ...input, now }, ofDevice(uid, input.device))
      const verdicts = ops.map((op) => take(uid, op, input, now, moments.get(op.opId) ?? now))
      const applied = new Set(verdicts.flatMap((each) => (each.verdict === 'applied' ? [each.opId] : [])))
      const taken = [...account(uid).ops.values()].filter((each) => applied.has(each.op.opId))
      fold(uid, new Set(taken.flatMap((each) => keysOf(uid, each))))
      // Every write moves the rev, one that changes no state by one.
      if (applied.size === 0 && account(uid).ops.size > stored) account(uid).rev++
      const changed = [...account(uid).rows.values()]
        .filter(({ rev }) => rev > input.cursor)
        .sort((a, b) => a.rev - b.rev)
      const page = changed.slice(0, pageSize)
      return {
        verdicts,
        changes: page.map(({ change }) => change),
        cursor: page.at(-1)?.rev ?? input.cursor,
        more: changed.length > pageSize,
        ackSeq: ops.length === 0 ? 0 : contiguous(uid, input.device),
        serverNow: now,
      }
    },
    /** `spentMs` of every answer that was taken: the model gives each answer its own. */
    recorded: (uid: string): number[] =>
      account(uid).facts.flatMap((fact) => (fact.kind === 'answer' ? [fact.spentMs] : [])),
    /** Ids of all that took effect. */
    taken: (uid: string): string[] => [...account(uid).facts, ...account(uid).things].map(({ opId }) => opId),
    /** Everything that a device gets of this student. */
    record: (uid: string): Change[] => [...account(uid).rows.values()].map(({ change }) => change),
  }
}

const FAULTS = {
  early: '缺少这次交卷的部分作答，没有计分',
  finished: '这次作答已经交过卷',
  unknown_paper: '试卷不存在或已下架',
  unknown_lesson: '课时不存在',
}
const LESSON_END = WATCHED.seconds + 5
const withinLesson = (payload: OpPayload<'watch'>): OpPayload<'watch'> => ({
  ...payload,
  watched: payload.watched
    .map(([from, to]): [number, number] => [from, Math.min(to, LESSON_END)])
    .filter(([from, to]) => from < to),
  position: Math.min(payload.position, LESSON_END),
})
function keyOfThing(fact: ThingFact): string {
  const { kind, id } = thingOf(fact)
  return `${kind} ${id}`
}

const isRight = ({ response }: { response: NonNullable<StudyState['lastResponse']> }, { rightId }: ModelQuestion) =>
  response.kind === 'choice' && response.ids.length === 1 && response.ids[0] === rightId

export type ModelServer = ReturnType<typeof createModelServer>
