import { fitTo } from '#server/study/recall/fit.ts'
import { memoryOf } from '#server/study/recall/memories.ts'
import { type MemoryModel, modelOf, recallAfter } from '#src/domain/study/review.ts'
import { dayOf } from '#src/domain/time/day.ts'
import type { Figure } from '../figures.ts'
import { OURS } from './rules.ts'
import { type Asked, dayNumber, EXAM_DAY, knownOf, type Student, STUDENTS, studied } from './student.ts'

/** So many times as firm as most people's are a student's memories, in the middle. */
const FIRMNESSES = [0.4, 1, 2.5]
const SEEDS = [1, 2, 3, 4, 5, 6]
/** The fit is made on this day of the sixty. */
const FITTED_ON = 30

interface Life {
  kept: number
  /** Points by which exam day is foretold wrongly when it has come, by most people's parameters and by the student's own. */
  common: number
  own: number
  /** Points more that are known on exam day where the second half was planned by their own. */
  more: number
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const fitOf = async (questions: readonly Asked[]): Promise<MemoryModel | undefined> => {
  const { weights } = await fitTo(new Map(questions.map(({ state, history }) => [state.questionNo, history])))
  return weights ? modelOf(weights) : undefined
}

/** Share that a model believes is known on exam day. */
function believed(questions: readonly Asked[], model?: MemoryModel): number {
  const chances = questions.map(({ history, state }) => {
    const memory = memoryOf(history, model)
    return memory ? recallAfter(dayNumber(EXAM_DAY) - dayOf(state.lastAt), memory, model) : 0
  })
  return mean(chances)
}

async function oneLife(student: Student, firm: number, seed: number): Promise<Life> {
  let halfway: Promise<MemoryModel | undefined> | undefined
  const look = (questions: readonly Asked[]) => {
    // Their answers go on: the fit has those until now.
    halfway = fitOf(questions.map((each) => ({ ...each, history: [...each.history] })))
  }
  const { questions, known } = studied(student, OURS, seed, { firm, lookAt: { day: FITTED_ON, look } })
  const [model, early] = [await fitOf(questions), await halfway]
  const truth = knownOf(questions)
  const off = (by?: MemoryModel) => 100 * Math.abs(believed(questions, by) - truth)
  const planned = early ? studied(student, OURS, seed, { firm, own: { from: FITTED_ON, model: early } }).known : known
  return { kept: model ? 1 : 0, common: off(), own: off(model), more: 100 * (planned - known) }
}

/** Tells what parameters of their own bring students who remember otherwise than most, and who do not. */
export async function fits(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const student of STUDENTS)
    for (const firm of FIRMNESSES) {
      const lives: Life[] = []
      for (const seed of SEEDS) lives.push(await oneLife(student, firm, seed))
      const of = (key: keyof Life) => mean(lives.map((life) => life[key]))
      figures.push({
        name: `${student.name}, ${firm} times as firm: own parameters, exam day off by`,
        value: of('own'),
        unit: '%',
        note: `by most people's ${of('common').toFixed(1)}; kept for ${Math.round(100 * of('kept'))} of 100; planned by them from day ${FITTED_ON} on ${of('more').toFixed(1)} more known`,
      })
    }
  return figures
}
