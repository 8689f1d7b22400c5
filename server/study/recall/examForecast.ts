import { setImmediate as nextTurn } from 'node:timers/promises'
import { MEMORY_FIT } from '#src/contract/memoryFit.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { type Band, ENOUGH_QUESTIONS, forecast, isStudied, reviewMsADay } from '#src/domain/study/forecast.ts'
import { modelIn } from '#src/domain/study/memoryFit.ts'
import { planSettings } from '#src/domain/study/plan.ts'
import { recallAfter } from '#src/domain/study/review.ts'
import { seeded } from '#src/domain/question/shuffle.ts'
import type { Db } from '#server/db/open.ts'
import { stateOf } from '../fold.ts'
import { readStates } from '../store.ts'
import { readThings } from '../things.ts'
import { readHistories } from './log.ts'
import { memoryOf } from './memories.ts'

/** Foretells what a student will know on exam day, as their device does; and afterwards tells what they knew. */

export interface ExamForecast {
  /** It counts the questions that were answered so far. */
  studied: number
  /** Null where too little was studied to say anything. */
  band: Band | null
}

/** Makes a forecast. The days are numbers of days (domain/time/day.ts). */
export async function foretell(db: Db, uid: string, today: number, examDay: number): Promise<ExamForecast> {
  const [rows, { settings, days }] = [await readStates(db, uid), await readThings(db, uid)]
  const states = rows.flatMap((row) => (row.place ? [stateOf(row, row.place)] : [])).filter(isStudied)
  if (states.length < ENOUGH_QUESTIONS) return { studied: states.length, band: null }
  const plan = planSettings(settings)
  const practice = {
    answered: states.reduce((sum, { times }) => sum + times, 0),
    spentMs: states.reduce((sum, { spentMs }) => sum + spentMs, 0),
  }
  const parts = {
    today,
    examDay,
    practice,
    dayMs: reviewMsADay(plan, days, today),
    most: plan.mostADay,
    lapseShare: plan.lapseShare,
    model: modelIn(settings.get(MEMORY_FIT)?.value),
  }
  const steps = forecast(states, parts, (run) => seeded(`${today}:${run}`))
  let step = steps.next()
  // Students' calls come between.
  for (; !step.done; step = steps.next()) await nextTurn()
  const last = step.value.days.at(-1)
  return { studied: states.length, band: last ?? null }
}

/**
 * Tells what share a student knew on an exam day of what they had answered when a forecast was made, by their memories as the answers until
 * then have made them: nobody asks them all of it on that day.
 * @param madeAt when the forecast was made, epoch ms
 * @param examDay number of the day
 * @returns null where there is nothing to compare: the exam was moved, or everything was taken back.
 */
export async function knownOn(db: Db, uid: string, madeAt: number, examDay: number): Promise<number | null> {
  const { settings } = await readThings(db, uid)
  if (planSettings(settings).examDay !== examDay) return null
  const model = modelIn(settings.get(MEMORY_FIT)?.value)
  const chances = [...(await readHistories(db, uid)).values()].flatMap((answers) => {
    const before = answers.filter(({ at }) => dayOf(at) < examDay)
    const [first, last] = [before[0], before.at(-1)]
    const memory = memoryOf(before, model)
    return first && last && memory && first.at <= madeAt ? [recallAfter(examDay - dayOf(last.at), memory, model)] : []
  })
  return chances.length === 0 ? null : chances.reduce((sum, chance) => sum + chance, 0) / chances.length
}
