import type { Library } from '#src/contract/question.ts'
import type { StudyState } from '#src/contract/study.ts'
import { paceOf } from '#src/domain/study/plan.ts'
import { dueDay } from '#src/domain/study/review.ts'
import { DAILY_COUNT, type Pace, type Task, TASK_PARTS, type TaskPart, taskOf } from '#src/domain/study/task.ts'
import { readDraft } from '#src/offline/drafts/kind.ts'
import { type TodayDealt, todayDealt } from '#src/offline/drafts/practice.ts'
import { keptQuestions } from '#src/offline/downloads/keptQuestions.ts'
import { offline } from '#src/offline/index.ts'
import { dailyLeft, isDailyDone, keepDailyDone, readDailyDone, unanswered } from '#src/offline/record/daily.ts'
import type { Figures } from '#src/offline/record/figures.ts'

export const PART_NAMES: Record<TaskPart, string> = { review: '复习', daily: '每日一练', fresh: '新题' }

export const paceOfDay = ({ all, reviewMs }: Pick<Figures, 'all' | 'reviewMs'>): Pace => ({
  review: reviewMs,
  daily: paceOf(all),
  fresh: paceOf(all),
})

/** Returns what is left of today's task. @param daily questions of 每日一练 that wait, without those that are reviews */
export const taskToday = ({ plan, settings, days, today }: Figures, daily: number): Task =>
  taskOf({
    review: plan[0]?.planned ?? 0,
    daily,
    goal: settings.dayGoal,
    answered: days.get(today)?.answered ?? 0,
  })

/** Questions of today's 每日一练 that wait. */
export interface DailyWaiting {
  all: number
  /** Without those that today's reviews ask anyway. */
  apart: number
}
export const NO_DAILY: DailyWaiting = { all: 0, apart: 0 }

/** Returns how much of today's 每日一练 waits, as far as this device knows. */
export async function dailyWaiting(figures: Figures, library: Library | undefined): Promise<DailyWaiting> {
  const { settings, today } = figures
  if (!library || isDailyDone(await readDailyDone(offline), settings.dailyDone, today, library.no)) return NO_DAILY
  const left = await dailyLeft(offline, library.no, today)
  const most = Math.min(DAILY_COUNT, library.total)
  if (!left) return { all: most, apart: most }
  // The last of them was answered somewhere else: the server, which reminds of the day, is told here that it is done.
  if (left.length === 0) await keepDailyDone(offline, today, library.no).catch(() => {})
  return { all: left.length, apart: (await apartFromReviews(figures, left)).length }
}

/** Returns those of some questions that are not for today's reviews. Which of too many are due today is known when they are dealt. */
export async function apartFromReviews(
  { today, backlog, lapses }: Figures,
  nos: readonly string[],
): Promise<readonly string[]> {
  const states = await offline.states([...nos])
  const dueOf = (state: StudyState | undefined) => (state && dueDay(state)) ?? Infinity
  return nos.filter((no) => !lapses.has(no) && (backlog.later > 0 || dueOf(states.get(no)) > today))
}

/** Null: nothing was dealt today. */
export async function readToday(today: number): Promise<TodayDealt | null> {
  const dealt = await readDraft(offline, todayDealt, todayDealt.key())
  return dealt?.day === today ? dealt : null
}

/** Returns the questions of a sitting that was left which are still to be done; what other devices did counts. */
export async function leftOf(dealt: TodayDealt, figures: Figures): Promise<string[]> {
  const waiting = new Set(
    await unanswered(
      offline,
      TASK_PARTS.flatMap((part) => dealt[part]),
      dealt.day,
    ),
  )
  const [review, daily, fresh] = TASK_PARTS.map((part) => dealt[part].filter((no) => waiting.has(no)))
  if (!review || !daily || !fresh) return []
  if (dealt.more) return fresh
  const { settings, days, today } = figures
  const { fresh: wanted } = taskOf({
    review: review.length,
    daily: daily.length,
    goal: settings.dayGoal,
    answered: days.get(today)?.answered ?? 0,
  })
  return [...review, ...daily, ...(await firstWhole(fresh, wanted))]
}

/** Returns the first so many of some questions; a reading group that is begun stays whole. */
async function firstWhole(nos: readonly string[], count: number): Promise<string[]> {
  const kept = await keptQuestions(offline.owner, nos)
  const homeOf = (no: string | undefined) => (no === undefined ? null : (kept.get(no)?.question.no ?? no))
  const end = nos.findIndex((no, i) => i >= count && homeOf(no) !== homeOf(nos[i - 1]))
  return end === -1 ? [...nos] : nos.slice(0, end)
}
