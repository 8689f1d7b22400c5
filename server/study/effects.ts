import type { DayTotals, StudyState, ThingChange } from '#src/contract/study.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { addDay, dayOfAnswer } from '#src/domain/study/days.ts'
import { apply, byTime, type Fact, fold, type Moment, type Place } from '#src/domain/study/study.ts'
import { grown, type ThingFact, thingOf } from '#src/domain/record/things.ts'
import type { Db } from '#server/db/open.ts'
import { firstsOf, noticeRow } from './answers.ts'
import { readFacts } from './facts.ts'
import type { Judged } from './judge.ts'
import { keyOf, type Known, readRecords, type RecordRow, type RevisedRow, type Tallied, type Target } from './store.ts'

/** A row that this batch changes, and where its question is. */
export interface Effect {
  row: RecordRow
  place: Place | null
}

/** What the applied ops make of the record. */
export async function effects(
  db: Db,
  { uid, now }: { uid: string; now: number },
  judged: readonly Judged[],
  known: Known,
): Promise<{ records: Effect[]; firsts: Tallied[] }> {
  const before = new Map(known.records.map((row) => [keyOf(row), row]))
  const facts = judged.flatMap(({ fact }) => (fact ? [fact] : []))
  const byQuestion = Map.groupBy(facts.sort(byTime), (fact) => fact.questionNo)
  const again = [...byQuestion]
    .filter(([no, added]) => mustFoldAgain(added, before.get(`state ${no}`)))
    .map(([no]) => no)
  const recorded = again.length > 0 ? await readFacts(db, uid, again, facts) : []
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

/** They go on from the stored state in the order of their time. All others look at what was done before. */
const ONWARD: readonly string[] = ['answer', 'book', 'cause'] satisfies Fact['kind'][]
export const mustFoldAgain = (added: readonly (Moment & { kind: string })[], state: RevisedRow | undefined): boolean =>
  added.some(({ kind }) => !ONWARD.includes(kind)) ||
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

/** An answer of this batch, as a later op of it can name it. */
export const targetOf = ({
  opId,
  questionNo,
  at,
  right = false,
  spentMs,
  response,
}: Fact & { kind: 'answer' }): Target => ({
  opId,
  questionNo,
  verdict: 'applied',
  kind: 'answer',
  at,
  right,
  spentMs,
  response,
})
