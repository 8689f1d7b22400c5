import type { Thing } from '#src/contract/study.ts'
import { dayOfDate, MINUTE_MS } from '../time/day.ts'
import type { Practice } from './stats.ts'

export interface PlanSettings {
  /** 每日目标: questions a day. */
  dayGoal: number
  /** 每天复习: minutes. */
  minutesADay: number
  /** Questions that may be asked for review on a day, however quick the student is. */
  mostADay: number
  /** 考试日期 as a day; null while there is none. */
  examDay: number | null
  /** 防遗忘: the part of the day's reviews that may go to what was never wrong, in percent. */
  lapseShare: number
  /** The day whose 每日一练 was finished last; 0: none. */
  dailyDone: number
}

/** What counts until the student decides. */
const DAY_GOAL = 20
const MINUTES_A_DAY = 20
/** After days away a student does what matters most, not everything that is due. */
const MOST_A_DAY = 40

export function planSettings(settings: ReadonlyMap<string, Pick<Thing<'setting'>, 'value'>>): PlanSettings {
  const exam = dayOfDate(String(settings.get('examDate')?.value ?? ''))
  return {
    dayGoal: Number(settings.get('dayGoal')?.value ?? DAY_GOAL),
    minutesADay: Number(settings.get('minutesADay')?.value ?? MINUTES_A_DAY),
    mostADay: settings.has('minutesADay') ? Infinity : MOST_A_DAY,
    examDay: Number.isInteger(exam) ? exam : null,
    // Whoever has not set it reviews what they missed, and nothing else.
    lapseShare: Number(settings.get('lapseShare')?.value ?? 0),
    dailyDone: Number(settings.get('dailyDone')?.value ?? 0),
  }
}

const PACE_MS = { least: 10_000, most: 180_000 }
/** Every student begins with so many answers that took so long each: one quick or slow answer of their own then changes little. */
const PRIOR = { answered: 20, eachMs: 30_000 }

/** Keeps the time of one answer, ms, within what is likely. */
export const boundedPace = (eachMs: number): number => Math.min(PACE_MS.most, Math.max(PACE_MS.least, eachMs))

/** Tells how long one answer takes this student, ms. */
export const paceOf = ({ answered, spentMs }: Pick<Practice, 'answered' | 'spentMs'>): number =>
  boundedPace((spentMs + PRIOR.answered * PRIOR.eachMs) / (answered + PRIOR.answered))

type Minutes = Pick<PlanSettings, 'minutesADay' | 'mostADay'>
/** Questions that a student can review in a day, at the pace they have had so far; at least one. */
export function reviewsADay({ minutesADay, mostADay }: Minutes, practice: Practice): number {
  return Math.max(1, Math.min(mostADay, Math.floor((minutesADay * MINUTE_MS) / paceOf(practice))))
}

/** The reviews that were chosen on a day. */
export interface Dealt {
  count: number
  /** Those that were answered on that day. */
  done: number
  /** The time that all of them were expected to take, ms. */
  ms: number
}

/** A day before its reviews are chosen. */
export const NOTHING_DEALT: Dealt = { count: 0, done: 0, ms: 0 }

/** The time and the questions that today still has room for. */
export interface Room {
  /** Time, ms. */
  ms: number
  /** Questions at most, however quick they are. */
  most: number
  /** Questions as far as one can tell: what was chosen and is not done, and more in the time that is left beside it. */
  count: number
}

export function roomOf(settings: Minutes, practice: Practice, dealt: Dealt): Room {
  const { mostADay } = settings
  const dayMs = settings.minutesADay * MINUTE_MS
  if (dealt.count === 0) return { ms: dayMs, most: mostADay, count: reviewsADay(settings, practice) }
  const beside = Math.min(mostADay - dealt.count, Math.floor((dayMs - dealt.ms) / paceOf(practice)))
  return {
    ms: Math.max(0, dayMs - (dealt.ms * dealt.done) / dealt.count),
    most: Math.max(0, mostADay - dealt.done),
    count: dealt.count - dealt.done + Math.max(0, beside),
  }
}

/** Returns the time for what was never wrong on a day, ms, and how many of them there may be. */
export function lapseRoomOf({
  lapseShare,
  minutesADay,
  mostADay,
}: Pick<PlanSettings, 'lapseShare' | 'minutesADay' | 'mostADay'>): Pick<Room, 'ms' | 'most'> {
  const share = lapseShare / 100
  return { ms: minutesADay * MINUTE_MS * share, most: share > 0 ? Math.floor(mostADay * share) : 0 }
}

/** These were never wrong, are for today, and wait for their answer. */
export interface Lapses {
  count: number
  /** The time that they are expected to take, ms. */
  ms: number
}

/** Returns what of the day's room is left for what is due. */
export const roomBeside = (room: Room, { count, ms }: Lapses): Room => ({
  ms: Math.max(0, room.ms - ms),
  most: Math.max(0, room.most - count),
  count: Math.max(0, room.count - count),
})

export const PLAN_DAYS = 14
/** The last days before the exam, in which the room that is left holds what will be shaky on its day. */
const EXAM_DAYS = 7
/** A question that is due so soon after the exam is shaky on its day. */
const SHAKY_DAYS = 30

