import type { Figure } from '../figures.ts'
import { withShare } from './rules.ts'
import { type Asked, knownOf, type Student, STUDENTS, studied } from './student.ts'

const SEEDS = [1, 2, 3, 4, 5]
const SHARES = [0, 10, 20] as const
/** Questions that were right the first time, for each that was wrong. */
const RIGHTS = 2

interface Known {
  /** Points of a hundred that are known on exam day. */
  rights: number
  missed: number
  all: number
  answers: number
}

function withShareOf(student: Student, share: number): Known {
  const lives = SEEDS.map((seed) => studied(student, withShare(share), seed, { rights: RIGHTS }))
  const mean = (value: (life: (typeof lives)[number]) => number) =>
    lives.reduce((sum, life) => sum + value(life), 0) / lives.length
  const known = (is: (asked: Asked) => boolean) => mean(({ questions }) => 100 * knownOf(questions.filter(is)))
  return {
    rights: known(({ rightAtFirst }) => rightAtFirst),
    missed: known(({ rightAtFirst }) => !rightAtFirst),
    all: known(() => true),
    answers: mean(({ answers }) => answers),
  }
}

/** Tells what a share of the day for what was never wrong brings on exam day, and what it costs the error book, at the same minutes. */
export function lapses(): Figure[] {
  return STUDENTS.flatMap((student): Figure[] => {
    const found = SHARES.map((share) => ({ share, ...withShareOf(student, share) }))
    const none = found[0]?.all ?? Number.NaN
    const rows = found.map(({ share, rights, missed, all, answers }): Figure => ({
      name: `${student.name}: right at first, known with ${share}%`,
      value: rights,
      unit: '%',
      note: `error book ${missed.toFixed(1)}, all ${all.toFixed(1)}, ${Math.round(answers)} answers`,
    }))
    const gains = found.slice(1).map(({ share, all }): Figure => ({
      name: `${student.name}: more known of all with ${share}%`,
      value: all - none,
      unit: '%',
      budget: { min: 0 },
    }))
    return [...rows, ...gains]
  })
}
