import type { ListedType, PlainQuestion, Question } from '#src/contract/question.ts'
import { listedType } from '#src/domain/question/listedType.ts'
import type { StudyState } from '#src/contract/study.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { isMissed } from './dealt.ts'
import type { Setup } from './setup.ts'

type Filter = Pick<Setup, 'pick' | 'since' | 'types' | 'minDifficulty' | 'years' | 'points'>

/** What choosing reads of one answerable question. */
export interface Facts {
  type: ListedType
  difficulty: number
  /** 0: none. */
  year: number
  points: readonly string[]
  /** When it was last answered; 0: never. */
  lastAt: number
  lastWrong: boolean
  collected: boolean
}
/** A question as it is dealt: a material comes whole. */
export type Unit = readonly Facts[]

/** @param round what was answered before it counts as never answered. */
export const unitOf = (question: Question, states: ReadonlyMap<string, StudyState>, round: number): Unit =>
  partsOf(question).map((part) => {
    const facts = factsOf(part, question, states.get(part.no))
    return facts.lastAt < round ? { ...facts, lastAt: 0 } : facts
  })

/** A part without a year or points of its own has its material's. */
export const factsOf = (part: PlainQuestion, home: Question, state: StudyState | undefined): Facts => ({
  type: listedType(part),
  difficulty: part.difficulty,
  year: part.year || home.year,
  points: (part.points.length > 0 ? part.points : home.points).map(({ no }) => no),
  lastAt: state?.lastAt ?? 0,
  lastWrong: isMissed(state),
  collected: Boolean(state?.collected?.length),
})

/** One thing to choose by: whether a part passes, and what of it a student may choose. */
interface Facet {
  passes: (facts: Facts, filter: Filter) => boolean
  values: (facts: Facts, filter: Filter) => readonly (string | number)[]
}
const none = <T>(chosen: readonly T[], has: (value: T) => boolean): boolean => chosen.length === 0 || chosen.some(has)
const isUndone = (facts: Facts, { since }: Filter): boolean => facts.lastAt === 0 || facts.lastAt < since

export type FacetName = 'pick' | 'type' | 'difficulty' | 'year' | 'point'
const FACETS: Record<FacetName, Facet> = {
  pick: {
    passes: (facts, filter) =>
      filter.pick === 'wrong'
        ? facts.lastWrong
        : isUndone(facts, filter) && (filter.pick !== 'collected' || facts.collected),
    values: ({ lastAt, lastWrong, collected }) => [
      'all',
      ...(lastAt === 0 ? ['undone'] : []),
      ...(lastWrong ? ['wrong'] : []),
      ...(collected ? ['collected'] : []),
    ],
  },
  type: { passes: ({ type }, { types }) => none(types, (each) => each === type), values: ({ type }) => [type] },
  difficulty: {
    passes: ({ difficulty }, { minDifficulty }) => difficulty >= minDifficulty,
    values: ({ difficulty }) => Array.from({ length: difficulty }, (_, i) => i + 1),
  },
  year: { passes: ({ year }, { years }) => none(years, (each) => each === year), values: ({ year }) => [year] },
  point: {
    passes: (facts, { points }) => none(points, (each) => facts.points.includes(each)),
    values: ({ points }) => points,
  },
}
const NAMES = Object.keys(FACETS) as FacetName[]

export const fits = (facts: Facts, filter: Filter): boolean => NAMES.every((name) => FACETS[name].passes(facts, filter))

export interface Tally {
  /** How many there are to do, sub-questions counted one by one. */
  total: number
  /** How many there would be with this value chosen and everything else as it is. */
  by: Record<FacetName, Map<string | number, number>>
}

export const emptyTally = (): Tally => ({
  total: 0,
  by: { pick: new Map(), type: new Map(), difficulty: new Map(), year: new Map(), point: new Map() },
})

/** Counts more units into a tally, in one pass: a part that fails one facet alone still counts for that facet's values. */
export function count(tally: Tally, units: readonly Unit[], filter: Filter): Tally {
  for (const unit of units) {
    if (unit.some((facts) => fits(facts, filter))) tally.total += unit.length
    const seen = new Set<string>()
    for (const facts of unit) {
      const failing = NAMES.filter((name) => !FACETS[name].passes(facts, filter))
      if (failing.length > 1) continue
      for (const name of failing.length === 1 ? failing : NAMES)
        for (const value of FACETS[name].values(facts, filter)) {
          // A material counts once for a value, with all its parts.
          if (seen.has(`${name}:${value}`)) continue
          seen.add(`${name}:${value}`)
          tally.by[name].set(value, (tally.by[name].get(value) ?? 0) + unit.length)
        }
    }
  }
  return tally
}

/** Counts units of a list that grows, each of them once. */
export function createCounter(filter: Filter): (units: readonly Unit[]) => Tally {
  let tally = emptyTally()
  let counted = 0
  return (units) => {
    if (counted < units.length) tally = count(copyOf(tally), units.slice(counted), filter)
    counted = units.length
    return tally
  }
}

const copyOf = ({ total, by }: Tally): Tally => ({
  total,
  by: {
    pick: new Map(by.pick),
    type: new Map(by.type),
    difficulty: new Map(by.difficulty),
    year: new Map(by.year),
    point: new Map(by.point),
  },
})
