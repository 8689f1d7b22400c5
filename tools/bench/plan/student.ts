import type { Memory, StudyState } from '#src/contract/study.ts'
import { type MemoryModel, recallAfter, remembered } from '#src/domain/study/review.ts'
import { blankState } from '#src/domain/study/study.ts'
import { dayOf } from '#src/domain/time/day.ts'
import type { PastAnswer } from '#server/study/recall/log.ts'
import { memoryOf } from '#server/study/recall/memories.ts'
import { placeIn } from '#tests/support/states.ts'
import { chanceOf, normal } from './chance.ts'

/** The exam is on the day after the last of these. Days count from the first one. */
export const EXAM_DAY = 60
const DAY_MS = 86_400_000
const FIRST_DAY = 20_000
export const dayNumber = (day: number): number => FIRST_DAY + day
/** Noon in Shanghai. */
const noon = (day: number): number => dayNumber(day) * DAY_MS + 4 * 3_600_000

/** A question beside the memory that nobody sees: a rule knows that truth through answers only. */
export interface Asked {
  state: StudyState
  /** The time that the student takes, ms. */
  costMs: number
  /** So many times as firm as FSRS believes. */
  firmness: number
  truth: Memory
  /** Its answers, as the server reads them. */
  history: PastAnswer[]
  /** Right the first time, whatever came later. */
  rightAtFirst: boolean
  /** Share of all students who had it right, in percent, where the device knows it. */
  average?: number
  /** SM-2 keeps days until the next time, right answers in a row, and a factor. */
  sm2: { days: number; rights: number; factor: number }
}

export interface Student {
  name: string
  /** Wrong questions at the beginning, and new ones each day. */
  wrong: number
  more: number
  minutesOn: (chance: () => number) => number
}
export const STUDENTS: readonly Student[] = [
  { name: 'diligent', wrong: 200, more: 5, minutesOn: () => 40 },
  { name: 'overloaded', wrong: 1_000, more: 0, minutesOn: () => 20 },
  { name: 'sporadic', wrong: 500, more: 3, minutesOn: (chance) => (chance() < 0.4 ? 10 + 40 * chance() : 0) },
]

/** The types of a paper, with seconds for an answer and their share. */
const TYPES: readonly [StudyState['type'], number, number][] = [
  ['single', 25, 0.6],
  ['judge', 12, 0.15],
  ['multiple', 45, 0.15],
  ['blank', 40, 0.08],
  ['essay', 180, 0.02],
]
const typeAt = (share: number): (typeof TYPES)[number] => {
  let left = share
  for (const type of TYPES) {
    if (left < type[2]) return type
    left -= type[2]
  }
  return ['single', 25, 0.6]
}

/**
 * A question that was answered wrongly on a day.
 * @param firm so many times as firm as FSRS believes are this student's memories, in the middle.
 */
function missed(no: number, day: number, chance: () => number, firm: number): Asked {
  const [type, seconds] = typeAt(chance())
  const memory = remembered(undefined, 0, false)
  const firmness = firm * Math.exp(0.5 * normal(chance))
  const costMs = seconds * 1_000 * Math.exp(0.3 * normal(chance))
  const chapter = placeIn('B', `c${Math.floor(20 * chance())}`)
  return {
    costMs,
    firmness,
    rightAtFirst: false,
    truth: { ...memory, stability: memory.stability * firmness },
    sm2: { days: 1, rights: 0, factor: 2.5 },
    history: [{ days: 0, right: false, at: noon(day) }],
    state: {
      ...blankState(`q${String(no).padStart(5, '0')}`, { ...chapter, type }),
      times: 1,
      wrong: 1,
      spentMs: costMs,
      lastAt: noon(day),
      memory,
      book: { rights: 0, since: noon(day), from: 'set', out: false },
    },
  }
}

/** It says how firmly a question is known that was right the first time, its share, and what the student and the device see of it. */
const RIGHTS = [
  // Guessed: nothing was known but what the analysis said afterwards. One of two such answers is marked as a guess.
  { share: 0.1, firm: 1, learnt: true, slow: 0.5, marked: 0.5, average: 45 },
  { share: 0.2, firm: 2, learnt: false, slow: 0.5, marked: 0.05, average: 55 },
  { share: 0.7, firm: 30, learnt: false, slow: 0.1, marked: 0, average: 75 },
] as const
/** The device knows the average of so many questions, and averages of alike questions differ by so many points. */
const AVERAGES = { known: 0.7, spread: 15 }
const SLOW = 3

