import type { StudyState } from '#src/contract/study.ts'
import { dayOf, MINUTE_MS, startOf } from '../time/day.ts'
import { drawFirmness, FIRMNESSES, recallOf } from './firmness.ts'
import { rankLapses } from './lapses.ts'
import type { PlanSettings } from './plan.ts'
import type { Days, Practice } from './stats.ts'
import { dueDay, type MemoryModel, remembered } from './review.ts'
import { chooseReviews } from './reviewChoice.ts'

/**
 * Tells what a student will know on exam day of all that they have answered so far, if they go on as they do: the reviews of each day
 * until then are tried out several times, with memories that are more and less firm than FSRS believes.
 */

/** The days and the room of a forecast. Days are numbers of days (time/day.ts). */
export interface ForecastParts {
  today: number
  /** After today. */
  examDay: number
  practice: Pick<Practice, 'answered' | 'spentMs'>
  /** Time for reviews a day, ms. */
  dayMs: number
  /** Reviews a day at most. */
  most: number
  /** The student remembers by it; firmness is beside it. */
  model?: MemoryModel | undefined
  /** Part of the day for what was never wrong, in percent. */
  lapseShare: number
}

/** A share from 0 to 1, and the bounds between which it lies four times of five. */
export interface Band {
  known: number
  low: number
  high: number
}
export interface Forecast {
  /** One for each day that a plot shows, from today to the exam. */
  days: (Band & { day: number })[]
  /** Questions that are due before the exam, and that no day until then has room for. */
  unseen: number
  /** A question has its chance on exam day for each time that was tried. Of many questions only every so manieth is there. */
  chances: ReadonlyMap<string, readonly number[]>
}

/** A forecast says nothing of fewer questions. */
export const ENOUGH_QUESTIONS = 20
/** More of them are not tried out: their days are shortened as they are. */
export const SAMPLE = 300
/** Questions that are due soon after the exam are reviewed in the last days before it, as the planner has it. */
const AHEAD = { days: 7, due: 30 }
/** Days that a plot shows. */
const PLOTTED = 40

/** Tells what is answered so far: only that can be known or forgotten. */
export const isStudied = (state: StudyState): boolean => state.memory !== undefined

/**
 * Every so manieth of the questions, so that each chapter has its share.
 * @param states in any order.
 */
function sampleOf(states: readonly StudyState[]): StudyState[] {
  const sorted = [...states].sort((a, b) => (a.questionNo < b.questionNo ? -1 : 1))
  const step = Math.max(1, sorted.length / SAMPLE)
  return Array.from({ length: Math.min(sorted.length, SAMPLE) }, (_, i) => sorted[Math.floor(i * step)]).filter(
    (state) => state !== undefined,
  )
}

interface Tried {
  state: StudyState
  /** So many times as firm as FSRS believes. */
  firmness: number
}
/** One way that the days until the exam may go. */
interface Run {
  questions: Tried[]
  /** Share known, by day from today on. */
  known: number[]
  due: Set<string>
  reviewed: Set<string>
  /** Room that is left, less than nothing where a review took more of it than there was. */
  left: { ms: number; count: number }
  /** The same of what may go to what was never wrong. */
  lapsesLeft: { ms: number; count: number }
  random: () => number
  model: MemoryModel | undefined
}

/**
 * Makes a forecast. It yields after every day that was tried, so that whoever runs it on a phone may let taps come between.
 * @param states all that was answered; others are left out.
 * @param random numbers from 0 to 1, for each time that is tried.
 */
export function* forecast(
  states: readonly StudyState[],
  parts: ForecastParts,
  random: (run: number) => () => number,
): Generator<void, Forecast> {
  const studied = states.filter(isStudied)
  const sample = sampleOf(studied)
  const scale = studied.length === 0 ? 1 : sample.length / studied.length
  const scaled = { ...parts, dayMs: parts.dayMs * scale, most: parts.most * scale }
  const runs: Run[] = []
  for (const [i, firmness] of FIRMNESSES.entries()) {
    const run = begin(sample, firmness, random(i), parts.model)
    for (let day = parts.today; day < parts.examDay; day++) {
      run.known.push(knownOn(run, day))
      live(run, day, scaled)
      yield
    }
    run.known.push(knownOn(run, parts.examDay))
    runs.push(run)
  }
  const chancesOf = (i: number) => runs.map((run) => chanceOf(run.questions[i], parts.examDay, run))
  return {
    days: plotted(parts).map((day) => ({ day, ...bandOf(runs.map(({ known }) => known[day - parts.today] ?? 0)) })),
    unseen: Math.round(meanOf(runs.map(unseenIn)) / scale),
    chances: new Map(sample.map(({ questionNo }, i) => [questionNo, chancesOf(i)])),
  }
}

function begin(sample: readonly StudyState[], student: number, random: Run['random'], model: Run['model']): Run {
  const questions = sample.map((state) => ({ state, firmness: drawFirmness(student, random) }))
  return {
    questions,
    known: [],
    due: new Set(),
    reviewed: new Set(),
    left: { ms: 0, count: 0 },
    lapsesLeft: { ms: 0, count: 0 },
    random,
    model,
  }
}

function chanceOf(tried: Tried | undefined, day: number, { model }: Run): number {
  if (!tried?.state.memory) return 0
  return recallOf(Math.max(0, day - dayOf(tried.state.lastAt)), tried.state.memory, tried.firmness, model)
}

const knownOn = (run: Run, day: number): number => meanOf(run.questions.map((tried) => chanceOf(tried, day, run)))

