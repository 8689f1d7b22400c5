import { setTimeout as pause } from 'node:timers/promises'
import type { Measured, OpRecord, Verdict } from '#src/contract/study.ts'
import { dayOf } from '#src/domain/time/day.ts'
import type { Markables } from '#src/domain/paper/paper.ts'
import { type ThingFact, thingOf } from '#src/domain/record/things.ts'
import type { Db } from '#server/db/open.ts'
import { Busy } from '#server/http/handlers.ts'
import { type Folding, type Postponed, postponed, roomOf } from './allowance.ts'
import { type Effect, effects, mustFoldAgain, targetOf } from './effects.ts'
import { examAttemptsIn, type ExamSittings, followExam, heardIn, readExamsOf, replacesSeal } from './examSitting.ts'
import { isQuestionKind, type Judged, judge, later, read, type Read } from './judge.ts'
import { momentsOf } from './moments.ts'
import { answersOf, attemptsIn, follow, otherTarget, readPapers } from './sitting.ts'
import {
  type Asked,
  keyOf,
  type Known,
  type KnownOp,
  type Page,
  pageOf,
  readKnown,
  readSecrets,
  type RevisedRow,
  type RowKey,
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
  /** The device's clock at sending, ms; and the same by its own measure. */
  sentAt: number
  measured?: Measured | undefined
  now: number
}

/** Batches of one student at the same moment, on two servers: one wins, the others read again, later each time. */
const TRIES = 8
const FIRST_PAUSE_MS = 10

export interface Ingested {
  verdicts: Verdict[]
  /** A page of what changed after the cursor, this batch's own effects among them when it is the last one. */
  page: Page
  ackSeq: number
}

/** Counts for rankings of exams what is due of a student's at a moment, in epoch ms: the exams' own. */
export type CountDue = (uid: string, now: number) => Promise<unknown>

/** Takes a batch: each op once for ever by (student, op id), its effect with it. Verdicts come in the order of `seq`. */
export async function ingest(db: Db, batch: Batch, countDue: CountDue): Promise<Ingested> {
  const ops = [...batch.ops].sort((a, b) => a.seq - b.seq).map(read)
  const asked = askedBy(ops, batch)
  for (let tries = 0; tries < TRIES; tries++) {
    const known = await readKnown(db, batch, asked)
    // What the server has sealed counts now if its ranking has closed meanwhile: what comes here must not be in it.
    if (tries === 0 && replacesSeal(ops, known)) await countDue(batch.uid, batch.now)
    const ingested = await attempt(db, batch, ops, known)
    if (ingested) return ingested
    await pause(Math.random() * FIRST_PAUSE_MS * 2 ** tries)
  }
  throw new Busy({ status: 503, afterS: 5 })
}

function askedBy(ops: readonly Read[], batch: Batch): Asked {
  const questionNos = new Set<string>()
  const targets = new Set<string>()
  const keys = new Map<string, RowKey>()
  // The day that most likely is the one; another is read when it is needed.
  const guess = momentsOf(
    ops.map(({ op }) => op),
    batch,
    [],
  )
  const want = (kind: RowKey['kind'], id: string) => keys.set(keyOf({ kind, id }), { kind, id })
  for (const { op, payload } of ops) {
    if (!payload) continue
    if (op.kind === 'retract') targets.add(String(payload.target))
    if (op.kind === 'answer') want('day', String(dayOf(guess.get(op.opId) ?? batch.now)))
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
    seqs: ops.map(({ op }) => op.seq),
    questionNos: [...questionNos],
    keys: [...keys.values()],
    targets: [...targets],
  }
}

/** Null: another batch of this student came between. */
async function attempt(db: Db, batch: Batch, ops: readonly Read[], known: Known): Promise<Ingested | null> {
  const { uid, device, now } = batch
  const papers = await readPapers(db, uid, ops, known)
  const secrets = await readSecrets(db, uid, guardedIn(ops, known), now)
  const exams = await readExamsOf(db, ops)
  const lessons = await readLessonsOf(db, uid, ops)
  const moments = momentsOf(
    ops.map(({ op }) => op),
    batch,
    known.around,
  )
  const waiting = await postponed(db, uid, foldingsOf(ops, moments, known), now)
  const judged = judgeAll(ops, now, known, { moments, papers, secrets, exams, lessons, waiting })
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

/** Of a question's op the number of that; otherwise ''. */
const questionOf = ({ op, payload }: Read): string =>
  payload && isQuestionKind(op.kind) ? String(payload.questionNo) : ''

/** Questions of which all that was done with them must be read, for what comes now. */
function foldingsOf(
  ops: readonly Read[],
  moments: ReadonlyMap<string, number>,
  { ops: seen, records, answerables }: Known,
): Folding[] {
  const before = new Map(records.map((row) => [keyOf(row), row]))
  const stored = new Set(seen.map(({ op_id }) => op_id))
  const added = Map.groupBy(
    ops.filter(({ op }) => !stored.has(op.opId)),
    questionOf,
  )
  return answerables.flatMap(({ no, recorded }) => {
    const acts = (added.get(no) ?? []).map(({ op: { kind, opId } }) => ({ kind, opId, at: moments.get(opId) ?? 0 }))
    return mustFoldAgain(acts, before.get(`state ${no}`)) ? [{ no, recorded }] : []
  })
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
  now: number,
  known: Known,
  read: Pick<ExamSittings, 'exams'> &
    Watchables & {
      moments: ReadonlyMap<string, number>
      papers: ReadonlyMap<string, Markables>
      secrets: ReadonlySet<string>
      waiting: Postponed
    },
): Judged[] {
  const seen = new Map<string, KnownOp>(known.ops.map((op) => [op.op_id, op]))
  const targets = new Map<string, Target>(known.targets.map((target) => [target.opId, target]))
  const answerables = new Map(known.answerables.map((each) => [each.no, each]))
  const attempts = attemptsIn(known)
  const examAttempts = examAttemptsIn(known)
  const mustWait = roomOf(known.stored, now)
  return ops.map((each) => {
    const { opId } = each.op
    if (!seen.has(opId) && read.waiting.nos.has(questionOf(each))) return later(opId, read.waiting.afterMs)
    const one = judge(each, { now, seen, answerables, targets, attempts, examAttempts, ...read })
    const waitMs = one.row ? mustWait(one.row) : 0
    if (waitMs > 0) return later(opId, waitMs)
    // The same id twice in one batch is a repeat like any other.
    if (one.row) seen.set(opId, one.row)
    // Whatever is stored is there; only answers give anything.
    if (one.row) targets.set(opId, one.fact?.kind === 'answer' ? targetOf(one.fact) : otherTarget(one.row))
    if (one.thing) {
      follow(attempts, one.thing)
      followExam(examAttempts, one.thing)
    }
    return one
  })
}

/** The highest seq up to which none is missing. */
function contiguous(from: number, seqs: readonly number[]): number {
  const stored = new Set(seqs)
  let at = from
  while (stored.has(at + 1)) at++
  return at
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