/** A question that was answered rightly the first time, on a day. */
function rightAtFirst(no: number, day: number, chance: () => number, firm: number): Asked {
  let left = chance()
  const kind = RIGHTS.find(({ share }) => (left -= share) < 0) ?? RIGHTS[2]
  const asked = missed(no, day, chance, firm)
  const firmness = asked.firmness * kind.firm
  const memory = remembered(undefined, 0, true)
  const truth = remembered(undefined, 0, !kind.learnt)
  const [slow, marked, isKnown] = [chance() < kind.slow, chance() < kind.marked, chance() < AVERAGES.known]
  const average = Math.round(Math.min(100, Math.max(0, kind.average + AVERAGES.spread * normal(chance))))
  const { book: _, ...state } = asked.state
  return {
    ...asked,
    firmness,
    rightAtFirst: true,
    history: asked.history.map((first) => ({ ...first, right: true })),
    truth: { ...truth, stability: truth.stability * firmness },
    ...(isKnown && { average }),
    state: {
      ...state,
      wrong: 0,
      lastRight: true,
      spentMs: asked.costMs * (slow ? SLOW : 1),
      memory,
      ...(marked && { cause: 'guess' as const }),
    },
  }
}

/** SM-2, with 4 for right and 1 for wrong. */
const answeredBySm2 = ({ days, rights, factor }: Asked['sm2'], right: boolean): Asked['sm2'] =>
  right
    ? { days: rights === 0 ? 1 : rights === 1 ? 6 : Math.round(days * factor), rights: rights + 1, factor }
    : { days: 1, rights: 0, factor: Math.max(1.3, factor - 0.54) }

function answer(asked: Asked, day: number, chance: () => number, model: MemoryModel | undefined): void {
  const { state, truth, firmness } = asked
  const days = dayNumber(day) - dayOf(state.lastAt)
  const right = chance() < recallAfter(days, truth)
  const next = remembered({ ...truth, stability: truth.stability / firmness }, days, right)
  asked.truth = { ...next, stability: next.stability * firmness }
  asked.sm2 = answeredBySm2(asked.sm2, right)
  asked.history.push({ days, right, at: noon(day) })
  asked.state = {
    ...state,
    times: state.times + 1,
    wrong: state.wrong + (right ? 0 : 1),
    spentMs: state.spentMs + asked.costMs,
    lastAt: noon(day),
    lastRight: right,
    memory: remembered(state.memory, days, right, model),
    ...(!right && !state.book && { book: { rights: 0, since: noon(day), from: 'error', out: false } }),
    earlier: [{ at: state.lastAt, right: state.lastRight, response: RESPONSE }, ...(state.earlier ?? [])].slice(0, 4),
  }
}
const RESPONSE = { kind: 'choice' as const, ids: ['A'] }

/** The questions that a rule chooses from, on one day. */
export interface Morning {
  questions: readonly Asked[]
  /** It is a number of a day (domain/time). */
  today: number
  examDay: number
  minutes: number
  model?: MemoryModel | undefined
}
/** Returns questions in the order in which they are to be asked; the day's minutes end it. */
export type Rule = (morning: Morning) => readonly Asked[]

interface Life {
  firm: number
  /** Questions that were right the first time, for each that was wrong. */
  rights: number
  /** What the student knows is looked at before this day. */
  lookAt: { day: number; look: (questions: readonly Asked[]) => void }
  /** From this day on the product knows how this student remembers. */
  own: { from: number; model: MemoryModel }
}

/** Share of all questions that the student knows on exam day, on average, and answers that it took. */
export function studied(
  student: Student,
  rule: Rule,
  seed: number,
  { firm = 1, rights = 0, lookAt, own }: Partial<Life> = {},
): { known: number; answers: number; questions: readonly Asked[] } {
  const [making, minutes, answering] = [1, 2, 3].map((n) => chanceOf(seed * 7_919 + n))
  if (!making || !minutes || !answering) throw new Error('three sequences')
  const questions: Asked[] = []
  const add = (count: number, dayIt: () => number) => {
    for (let i = 0; i < count; i++) questions.push(missed(questions.length, dayIt(), making, firm))
    for (let i = 0; i < count * rights; i++) questions.push(rightAtFirst(questions.length, dayIt(), making, firm))
  }
  add(student.wrong, () => -1 - Math.floor(20 * making()))
  let answers = 0
  for (let day = 0; day < EXAM_DAY; day++) {
    if (day === lookAt?.day) lookAt.look(questions)
    const model = own && day >= own.from ? own.model : undefined
    if (day === own?.from)
      for (const each of questions) each.state = { ...each.state, memory: memoryOf(each.history, model) }
    const today = dayNumber(day)
    const there = student.minutesOn(minutes)
    let left = there * 60_000
    const asked = left > 0 ? rule({ questions, today, examDay: dayNumber(EXAM_DAY), minutes: there, model }) : []
    if (new Set(asked).size < asked.length) throw new Error('a question twice on a day')
    for (const each of asked) {
      if (left <= 0) break
      left -= each.costMs
      answer(each, day, answering, model)
      answers++
    }
    add(student.more, () => day)
  }
  return { known: knownOf(questions), answers, questions }
}

/** Share of questions that are known on exam day. */
export function knownOf(questions: readonly Asked[]): number {
  const known = questions.map(({ state, truth }) => recallAfter(dayNumber(EXAM_DAY) - dayOf(state.lastAt), truth))
  return known.reduce((sum, chance) => sum + chance, 0) / known.length
}
