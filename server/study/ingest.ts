import type { DayTotals, OpRecord, StudyState, ThingChange, Verdict } from '#src/contract/study.ts'
import { dayOf } from '#src/domain/day.ts'
import type { Markables } from '#src/domain/paper.ts'
import { apply, byTime, type Fact, fold, type Moment, type Place } from '#src/domain/study.ts'
import { addDay, dayOfAnswer } from '#src/domain/days.ts'
import { grown, type ThingFact, thingOf } from '#src/domain/things.ts'
import type { Db } from '#server/db/open.ts'
import { firstsOf, noticeRow } from './answers.ts'
import { effectiveAt, isQuestionKind, type Judged, judge, read, type Read } from './judge.ts'
import { examAttemptsIn, type ExamSittings, followExam, heardIn, readExamsOf } from './examSitting.ts'
import { answersOf, attemptsIn, follow, readPapers, otherTarget } from './sitting.ts'
import {
  type Asked,
  type Known,
  type KnownOp,
  type Page,
  pageOf,
  type RecordRow,
  type RevisedRow,
  readFacts,
  readKnown,
  readRecords,
  readSecrets,
  type RowKey,
  type Tallied,
  type Target,
  writeBatch,
} from './store.ts'
import { readLessonsOf, type Watchables } from './watching.ts'

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

/** Batches of one student at the same moment: one wins, the others read again. */
const TRIES = 20

export interface Ingested {
  verdicts: Verdict[]
  /** A page of what changed after the cursor, this batch's own effects among them when it is the last one. */
  page: Page
  ackSeq: number
}

/** Takes a batch: each op once for ever by (student, op id), its effect with it. Verdicts come in the order of `seq`. */
export async function ingest(db: Db, batch: Batch): Promise<Ingested> {
  const ops = [...batch.ops].sort((a, b) => a.seq - b.seq).map(read)
  const asked = askedBy(ops, batch)
  for (let tries = 0; tries < TRIES; tries++) {
    const ingested = await attempt(db, batch, ops, await readKnown(db, batch, asked))
    if (ingested) return ingested
  }
  throw new Error(`study_rev or the keys moved ${TRIES} times under one batch`)
}

function askedBy(ops: readonly Read[], batch: Batch): Asked {
  const questionNos = new Set<string>()
  const targets = new Set<string>()
  const keys = new Map<string, RowKey>()
  const want = (kind: RowKey['kind'], id: string) => keys.set(keyOf({ kind, id }), { kind, id })
  for (const { op, payload } of ops) {
    if (!payload) continue
    if (op.kind === 'retract') targets.add(String(payload.target))
    if (op.kind === 'answer') want('day', String(dayOf(effectiveAt(op, batch))))
    if (isQuestionKind(op.kind)) questionNos.add(String(payload.questionNo))
    else {
      const { kind, id } = thingOf({ kind: op.kind as ThingFact['kind'], opId: op.opId, payload })
      want(kind, id)
      for (const named of answersOf(payload)) targets.add(named)
    }
  }
  for (const no of questionNos) want('state', no)
  return {
    opIds: ops.map(({ op }) => op.opId),
    questionNos: [...questionNos],
    keys: [...keys.values()],
    targets: [...targets],
  }
}
export const keyOf = ({ kind, id }: RowKey): string => `${kind} ${id}`

/** Null: another batch of this student came between. */
async function attempt(db: Db, batch: Batch, ops: readonly Read[], known: Known): Promise<Ingested | null> {
  const { uid, device, now } = batch
  const papers = await readPapers(db, uid, ops, known)
  const secrets = await readSecrets(db, uid, guardedIn(ops, known), now)
  const exams = await readExamsOf(db, ops)
  const judged = judgeAll(ops, batch, known, { papers, secrets, exams, lessons: await readLessonsOf(db, uid, ops) })
  const verdicts = judged.map(({ verdict }) => verdict)
  const rows = judged.flatMap(({ row }) => (row ? [row] : []))
  const ackSeq = contiguous(known.ack, [...known.seqs, ...rows.map((row) => row.seq)])
  if (rows.length === 0) return { verdicts, page: pageOf(known.changes, batch.cursor), ackSeq }
  const { records, firsts } = await effects(db, batch, judged, known)
  const written = await writeBatch(db, {
    uid,
    device,
    ops: rows,
    records: records.map(({ row }) => row),
    firsts,
    heard: heardIn(judged),
    rev: known.rev,
    marking: known.marking,
    ack: ackSeq,
    now,
  })
  return written ? { verdicts, page: withOwn(known, records, batch.cursor), ackSeq } : null
}

