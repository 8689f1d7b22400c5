import { MEMORY_FIT, type MemoryFit } from '#src/contract/memoryFit.ts'
import type { Thing, ThingChange } from '#src/contract/study.ts'
import { fitIn, modelIn } from '#src/domain/study/memoryFit.ts'
import type { MemoryModel } from '#src/domain/study/review.ts'
import { dayOf } from '#src/domain/time/day.ts'
import {
  type Backlog,
  backlogOf,
  paceOf,
  type PlannedDay,
  planReviews,
  planSettings,
  type PlanSettings,
  reviewsADay,
  type Room,
  roomOf,
} from '#src/domain/study/plan.ts'
import { type Days, dueByDay, type Practice, total } from '#src/domain/study/stats.ts'
import type { ChapterSums } from '#src/domain/study/sums.ts'
import type { Engine } from '../engine.ts'
import { readDealt } from './reviews.ts'

/** All that statistics, planner and today's panel are made of: a row a chapter and a row a day, however many questions. */
export interface Figures {
  today: number
  rows: readonly ChapterSums[]
  days: Days
  all: Practice
  settings: PlanSettings
  /** What the server has fitted to the student's answers; null while most people's parameters count. */
  fit: MemoryFit | null
  /** By which the student remembers. */
  model: MemoryModel | undefined
  room: Room
  plan: readonly PlannedDay[]
  backlog: Backlog
  /** Questions by the day on which they fall due. */
  due: ReadonlyMap<number, number>
}

/** The one reader of the plan. @param now epoch ms */
export async function readFigures(
  record: Pick<Engine, 'allCounters' | 'things' | 'states' | 'loadDraft'>,
  now: number,
): Promise<Figures> {
  const today = dayOf(now)
  const [rows, days, chosen, dealt] = await Promise.all([
    record.allCounters(),
    record.things('day'),
    record.things('setting'),
    readDealt(record, today),
  ])
  const all = total(rows)
  const settings = planSettings(chosen)
  const fitted = chosen.get(MEMORY_FIT)?.value
  const reviews = dealt(paceOf(all))
  const room = roomOf(settings, all, reviews)
  const ofToday = days.get(String(today)) ?? { answered: 0, right: 0 }
  // Questions that were missed or reviewed today are due again within days.
  const answered = reviews.done + ofToday.answered - ofToday.right
  const parts = {
    due: dueByDay(rows),
    today,
    most: reviewsADay(settings, all),
    room: room.count,
    answered,
    examDay: settings.examDay,
  }
  const plan = planReviews(parts)
  return {
    today,
    rows,
    days: new Map([...days].map(([day, of]) => [Number(day), of])),
    all,
    settings,
    fit: fitIn(fitted),
    model: modelIn(fitted),
    room,
    plan,
    backlog: backlogOf(plan, parts),
    due: parts.due,
  }
}

/** A device that cannot read its record shows an empty one rather than nothing at all. */
export const NO_RECORD: Parameters<typeof readFigures>[0] = {
  allCounters: () => Promise.resolve([]),
  states: () => Promise.resolve(new Map()),
  loadDraft: () => Promise.resolve(null),
  things: <K extends ThingChange['kind']>() => Promise.resolve(new Map<string, Thing<K>>()),
}
