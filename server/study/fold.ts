import type { DayTotals, StudyState, Thing, ThingChange } from '#src/contract/study.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { listedType } from '#src/domain/question/listedType.ts'
import { addDay, dayOfAnswer } from '#src/domain/study/days.ts'
import { modelIn } from '#src/domain/study/memoryFit.ts'
import { type MemoryModel, recallAfter } from '#src/domain/study/review.ts'
import { byTime, type Moment } from '#src/domain/study/moment.ts'
import { apply, type Fact, fold as foldState, type Place } from '#src/domain/study/study.ts'
import { grown, type ThingFact, thingOf } from '#src/domain/record/things.ts'
import type { Db } from '#server/db/open.ts'
import { firstsOf, noticeRow } from './answers.ts'
import { momentOf, mustFoldAgain, readFacts } from './facts.ts'
import type { Judged } from './judge.ts'
import {
  FIT_ROW,
  keyOf,
  type Known,
  type RecordRow,
  type RevisedRow,
  type Tallied,
  type Target,
  targetOf,
} from './rows.ts'
import { readRecords } from './store.ts'

/** A row that this batch changes, and where its question is. */
export interface Effect {
  row: RecordRow
  place: Place | null
}

/** The changes that a batch makes to the record. */
export interface Folded {
  records: Effect[]
  firsts: Tallied[]
  /** Chances that answers would be right, of a thousand, by op id: as they stood before these came. */
  foretold: ReadonlyMap<string, number>
}
/** Everything done earlier with questions that are folded again, and rows of days that `askedBy` did not foresee. */
export interface History {
  facts: readonly Fact[]
  days: readonly RevisedRow[]
}

/** Reads what is needed only once the ops are judged: most batches go on from what is there, and ask for nothing. */
export async function readHistory(db: Db, uid: string, judged: readonly Judged[], known: Known): Promise<History> {
  const added = factsOf(judged)
  const again = foldedAgain(added, known)
  const facts = again.length > 0 ? await readFacts(db, uid, again, added) : []
  const there = new Set(known.records.map(keyOf))
  const missing = [...changesOfDays(added, facts, known).keys()]
    .map((day) => ({ kind: 'day' as const, id: String(day) }))
    .filter((key) => !there.has(keyOf(key)))
  return { facts, days: missing.length > 0 ? await readRecords(db, uid, missing) : [] }
}

/** @param now epoch ms, when notices of this batch are written */
export function fold(judged: readonly Judged[], known: Known, history: History, now: number): Folded {
  const facts = factsOf(judged)
  const byQuestion = Map.groupBy(facts, (fact) => fact.questionNo)
  const again = foldedAgain(facts, known)
  const before = new Map([...known.records, ...history.days].map((row) => [keyOf(row), row]))
  const things = judged.flatMap(({ thing }) => (thing ? [thing] : []))
  const others = [
    ...daysOf(changesOfDays(facts, history.facts, known), before),
    ...thingsOf(things, before),
    ...noticesOf(judged, known, now),
  ]
  const states = statesOf(byQuestion, again, history.facts, before, known)
  return {
    foretold: new Map(states.flatMap(({ chances }) => chances)),
    records: [...states, ...others.map((row) => ({ row, place: null }))],
    firsts: firstsOf({ byQuestion, again, recorded: history.facts }, known),
  }
}

/** Returns them in the order of their time. */
const factsOf = (judged: readonly Judged[]): Fact[] => judged.flatMap(({ fact }) => (fact ? [fact] : [])).sort(byTime)

/** Questions for which all that was ever done with them counts once more. */
function foldedAgain(facts: readonly Fact[], { records }: Known): string[] {
  const before = new Map(records.map((row) => [keyOf(row), row]))
  return [...Map.groupBy(facts, (fact) => fact.questionNo)]
    .filter(([no, added]) => mustFoldAgain(added, before.get(`state ${no}`)))
    .map(([no]) => no)
}

/** One for a question, of its last answer: a row can be written once in a statement. */
function noticesOf(judged: readonly Judged[], { answerables }: Known, now: number): RecordRow[] {
  const notices = judged.flatMap(({ fact, corrected }) => {
    const of = corrected && answerables.find(({ no }) => no === fact?.questionNo)
    return of && fact?.kind === 'answer' ? [noticeRow(fact, of, now)] : []
  })
  return [...new Map(notices.map((row) => [row.id, row])).values()]
}

function statesOf(
  byQuestion: ReadonlyMap<string, Fact[]>,
  again: readonly string[],
  recorded: readonly Fact[],
  before: ReadonlyMap<string, RevisedRow>,
  known: Known,
): (Effect & Pick<Onward, 'chances'>)[] {
  const model = modelOfRow(before.get(keyOf(FIT_ROW)))
  const answerables = new Map(known.answerables.map((each) => [each.no, each]))
  const recordedOf = Map.groupBy(recorded, (fact) => fact.questionNo)
  return [...byQuestion].map(([no, added]) => {
    const answerable = answerables.get(no)
    if (!answerable) throw new Error(`a fact of ${no}, which nobody knows`)
    const { chapterNo, libraryNo, points, body } = answerable
    const place: Place = { chapterNo, libraryNo, points, type: listedType(body) }
    const old = before.get(`state ${no}`)
    const { state, chances } = again.includes(no)
      ? { state: foldState(no, [...(recordedOf.get(no) ?? []), ...added], place, model), chances: [] }
      : onward(old ? stateOf(old, place) : null, added, place, model)
    const last = [...added, ...(old ? [momentOf(old)] : [])].sort(byTime).at(-1)
    if (!state || !last) throw new Error(`nothing to fold for ${no}`)
    return { row: { kind: 'state', id: no, lastAt: last.at, lastOp: last.opId, body: bodyOf(state) }, place, chances }
  })
}

/** @param row of the student's fit, if there is one. */
export const modelOfRow = (row: RecordRow | undefined): MemoryModel | undefined =>
  // Only a setting is at its key.
  modelIn((row?.body as Thing<'setting'> | undefined)?.value)

/** Facts make this of a state that comes before them. */
interface Onward {
  state: StudyState | null
  /** Answers that came a day or more after another one have their chance here. */
  chances: (readonly [opId: string, ofThousand: number])[]
}
function onward(old: StudyState | null, facts: readonly Fact[], place: Place, model: MemoryModel | undefined): Onward {
  const chances: Onward['chances'] = []
  let state = old
  for (const fact of facts) {
    const days = state?.memory ? dayOf(fact.at) - dayOf(state.lastAt) : 0
    if (fact.kind === 'answer' && state?.memory && days > 0)
      chances.push([fact.opId, Math.round(1_000 * recallAfter(days, state.memory, model))])
    state = apply(state, fact, place, model)
  }
  return { state, chances }
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

/** Answers count on their day; a retraction takes one off, once. Returns what each day gains, and its last op. */
function changesOfDays(
  facts: readonly Fact[],
  recorded: readonly Fact[],
  known: Known,
): Map<number, { by: DayTotals; last: Moment }> {
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
  return days
}

const daysOf = (changes: ReturnType<typeof changesOfDays>, before: ReadonlyMap<string, RevisedRow>): RecordRow[] =>
  [...changes].map(([day, { by, last }]) => {
    const old = before.get(`day ${day}`)?.body as DayTotals | undefined
    return { kind: 'day', id: String(day), lastAt: last.at, lastOp: last.opId, body: addDay(old, by) }
  })

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
