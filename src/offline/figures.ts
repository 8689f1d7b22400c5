import { dayOf } from '#src/domain/day.ts'
import { type PlannedDay, planReviews, planSettings, type PlanSettings, reviewsADay } from '#src/domain/plan.ts'
import { type Days, dueByDay, type Practice, type SumsRow, total } from '#src/domain/stats.ts'
import type { Engine } from './engine.ts'

/** All that statistics, planner and today's panel are made of: a row a chapter and a row a day, however many questions. */
export interface Figures {
  today: number
  rows: readonly SumsRow[]
  days: Days
  all: Practice
  settings: PlanSettings
  /** Reviews that a day has room for. */
  most: number
  plan: readonly PlannedDay[]
}

/** @param now epoch ms */
export async function readFigures(record: Pick<Engine, 'allCounters' | 'things'>, now: number): Promise<Figures> {
  const [rows, days, chosen] = await Promise.all([record.allCounters(), record.things('day'), record.things('setting')])
  const today = dayOf(now)
  const all = total(rows)
  const settings = planSettings(chosen)
  const most = reviewsADay(settings.minutesADay, all)
  const plan = planReviews({ due: dueByDay(rows), today, most, examDay: settings.examDay })
  return { today, rows, days: new Map([...days].map(([day, of]) => [Number(day), of])), all, settings, most, plan }
}
