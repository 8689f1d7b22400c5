import type { StudyState, Thing } from '#src/contract/study.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { listedType } from '#src/domain/question/listedType.ts'
import { isRight } from '#src/domain/question/marking.ts'
import { byTime } from '#src/domain/study/moment.ts'
import { type Answer, type Fact, fold, standing } from '#src/domain/study/study.ts'
import { addDay } from '#src/domain/study/days.ts'
import type { Db } from '#server/db/open.ts'
import { countedAs, firstAnswer, noticeRow } from './answers.ts'
import { bodyOf, modelOfRow } from './fold.ts'
import { readFacts } from './facts.ts'
import { remarkChunk, remarkFailed, type RemarkJob, type Walk } from './jobs.ts'
import { asking } from './judge.ts'
import { type Answerable, type Asked, FIT_ROW, keyOf, type Known, type RecordRow } from './rows.ts'
import { type MarksWrite, readKnown, readRecords, writeMarks } from './store.ts'

const TRIES = 20
/** Nobody's device, and no changes wanted. */
const NOBODY = { device: '00000000-0000-0000-0000-000000000000', cursor: Number.MAX_SAFE_INTEGER }

/**
 * Marks answers again whose key was corrected, and gives devices the records of questions that have moved once more, a bounded
 * number of them; false when none are left to do.
 */
export async function remarkSome(db: Db, walk: Walk): Promise<boolean> {
  const work = (job: RemarkJob, uid: string) => remarkStudent(db, job, uid, walk.now)
  return (await remarkChunk(db, walk, work)) || remarkFailed(db, walk, work)
}

/** Safe beside the student's own batches: whoever comes second reads again. Done twice it changes nothing more. */
async function remarkStudent(db: Db, job: RemarkJob, uid: string, now: number): Promise<void> {
  const keys = [FIT_ROW, ...job.nos.map((id) => ({ kind: 'state' as const, id }))]
  const asked: Asked = { opIds: [], seqs: [], questionNos: job.moved ? [] : job.nos, keys, targets: [] }
  for (let tries = 0; tries < TRIES; tries++) {
    const known = await readKnown(db, { uid, ...NOBODY }, asked)
    const write = job.moved ? told(uid, known) : await marked(db, job, { uid, known, now })
    if (!write || (await writeMarks(db, write))) return
  }
  throw new Error(`study_rev moved ${TRIES} times while answers were marked again`)
}

/** Records as they are, after all that the student's devices have heard: where a question stands is said as a record is read. */
function told(uid: string, { records, rev }: Known): MarksWrite | null {
  const states = records.filter(({ kind }) => kind === 'state')
  return states.length === 0 ? null : { uid, marks: [], records: states, firsts: [], rev }
}

async function marked(
  db: Db,
  { nos }: RemarkJob,
  { uid, known, now }: Omit<Found, 'again'>,
): Promise<MarksWrite | null> {
  const again = marksOf(await readFacts(db, uid, nos), known.answerables)
  return again.every(({ changed }) => changed.length === 0) ? null : effects(db, { uid, known, again, now })
}

/** One question's facts with today's marks. */
interface Again {
  of: Answerable
  facts: Fact[]
  /** Answers that were marked otherwise. */
  changed: Answer[]
}

function marksOf(facts: readonly Fact[], answerables: readonly Answerable[]): Again[] {
  const byQuestion = Map.groupBy(facts, ({ questionNo }) => questionNo)
  return answerables.map((of) => {
    const changed: Answer[] = []
    const marked = (byQuestion.get(of.no) ?? []).map((fact): Fact => {
      if (fact.kind !== 'answer') return fact
      const right = isRight(asking(of, fact.version).body, fact.response)
      if (right === fact.right) return fact
      changed.push({ ...fact, right })
      return { ...fact, right }
    })
    return { of, facts: marked, changed: changed.sort(byTime) }
  })
}

interface Found {
  uid: string
  known: Known
  again: readonly Again[]
  now: number
}

async function effects(db: Db, { uid, known, again, now }: Found): Promise<MarksWrite> {
  const touched = again.filter(({ changed }) => changed.length > 0)
  const counted = touched.map(({ facts, changed }) => {
    const stand = new Set(standing(facts).map(({ opId }) => opId))
    return changed.filter(({ opId }) => stand.has(opId))
  })
  const records = touched.flatMap(({ of, facts }, i): RecordRow[] => {
    const last = counted[i]?.at(-1)
    // An answer that was taken back shows nowhere.
    if (!last) return []
    const state = stateRow(known, of, facts)
    return [...(state ? [state] : []), noticeRow(last, of, now)]
  })
  return {
    uid,
    marks: touched.flatMap(({ changed }) => changed.map(({ opId, right = false }) => ({ opId, right }))),
    records: [...records, ...(await dayRows(db, uid, counted.flat()))],
    firsts: touched.flatMap(firstMoved),
    rev: known.rev,
  }
}

function stateRow({ records }: Known, { no, body, chapterNo, libraryNo, points }: Answerable, facts: readonly Fact[]) {
  const old = records.find(({ kind, id }) => kind === 'state' && id === no)
  if (!old) return null
  const model = modelOfRow(records.find((row) => keyOf(row) === keyOf(FIT_ROW)))
  const state: StudyState = fold(no, facts, { chapterNo, libraryNo, points, type: listedType(body) }, model)
  return { kind: 'state' as const, id: no, lastAt: old.lastAt, lastOp: old.lastOp, body: bodyOf(state) }
}

/** Only right answers are counted otherwise; nobody answered more or longer. */
async function dayRows(db: Db, uid: string, changed: readonly Answer[]): Promise<RecordRow[]> {
  const days = Map.groupBy(changed, ({ at }) => String(dayOf(at)))
  const rows = await readRecords(
    db,
    uid,
    [...days.keys()].map((id) => ({ kind: 'day', id })),
  )
  return rows.map(({ id, lastAt, lastOp, body }) => {
    const right = (days.get(id) ?? []).reduce((sum, answer) => sum + (answer.right ? 1 : -1), 0)
    return { kind: 'day', id, lastAt, lastOp, body: addDay(body as Thing<'day'>, { answered: 0, right, spentMs: 0 }) }
  })
}

/** Statistics of choices are counted by key; of blanks they know only whether they were right. */
function firstMoved({ of, facts, changed }: Again): MarksWrite['firsts'] {
  const first = firstAnswer(facts)
  if (first?.response.kind !== 'blank' || !changed.some(({ opId }) => opId === first.opId)) return []
  return [{ ...countedAs(first, of), n: 0, right: first.right ? 1 : -1 }]
}
