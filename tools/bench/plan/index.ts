import type { Figure } from '../figures.ts'
import { bestAndOurs } from './bound.ts'
import { chanceOf } from './chance.ts'
import { fits } from './fits.ts'
import { forecasts } from './forecasts.ts'
import { lapses } from './lapses.ts'
import { MOST_FORGOTTEN, OTHERS, OURS } from './rules.ts'
import { type Rule, type Student, STUDENTS, studied } from './student.ts'

const SEEDS = [1, 2, 3, 4, 5]
/** Differences below this are chance: so far apart are means of five runs that differ in their seeds only, in points. */
const NOISE = 0.3

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
/** Points of a hundred that are known on exam day, and answers it took. */
function overSeeds(student: Student, rule: Rule): { known: number; answers: number } {
  const runs = SEEDS.map((seed) => studied(student, rule, seed))
  return { known: 100 * mean(runs.map(({ known }) => known)), answers: mean(runs.map(({ answers }) => answers)) }
}

const SMALL_CASES = 100
/** Share of what the best plan that exists adds, where all plans can be tried: three questions, one review a day. */
function ofTheBest(): Figure {
  const chance = chanceOf(1)
  const cases = Array.from({ length: SMALL_CASES }, () => {
    const memories = [0, 1, 2].map(() => ({ stability: 0.1 + 60 * chance() ** 3, difficulty: 1 + 9 * chance() }))
    return bestAndOurs(memories, 2 + Math.floor(3 * chance()))
  })
  const added = (by: 'best' | 'ours') => mean(cases.map((found) => found[by] - found.none))
  const value = (100 * added('ours')) / added('best')
  return { name: 'of what the best plan adds, three questions', value, unit: '%', budget: { min: 95 } }
}

/**
 * Measures what students know on exam day when they review by our choice, beside other rules: sixty days of three students, whose memories
 * differ from what FSRS believes of them.
 */
export async function plan(): Promise<Figure[]> {
  const students = STUDENTS.flatMap((student): Figure[] => {
    const ours = overSeeds(student, OURS)
    const others = Object.entries(OTHERS).map(([name, rule]) => ({ name, ...overSeeds(student, rule) }))
    const best = Math.max(...others.map(({ known }) => known))
    const row = ({ name, known, answers }: { name: string; known: number; answers: number }): Figure => ({
      name: `${student.name}: known on exam day, ${name}`,
      value: known,
      unit: '%',
      note: `${Math.round(answers)} answers`,
    })
    const forgotten = others.find(({ name }) => name === MOST_FORGOTTEN)?.known ?? 0
    const gain: Figure = {
      name: `${student.name}: more than by ${MOST_FORGOTTEN}`,
      value: ours.known - forgotten,
      unit: '%',
    }
    return [
      { ...row({ name: 'ours', ...ours }), budget: { min: best - NOISE } },
      ...others.map(row),
      student.name === 'overloaded' ? { ...gain, budget: { min: 4 } } : gain,
    ]
  })
  return [...students, ofTheBest(), ...lapses(), ...forecasts(), ...(await fits())]
}