export interface PlannedDay {
  day: number
  /** Falls due that day; today: with all that is overdue. */
  due: number
  /** To be done that day, `ahead` of it before it is due, and `lapses` of it never wrong; today: yet. */
  planned: number
  ahead: number
  /** Those of the days to come are chosen when they come. */
  lapses: number
}
export interface PlanParts {
  /** Questions that fall due, by day. */
  due: ReadonlyMap<number, number>
  today: number
  /** Questions a day. */
  most: number
  /** Due questions that today still has room for. */
  room: number
  /** These were never wrong and are for today, beside that room. */
  lapses?: number
  /** Questions that were answered today, at most: whatever is shaky of them is not asked again today. */
  answered: number
  examDay: number | null
}

/**
 * The reviews of the next days. What is overdue comes first; what is more than a day can hold goes on to the next one, so days
 * away never build a wall. In the last days before the exam the room that is left holds what is shaky on its day; that day
 * itself stays free. What today's reviews bring back later is not in it: nobody knows how they will end.
 */
export function planReviews(parts: PlanParts): PlannedDay[] {
  const { due, today, examDay, lapses = 0 } = parts
  const end = today + PLAN_DAYS + SHAKY_DAYS
  const days = Array.from({ length: end - today }, (_, i): PlannedDay => {
    const day = today + i
    return { day, due: i === 0 ? dueUntil(due, today) : (due.get(day) ?? 0), planned: 0, ahead: 0, lapses: 0 }
  })
  const exam = examDay !== null && examDay > today && examDay < end ? examDay : end
  const before = days.filter(({ day }) => day < exam)
  const left = fill(before, 0, parts)
  const shaky = new Map(Array.from({ length: SHAKY_DAYS }, (_, i) => [exam + i, due.get(exam + i) ?? 0]))
  const pulled = exam === end ? 0 : pullAhead(before.slice(-EXAM_DAYS), sumOf(shaky), parts)
  const rest = withoutFirst(shaky, pulled)
  const after = days.filter(({ day }) => day > exam)
  // What was seen ahead does not fall due then.
  for (const day of after) day.due = rest.get(day.day) ?? day.due
  fill(after, left + (rest.get(exam) ?? 0), parts)
  const [first] = days
  if (first) {
    first.lapses = lapses
    first.planned += lapses
  }
  return days.slice(0, PLAN_DAYS)
}

/** Returns how much of what is planned for a day is due by then. */
export const plannedOfDue = ({ planned, ahead, lapses }: PlannedDay): number => planned - ahead - lapses

export interface Backlog {
  /** Due and left for later days. */
  later: number
  /** Days until nothing is left over; 0: today. */
  days: number
}

/** What becomes of what is due and not for today: each day after first has what falls due on it. */
export function backlogOf([first]: readonly PlannedDay[], { due, today, most, examDay }: PlanParts): Backlog {
  const later = first ? first.due - plannedOfDue(first) : 0
  let days = 0
  for (let waiting = later; waiting > 0;) {
    const day = today + ++days
    waiting = Math.max(0, waiting + (due.get(day) ?? 0) - (day === examDay ? 0 : most))
  }
  return { later, days }
}

/** Tells how many to do today, and until which day they fall due. */
export function reviewsToday(plan: readonly PlannedDay[], examDay: number | null): { count: number; until: number } {
  const [today] = plan
  if (!today) return { count: 0, until: 0 }
  return { count: today.planned, until: today.ahead > 0 && examDay !== null ? examDay + SHAKY_DAYS - 1 : today.day }
}

/** What a day still has room for. */
const roomOn = ({ day, planned }: PlannedDay, { today, most, room }: PlanParts): number =>
  Math.max(0, (day === today ? room : most) - planned)

const sumOf = (counts: ReadonlyMap<number, number>): number => [...counts.values()].reduce((sum, n) => sum + n, 0)

const dueUntil = (due: ReadonlyMap<number, number>, today: number): number =>
  sumOf(new Map([...due].filter(([day]) => day <= today)))

/** As much each day as it holds, the oldest first. Returns what is left over. */
function fill(days: readonly PlannedDay[], left: number, parts: PlanParts): number {
  let waiting = left
  for (const day of days) {
    waiting += day.due
    day.planned = Math.min(roomOn(day, parts), waiting)
    waiting -= day.planned
  }
  return waiting
}

/** Evenly over the days, from the last one back, into the room that they have. Returns how many found room. */
function pullAhead(days: readonly PlannedDay[], shaky: number, parts: PlanParts): number {
  const lastFirst = [...days].sort((a, b) => b.day - a.day)
  const holds = (day: PlannedDay): boolean =>
    roomOn(day, parts) > 0 && (day.day !== parts.today || day.ahead < shaky - parts.answered)
  let left = shaky
  while (left > 0 && lastFirst.some(holds))
    for (const day of lastFirst) {
      if (left === 0 || !holds(day)) continue
      day.planned++
      day.ahead++
      left--
    }
  return shaky - left
}

/** The earliest are the shakiest. */
function withoutFirst(counts: ReadonlyMap<number, number>, taken: number): Map<number, number> {
  let left = taken
  return new Map(
    [...counts].map(([day, count]) => {
      const gone = Math.min(left, count)
      left -= gone
      return [day, count - gone]
    }),
  )
}