/** Guarded questions that the batch answers. */
function guardedIn(ops: readonly Read[], { answerables }: Known): string[] {
  const guarded = new Set(answerables.flatMap((each) => (each.guarded ? [each.no] : [])))
  return ops.flatMap(({ op, payload }) => {
    const no = op.kind === 'answer' ? String(payload?.questionNo) : ''
    return guarded.has(no) ? [no] : []
  })
}

function judgeAll(
  ops: readonly Read[],
  { sentAt, now }: Batch,
  known: Known,
  read: Pick<ExamSittings, 'exams'> &
    Watchables & { papers: ReadonlyMap<string, Markables>; secrets: ReadonlySet<string> },
): Judged[] {
  const seen = new Map<string, KnownOp>(known.ops.map((op) => [op.op_id, op]))
  const targets = new Map<string, Target>(known.targets.map((target) => [target.opId, target]))
  const answerables = new Map(known.answerables.map((each) => [each.no, each]))
  const attempts = attemptsIn(known)
  const examAttempts = examAttemptsIn(known)
  return ops.map((each) => {
    const one = judge(each, { sentAt, now, seen, answerables, targets, attempts, examAttempts, ...read })
    // The same id twice in one batch is a repeat like any other.
    if (one.row) seen.set(each.op.opId, one.row)
    // Whatever is stored is there; only answers give anything.
    if (one.row) targets.set(each.op.opId, one.fact?.kind === 'answer' ? targetOf(one.fact) : otherTarget(one.row))
    if (one.thing) {
      follow(attempts, one.thing)
      followExam(examAttempts, one.thing)
    }
    return one
  })
}

const targetOf = ({ opId, questionNo, at, right = false, spentMs, response }: Fact & { kind: 'answer' }): Target => ({
  opId,
  questionNo,
  verdict: 'applied',
  kind: 'answer',
  at,
  right,
  spentMs,
  response,
})

/** The highest seq up to which none is missing. */
function contiguous(from: number, seqs: readonly number[]): number {
  const stored = new Set(seqs)
  let at = from
  while (stored.has(at + 1)) at++
  return at
}

/** A row that this batch changes, and where its question is. */
interface Effect {
  row: RecordRow
  place: Place | null
}

/** What the applied ops make of the record. */
async function effects(
  db: Db,
  { uid, now }: Batch,
  judged: readonly Judged[],
  known: Known,
): Promise<{ records: Effect[]; firsts: Tallied[] }> {
  const before = new Map(known.records.map((row) => [keyOf(row), row]))
  const facts = judged.flatMap(({ fact }) => (fact ? [fact] : []))
  const byQuestion = Map.groupBy(facts.sort(byTime), (fact) => fact.questionNo)
  const again = [...byQuestion]
    .filter(([no, added]) => mustFoldAgain(added, before.get(`state ${no}`)))
    .map(([no]) => no)
  const recorded = again.length > 0 ? await readFacts(db, uid, again) : []
  const states = statesOf(byQuestion, again, recorded, before, known)
  const days = await daysOf(db, uid, facts, recorded, before, known)
  const things = thingsOf(
    judged.flatMap(({ thing }) => (thing ? [thing] : [])),
    before,
  )
  const notices = judged.flatMap(({ fact, corrected }) => {
    const of = corrected && known.answerables.find(({ no }) => no === fact?.questionNo)
    return of && fact?.kind === 'answer' ? [noticeRow(fact, of, now)] : []
  })
  // One for a question, of its last answer: a row can be written once in a statement.
  const told = new Map(notices.map((row) => [row.id, row]))
  const others = [...days, ...things, ...told.values()].map((row) => ({ row, place: null }))
  return { records: [...states, ...others], firsts: firstsOf({ byQuestion, again, recorded }, known) }
}

/** Answers in the order of their time go on from the stored state; everything else is folded from all facts. */
const mustFoldAgain = (added: readonly Fact[], state: RevisedRow | undefined): boolean =>
  added.some(({ kind }) => kind !== 'answer') ||
  (state !== undefined && added.some((fact) => byTime(fact, momentOf(state)) < 0))

const momentOf = ({ lastAt, lastOp }: RecordRow): Moment => ({ at: lastAt, opId: lastOp })

