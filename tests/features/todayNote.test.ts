import { expect, test } from 'vitest'
import { planSettings } from '#src/domain/study/plan.ts'
import { noteOf } from '#src/features/stats/todayNote.ts'

const TODAY = 20_000
/** The note of a student who answered ten questions on each of these days. */
const noteAfter = (...studied: number[]): string =>
  noteOf({
    all: { answered: studied.length * 10, right: 0, done: 0, spentMs: 0, mastered: 0 },
    days: new Map(studied.map((day) => [day, { answered: 10, right: 5, spentMs: 60_000 }])),
    today: TODAY,
    settings: planSettings(new Map()),
    plan: [],
  })

test('whoever missed yesterday reads a kind word, not a bare nothing of days in a row', () => {
  expect(noteAfter(TODAY - 3, TODAY - 2)).toBe('昨天没学不要紧，今天接着来。')
  expect(noteAfter(TODAY - 8)).toBe('歇了 7 天，今天接着来，先做几道就好。')
})

test('whoever studied yesterday or today reads of the goal, and a new student of what will be here', () => {
  expect(noteAfter(TODAY - 1)).toBe('再做 20 题，达成今日目标。')
  expect(noteAfter(TODAY - 2, TODAY)).toBe('再做 10 题，达成今日目标。')
  expect(noteAfter()).toMatch(/^做完第一组题/)
})
