import { sql } from 'kysely'
import { planSettings, reviewsADay } from '#src/domain/study/plan.ts'
import { dueDay } from '#src/domain/study/review.ts'
import { dayOf } from '#src/domain/time/day.ts'
import type { Db } from '#server/db/open.ts'
import { stateOf } from './fold.ts'
import { readStates } from './store.ts'
import { readThings } from './things.ts'

/**
 * Tells whether a student has done what their plan asks of a day: the goal, 每日一练, and as many reviews as the day has room for or as are
 * due. Those that were chosen need not be asked for: that a question of the error book was answered, and not for the first time, tells as
 * much. The questions themselves are read only where the rest is done.
 * @param day number of the day (domain/time/day.ts)
 */
export async function isDayDone(db: Db, uid: string, day: number): Promise<boolean> {
  const { settings, days } = await readThings(db, uid)
  const plan = planSettings(settings)
  if ((days.get(day)?.answered ?? 0) < plan.dayGoal) return false
  if (plan.dailyDone !== day && (await studiesLibraries(db, uid))) return false
  const states = (await readStates(db, uid)).flatMap((row) => (row.place ? [stateOf(row, row.place)] : []))
  const due = states.filter((state) => (dueDay(state) ?? Infinity) <= day)
  if (due.length === 0) return true
  const practice = {
    answered: states.reduce((sum, { times }) => sum + times, 0),
    spentMs: states.reduce((sum, { spentMs }) => sum + spentMs, 0),
  }
  const reviewed = states.filter(({ book, times, lastAt }) => book && times > 1 && dayOf(lastAt) === day)
  return reviewed.length >= reviewsADay(plan, { done: 0, mastered: 0, right: 0, ...practice })
}

/** A direction without a library has no 每日一练. Only the device knows a student's direction; their answers tell whether it has one. */
async function studiesLibraries(db: Db, uid: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from study_record s join answerable a on a.no = s.id
    where s.uid = ${uid} and s.kind = 'state' and a.library_no is not null limit 1`.execute(db)
  return rows.length > 0
}