function statesOf(
  byQuestion: ReadonlyMap<string, Fact[]>,
  again: readonly string[],
  recorded: readonly Fact[],
  before: ReadonlyMap<string, RevisedRow>,
  known: Known,
): Effect[] {
  const answerables = new Map(known.answerables.map((each) => [each.no, each]))
  const recordedOf = Map.groupBy(recorded, (fact) => fact.questionNo)
  return [...byQuestion].map(([no, added]) => {
    const answerable = answerables.get(no)
    if (!answerable) throw new Error(`a fact of ${no}, which nobody knows`)
    const { chapterNo, libraryNo, points, body } = answerable
    const place: Place = { chapterNo, libraryNo, points, type: body.type }
    const old = before.get(`state ${no}`)
    const state = again.includes(no)
      ? fold(no, [...(recordedOf.get(no) ?? []), ...added], place)
      : added.reduce<StudyState | null>((s, fact) => apply(s, fact, place), old ? stateOf(old, place) : null)
    const last = [...added, ...(old ? [momentOf(old)] : [])].sort(byTime).at(-1)
    if (!state || !last) throw new Error(`nothing to fold for ${no}`)
    return { row: { kind: 'state', id: no, lastAt: last.at, lastOp: last.opId, body: bodyOf(state) }, place }
  })
}

/** A question may move: its number and place are not stored with what was done with it. */
export function bodyOf({
  questionNo: _q,
  chapterNo: _c,
  libraryNo: _l,
  type: _t,
  points: _p,
  ...body
}: StudyState): object {
  return body
}
export const stateOf = ({ id, body }: RecordRow, place: Place): StudyState =>
  // Only `bodyOf` a state goes in.
  ({ questionNo: id, ...place, ...body }) as StudyState

/** Answers count on their day; a retraction takes one off, once. */
async function daysOf(
  db: Db,
  uid: string,
  facts: readonly Fact[],
  recorded: readonly Fact[],
  before: ReadonlyMap<string, RevisedRow>,
  known: Known,
): Promise<RecordRow[]> {
  const retracted = new Set(recorded.flatMap((fact) => (fact.kind === 'retract' ? [fact.target] : [])))
  const answers = new Map(facts.flatMap((fact) => (fact.kind === 'answer' ? [[fact.opId, targetOf(fact)]] : [])))
  const targets = new Map([...known.targets.map((target) => [target.opId, target] as const), ...answers])
  const days = new Map<number, { by: DayTotals; last: Moment }>()
  const count = (target: Target, last: Moment, sign: 1 | -1) => {
    const day = dayOf(target.at)
    days.set(day, { by: addDay(days.get(day)?.by, dayOfAnswer(target), sign), last })
  }
  for (const fact of facts) {
    if (fact.kind === 'answer') count(targetOf(fact), fact, 1)
    if (fact.kind !== 'retract' || retracted.has(fact.target)) continue
    retracted.add(fact.target)
    const target = targets.get(fact.target)
    if (target) count(target, fact, -1)
  }
  const missing = [...days.keys()]
    .map((day) => ({ kind: 'day' as const, id: String(day) }))
    .filter((key) => !before.has(keyOf(key)))
  const others = missing.length > 0 ? await readRecords(db, uid, missing) : []
  const rows = new Map([...before, ...others.map((row) => [keyOf(row), row] as const)])
  return [...days].map(([day, { by, last }]) => {
    const old = rows.get(`day ${day}`)?.body as DayTotals | undefined
    return { kind: 'day', id: String(day), lastAt: last.at, lastOp: last.opId, body: addDay(old, by) }
  })
}

function thingsOf(facts: readonly ThingFact[], before: ReadonlyMap<string, RevisedRow>): RecordRow[] {
  const rows = new Map<string, RecordRow>()
  for (const fact of facts) {
    const key = keyOf(thingOf(fact))
    const old = rows.get(key) ?? before.get(key)
    // Only what `grown` made goes in.
    const thing = grown(old ? ({ kind: old.kind, id: old.id, body: old.body } as ThingChange) : null, fact)
    if (thing) rows.set(key, { ...thing, lastAt: fact.at, lastOp: fact.opId })
  }
  return [...rows.values()]
}

/**
 * What was read, with the rows that this batch has written after it. Their older ones must never be sent: the device would
 * take them for the newest and forget the op that is newer.
 */
function withOwn({ changes, rev }: Known, effects: readonly Effect[], cursor: number): Page {
  const own = new Set(effects.map(({ row }) => keyOf(row)))
  const read = pageOf(changes, cursor)
  const others = (rows: readonly RevisedRow[]) => rows.filter((row) => !own.has(keyOf(row)))
  if (read.more) return { ...read, rows: others(read.rows) }
  return pageOf(
    [...others(changes), ...effects.map(({ row, place }, i) => ({ ...row, place, rev: rev + 1 + i }))],
    cursor,
  )
}
