import type { Markables } from '#src/domain/paper/paper.ts'
import type { Measured, OpRecord } from '#src/contract/study.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { type ThingFact, thingOf } from '#src/domain/record/things.ts'
import type { Db } from '#server/db/open.ts'
import { type Folding, type Postponed, postponed } from './allowance.ts'
import { type ExamSittings, readExamsOf } from './judgeExam.ts'
import { mustFoldAgain } from './facts.ts'
import { momentsOf } from './moments.ts'
import { isQuestionKind, type Parsed, questionOf } from './parse.ts'
import { answersOf, readPapers } from './judgeHandIn.ts'
import { type Asked, FIT_ROW, keyOf, type Known, type RowKey } from './rows.ts'
import { readSecrets } from './store.ts'
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

/** All that the ops of a batch are judged by. */
export interface Gathered extends Pick<ExamSittings, 'exams'>, Watchables {
  known: Known
  /** When each op was done, by op id, epoch ms. */
  moments: ReadonlyMap<string, number>
  /** The papers that are handed in are marked by these. */
  papers: ReadonlyMap<string, Markables>
  /** Questions of exams whose key this student may not know yet. */
  secrets: ReadonlySet<string>
  /** Questions whose ops must wait, because too much would have to be folded again. */
  waiting: Postponed
}

/** Reads what only some batches need: most have no paper, exam, lesson or guarded question, and ask for none. */
export async function gather(db: Db, batch: Batch, ops: readonly Parsed[], known: Known): Promise<Gathered> {
  const { uid, now } = batch
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
  return { known, moments, papers, secrets, exams, lessons, waiting }
}

/** Lists what the ops name, which `readKnown` reads. */
export function askedBy(ops: readonly Parsed[], batch: Batch): Asked {
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
  // Whatever is done with a question may have its answers folded again.
  if (questionNos.size > 0) want(FIT_ROW.kind, FIT_ROW.id)
  return {
    opIds: ops.map(({ op }) => op.opId),
    seqs: ops.map(({ op }) => op.seq),
    questionNos: [...questionNos],
    keys: [...keys.values()],
    targets: [...targets],
  }
}

/** Finds the questions whose whole history must be read because of these ops. */
function foldingsOf(
  ops: readonly Parsed[],
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

/** Finds the guarded questions that the batch answers. */
function guardedIn(ops: readonly Parsed[], { answerables }: Known): string[] {
  const guarded = new Set(answerables.flatMap((each) => (each.guarded ? [each.no] : [])))
  return ops.flatMap(({ op, payload }) => {
    const no = op.kind === 'answer' ? String(payload?.questionNo) : ''
    return guarded.has(no) ? [no] : []
  })
}
