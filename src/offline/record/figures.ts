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
  roomBeside,
  roomOf,
} from '#src/domain/study/plan.ts'
import { type Days, dueByDay, type Practice, total } from '#src/domain/study/stats.ts'
import type { ChapterSums } from '#src/domain/study/sums.ts'
import type { Engine } from '../engine.ts'
import type { readLapses, TodaysLapses } from './lapses.ts'
import { readDealt } from './reviews.ts'

/** All that statistics, planner and today's panel are made of: a row a chapter and a row a day, however many questions. */
export interface Figures {
  today: number
  rows: readonly ChapterSums[]
  days: Days
  all: Practice
  settings: PlanSettings
  /** The server has fitted it to the student's answers; null while most people's parameters count. */
  fit: MemoryFit | null
  /** The student remembers by it. */
  model: MemoryModel | undefined
  /** For what is due, beside what comes back today though it was never wrong. */
  room: Room
  /** These take so long, ms, by number. */
  lapses: ReadonlyMap<string, number>
  plan: readonly PlannedDay[]
  backlog: Backlog
  /** Reviews that were chosen on this device today and are done. */
  reviewed: number
  /** A review takes so long, ms: as those that were chosen today are expected to by their types, before that as any answer. */
  reviewMs: number
  /** Questions by the day on which they fall due. */
  due: ReadonlyMap<number, number>
}

/** Whoever has not set a share reads nothing more for it. */
async function lapsesOf(record: FigureRecord, day: Parameters<typeof readLapses>[1]): Promise<TodaysLapses> {
  if (day.settings.lapseShare === 0) return NO_LAPSES
  // A device that cannot read or keep them has the day for what is due.
  return import('./lapses.ts').then((lapses) => lapses.readLapses(record, day)).catch(() => NO_LAPSES)
}
const NO_LAPSES: TodaysLapses = { waiting: new Map(), undealt: new Map(), chosen: 0 }
const together = (costs: ReadonlyMap<string, number>) => ({
  count: costs.size,
  ms: [...costs.values()].reduce((sum, cost) => sum + cost, 0),
})

type FigureRecord = Pick<Engine, 'owner' | 'allCounters' | 'things' | 'states' | 'loadDraft' | 'saveDraft'>

/** The one reader of the plan. @param now epoch ms */
export async function readFigures(record: FigureRecord, now: number): Promise<Figures> {
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
  const model = modelIn(fitted)
  const reviews = dealt(paceOf(all))
  const ofToday = days.get(String(today)) ?? { answered: 0, right: 0 }
  const lapses = await lapsesOf(record, { today, settings, practice: all, model, answered: ofToday.answered })
  const undealt = together(lapses.undealt)
  const expected = { ...reviews, count: reviews.count + undealt.count, ms: reviews.ms + undealt.ms }
  const room = roomBeside(roomOf(settings, all, expected), together(lapses.waiting))
  // Questions that were missed or reviewed today are due again within days.
  const answered = reviews.done + ofToday.answered - ofToday.right
  const parts = {
    due: dueByDay(rows),
    today,
    // Each day is expected to have as many of them as today.
    most: Math.max(1, reviewsADay(settings, all) - lapses.chosen),
    room: room.count,
    lapses: lapses.waiting.size,
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
    model,
    room,
    lapses: lapses.waiting,
    plan,
    backlog: backlogOf(plan, parts),
    reviewed: reviews.done,
    reviewMs: reviews.count > 0 ? reviews.ms / reviews.count : paceOf(all),
    due: parts.due,
  }
}

/** A device that cannot read its record shows an empty one rather than nothing at all. */
export const NO_RECORD: FigureRecord = {
  owner: '',
  saveDraft: () => Promise.resolve(),
  allCounters: () => Promise.resolve([]),
  states: () => Promise.resolve(new Map()),
  loadDraft: () => Promise.resolve(null),
  things: <K extends ThingChange['kind']>() => Promise.resolve(new Map<string, Thing<K>>()),
}
