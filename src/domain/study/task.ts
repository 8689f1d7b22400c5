import { MINUTE_MS } from '../time/day.ts'

/** The parts of 今日任务 (a day's task), in the order in which they are done. */
export const TASK_PARTS = ['review', 'daily', 'fresh'] as const
export type TaskPart = (typeof TASK_PARTS)[number]
/** So many questions of each part are still to be done. */
export type Task = Readonly<Record<TaskPart, number>>
/** One question of each part takes this student so long, ms. */
export type Pace = Readonly<Record<TaskPart, number>>

/** 每日一练 has so many questions. */
export const DAILY_COUNT = 10
/** Whoever has done all of a day gets so many new questions more. */
export const MORE_COUNT = 10
/** A sitting can be cut to so many minutes. */
export const SLOTS = [5, 10, 20] as const
interface TaskDay {
  /** Reviews that are planned for today and not done. */
  review: number
  /** Questions of 每日一练 that are not done. */
  daily: number
  /** 每日目标, questions. */
  goal: number
  /** Questions that were answered today, on whatever device. */
  answered: number
}

/** Returns what is left of a day: new questions are as many as its goal needs beside the other parts. */
export const taskOf = ({ review, daily, goal, answered }: TaskDay): Task => ({
  review,
  daily,
  fresh: Math.max(0, goal - answered - review - daily),
})

export const countOf = (task: Task): number => TASK_PARTS.reduce((sum, part) => sum + task[part], 0)

/** Returns the whole minutes that a part takes; at least one where there is anything to do. */
export const partMinutes = (count: number, paceMs: number): number =>
  count === 0 ? 0 : Math.max(1, Math.round((count * paceMs) / MINUTE_MS))

/** Returns the whole minutes that a task takes: the sum of those that stand beside its parts, or whoever adds them up finds a fault. */
export const minutesOf = (task: Task, pace: Pace): number =>
  TASK_PARTS.reduce((sum, part) => sum + partMinutes(task[part], pace[part]), 0)

/**
 * Cuts a task to what fits into so many minutes, the first parts first. Nobody needs as long as the shortest slot for one question
 * (plan.ts bounds the pace).
 * @param minutes null: all of it
 */
export function fitting(task: Task, minutes: number | null, pace: Pace): Task {
  if (minutes === null) return task
  const cut = { review: 0, daily: 0, fresh: 0 }
  let left = minutes * MINUTE_MS
  for (const part of TASK_PARTS) {
    const fits = Math.min(task[part], Math.floor(left / pace[part]))
    cut[part] = fits
    left -= fits * pace[part]
    // A later part is not begun before the earlier ones are done.
    if (fits < task[part]) break
  }
  return cut
}

/** Returns the library of a day's 每日一练: another one each day, the same on every device. */
export const dailyLibrary = <L>(libraries: readonly L[], day: number): L | undefined =>
  libraries[day % libraries.length]