/** One day's reviews. */
function live(run: Run, day: number, parts: ForecastParts): void {
  const { examDay, practice, model } = parts
  const isDue = (state: StudyState) => (dueDay(state) ?? Infinity) <= day
  const all = run.questions.map(({ state }) => state)
  const waiting = all.filter((state) => isDue(state) || isAhead(state, day, examDay))
  for (const state of waiting) if (isDue(state)) run.due.add(state.questionNo)
  const { left } = run
  // Time that a day leaves over is no other day's.
  left.ms = Math.min(0, left.ms) + parts.dayMs
  left.count = Math.min(0, left.count) + parts.most
  if (left.ms <= 0 || left.count <= 0) return
  const lapses = lapsesOf(run, all, day, parts)
  const room = { ms: left.ms - msOf(lapses), most: left.count - lapses.size, ahead: Infinity }
  const { reviews, ms } = chooseReviews(waiting, { today: day, examDay, practice, model, ...room })
  const chosen = new Map([...reviews.map((state) => [state, ms.get(state.questionNo) ?? 0] as const), ...lapses])
  run.questions = run.questions.map((tried) => {
    const costMs = chosen.get(tried.state)
    return costMs === undefined ? tried : answer(tried, day, run, costMs)
  })
}

/** Chooses what was never wrong, with the time that each takes. As for what is due, one may take more than there was, which later days pay. */
function lapsesOf(
  { lapsesLeft: left }: Run,
  states: readonly StudyState[],
  day: number,
  { examDay, practice, dayMs, most, lapseShare, model }: ForecastParts,
): Map<StudyState, number> {
  const chosen = new Map<StudyState, number>()
  if (lapseShare === 0) return chosen
  left.ms = Math.min(0, left.ms) + (dayMs * lapseShare) / 100
  left.count = Math.min(0, left.count) + (most * lapseShare) / 100
  for (const { state, ms } of rankLapses(states, { today: day, examDay, practice, model, averages: NO_AVERAGES })) {
    if (left.ms <= 0 || left.count <= 0) break
    chosen.set(state, ms)
    left.ms -= ms
    left.count--
  }
  return chosen
}
/** A forecast does not ask how others answered. */
const NO_AVERAGES: ReadonlyMap<string, number> = new Map()
const msOf = (costs: ReadonlyMap<StudyState, number>): number => [...costs.values()].reduce((sum, ms) => sum + ms, 0)

/** A question that is shaky on exam day is seen once more in the last days before it. */
const isAhead = (state: StudyState, day: number, examDay: number): boolean =>
  day >= examDay - AHEAD.days &&
  dayOf(state.lastAt) < examDay - AHEAD.days &&
  (dueDay(state) ?? Infinity) < examDay + AHEAD.due

function answer(tried: Tried, day: number, run: Run, costMs: number): Tried {
  const { state, firmness } = tried
  const right = run.random() < chanceOf(tried, day, run)
  run.left.ms -= costMs
  run.left.count--
  run.reviewed.add(state.questionNo)
  const after: StudyState = {
    ...state,
    times: state.times + 1,
    spentMs: state.spentMs + costMs,
    lastAt: startOf(day),
    memory: remembered(state.memory, day - dayOf(state.lastAt), right, run.model),
    // A question that was never wrong until now is due from now on.
    ...(!right && !state.book && { wrong: 1, book: { rights: 0, since: startOf(day), from: 'error', out: false } }),
  }
  return { state: after, firmness }
}

const unseenIn = ({ due, reviewed }: Run): number => [...due].filter((no) => !reviewed.has(no)).length

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

/** @param shares one for each time that was tried. */
export const bandOf = (shares: readonly number[]): Band => ({
  known: meanOf(shares),
  low: Math.min(...shares),
  high: Math.max(...shares),
})

/** Today, the exam and days between them. */
function plotted({ today, examDay }: ForecastParts): number[] {
  const step = Math.max(1, Math.ceil((examDay - today) / PLOTTED))
  const days = Array.from({ length: Math.ceil((examDay - today) / step) }, (_, i) => today + i * step)
  return [...days, examDay]
}

/** Days by whose mean a student's pace is told. */
const PACE_DAYS = 14
/** Minutes a day that a student has studied of late, ms: days without an answer count, from the first one with an answer on. */
export function paceADay(days: Days, today: number): number {
  const first = Math.min(today, ...days.keys())
  const from = Math.max(first, today - PACE_DAYS)
  const counted = Array.from({ length: Math.max(1, today - from) }, (_, i) => from + i)
  return meanOf(counted.map((day) => days.get(day)?.spentMs ?? 0))
}

/** Time for reviews on a day that a forecast counts on, ms: what the student has set, and no more than they have studied of late. */
export const reviewMsADay = ({ minutesADay }: Pick<PlanSettings, 'minutesADay'>, days: Days, today: number): number =>
  Math.min(minutesADay * MINUTE_MS, paceADay(days, today))
/** Chances of groups of questions on exam day: by point, say. A question may be in several. */
export function bandsBy(
  chances: Forecast['chances'],
  groupsOf: (questionNo: string) => readonly string[],
): Map<string, Band & { count: number }> {
  const found = new Map<string, (readonly number[])[]>()
  for (const [no, of] of chances) for (const group of groupsOf(no)) found.set(group, [...(found.get(group) ?? []), of])
  const runs = [...chances.values()][0]?.length ?? 0
  const ofRun = (all: readonly (readonly number[])[], run: number) => meanOf(all.map((of) => of[run] ?? 0))
  return new Map(
    [...found].map(([group, all]) => [
      group,
      { count: all.length, ...bandOf(Array.from({ length: runs }, (_, run) => ofRun(all, run))) },
    ]),
  )
}
