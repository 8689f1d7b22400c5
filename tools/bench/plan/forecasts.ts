import { seeded } from '#src/domain/question/shuffle.ts'
import { type Forecast, forecast } from '#src/domain/study/forecast.ts'
import type { Figure } from '../figures.ts'
import { chanceOf, normal } from './chance.ts'
import { OURS } from './rules.ts'
import { dayNumber, EXAM_DAY, knownOf, type Student, STUDENTS, studied } from './student.ts'

/** The forecast is made on this day of the sixty. */
const LOOKED_AT = 30
const SEEDS = Array.from({ length: 12 }, (_, i) => i + 1)
/** Students differ from what FSRS believes, as a standard deviation of the logarithm. */
const SPREAD = 0.4
/** Minutes for reviews a day, in the middle. */
const MINUTES: Readonly<Record<string, number>> = { diligent: 40, overloaded: 20, sporadic: 12 }

interface Found {
  said: Forecast['days'][number]
  came: number
}

function oneLife(student: Student, seed: number): Found {
  const firm = Math.exp(SPREAD * normal(chanceOf(seed * 104_729)))
  const found: { said: Forecast['days'][number] | undefined; count: number } = { said: undefined, count: 0 }
  const look: NonNullable<NonNullable<Parameters<typeof studied>[3]>['lookAt']>['look'] = (questions) => {
    const states = questions.map(({ state }) => state)
    const of = (value: (state: (typeof states)[number]) => number) => states.reduce((sum, s) => sum + value(s), 0)
    const practice = { answered: of(({ times }) => times), spentMs: of(({ spentMs }) => spentMs) }
    const parts = { today: dayNumber(LOOKED_AT), examDay: dayNumber(EXAM_DAY), practice, most: Infinity, lapseShare: 0 }
    const dayMs = (MINUTES[student.name] ?? 20) * 60_000
    const steps = forecast(states, { ...parts, dayMs }, (run) => seeded(`${seed}:${run}`))
    let step = steps.next()
    while (!step.done) step = steps.next()
    found.said = step.value.days.at(-1)
    found.count = states.length
  }
  const { questions } = studied(student, OURS, seed, { firm, lookAt: { day: LOOKED_AT, look } })
  if (!found.said) throw new Error('the day has passed unseen')
  // What was missed since then was in no forecast.
  return { said: found.said, came: 100 * knownOf(questions.slice(0, found.count)) }
}

/** Tells how far what was said of exam day thirty days before is from what came, and how often its band held it. */
export function forecasts(): Figure[] {
  return STUDENTS.flatMap((student): Figure[] => {
    const lives = SEEDS.map((seed) => oneLife(student, seed))
    const off = lives.map(({ said, came }) => Math.abs(100 * said.known - came))
    const held = lives.filter(({ said, came }) => came >= 100 * said.low && came <= 100 * said.high)
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    return [
      {
        name: `${student.name}: forecast of 30 days, off by`,
        value: mean(off),
        unit: '%',
        note: `said ${mean(lives.map(({ said }) => 100 * said.known)).toFixed(1)}, came ${mean(lives.map(({ came }) => came)).toFixed(1)}, band ${mean(lives.map(({ said }) => 100 * (said.high - said.low))).toFixed(1)}`,
      },
      { name: `${student.name}: forecasts whose band held`, value: (100 * held.length) / lives.length, unit: '%' },
    ]
  })
}
