import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countOf,
  dailyLibrary,
  fitting,
  minutesOf,
  partMinutes,
  SLOTS,
  TASK_PARTS,
  taskOf,
} from '#src/domain/study/task.ts'

const few = fc.nat({ max: 60 })
const anyDay = fc.record({
  review: few,
  daily: fc.nat({ max: 10 }),
  goal: fc.integer({ min: 1, max: 200 }),
  answered: few,
})
const anyTask = fc.record({ review: few, daily: fc.nat({ max: 10 }), fresh: few })
const ms = fc.integer({ min: 10_000, max: 180_000 })
const anyPace = fc.record({ review: ms, daily: ms, fresh: ms })
const MINUTE = 60_000
const total = (task: Record<string, number>, pace: Record<string, number>) =>
  TASK_PARTS.reduce((sum, part) => sum + (task[part] ?? 0) * (pace[part] ?? 0), 0)

describe('what is left of a day', () => {
  test('brings the student to their goal, and asks for no new question beyond it', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const task = taskOf(day)
        expect(task).toMatchObject({ review: day.review, daily: day.daily })
        expect(task.fresh).toBeGreaterThanOrEqual(0)
        const reached = day.answered + countOf(task)
        expect(reached).toBeGreaterThanOrEqual(day.goal)
        expect(task.fresh === 0 || reached === day.goal).toBe(true)
      }),
    )
  })
  test('becomes less by one with each answer, in whichever part and on whichever device', () => {
    fc.assert(
      fc.property(anyDay, fc.constantFrom(...TASK_PARTS), (day, part) => {
        const before = taskOf(day)
        fc.pre(before[part] > 0)
        const isDue = part !== 'fresh'
        const after = taskOf({ ...day, answered: day.answered + 1, ...(isDue && { [part]: day[part] - 1 }) })
        expect(after).toEqual({ ...before, [part]: before[part] - 1 })
      }),
    )
  })
  test('of a new student is 每日一练 and what the goal needs beside it', () => {
    expect(taskOf({ review: 0, daily: 10, goal: 20, answered: 0 })).toEqual({ review: 0, daily: 10, fresh: 10 })
  })
  test('is nothing once all is done, also beyond the goal', () => {
    expect(countOf(taskOf({ review: 0, daily: 0, goal: 20, answered: 33 }))).toBe(0)
  })
})

describe('a sitting of so many minutes', () => {
  test('fits into them, and has a question where there is any', () => {
    fc.assert(
      fc.property(anyTask, anyPace, fc.constantFrom(...SLOTS), (task, pace, minutes) => {
        const cut = fitting(task, minutes, pace)
        expect(total(cut, pace)).toBeLessThanOrEqual(minutes * MINUTE)
        expect(countOf(cut) > 0).toBe(countOf(task) > 0)
        for (const part of TASK_PARTS) expect(cut[part]).toBeLessThanOrEqual(task[part])
      }),
    )
  })
  test('leaves no room for one question more of the part that it ends in, and begins no later part before', () => {
    fc.assert(
      fc.property(anyTask, anyPace, fc.constantFrom(...SLOTS), (task, pace, minutes) => {
        const cut = fitting(task, minutes, pace)
        const open = TASK_PARTS.find((part) => cut[part] < task[part])
        if (!open) return
        expect(total(cut, pace) + pace[open]).toBeGreaterThan(minutes * MINUTE)
        for (const later of TASK_PARTS.slice(TASK_PARTS.indexOf(open) + 1)) expect(cut[later]).toBe(0)
      }),
    )
  })
  test('has more in more time, and without a limit all', () => {
    fc.assert(
      fc.property(anyTask, anyPace, (task, pace) => {
        const counts = SLOTS.map((minutes) => countOf(fitting(task, minutes, pace)))
        expect(counts).toEqual(counts.toSorted((a, b) => a - b))
        expect(fitting(task, null, pace)).toEqual(task)
      }),
    )
  })
  test('is told in whole minutes, never none', () => {
    const pace = { review: 30_000, daily: 30_000, fresh: 30_000 }
    expect(minutesOf({ review: 4, daily: 10, fresh: 10 }, pace)).toBe(12)
    expect(minutesOf({ review: 0, daily: 0, fresh: 1 }, { ...pace, fresh: 10_000 })).toBe(1)
    expect(minutesOf({ review: 0, daily: 0, fresh: 0 }, pace)).toBe(0)
    // 40, 100 and 40 seconds stand there as 1, 2 and 1 minutes.
    const quick = { review: 10_000, daily: 10_000, fresh: 10_000 }
    expect([4, 10, 4].map((count) => partMinutes(count, 10_000))).toEqual([1, 2, 1])
    expect(minutesOf({ review: 4, daily: 10, fresh: 4 }, quick)).toBe(4)
  })
})

test('每日一练 is of another library each day, and of none where there is none', () => {
  expect([7, 8, 9].map((day) => dailyLibrary(['a', 'b'], day))).toEqual(['b', 'a', 'b'])
  expect(dailyLibrary([], 7)).toBeUndefined()
})
