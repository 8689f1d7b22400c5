import { expect, test } from 'vitest'
import { examPosters, posterText, streakPoster, weekPoster } from '#src/features/stats/poster/posters.ts'
import { mondayOf } from '#src/domain/study/stats.ts'
import { weekOf } from '#src/domain/study/week.ts'
import { dayOfDate } from '#src/domain/time/day.ts'

const MONDAY = mondayOf(dayOfDate('2026-11-23'))
const DAYS = new Map([
  [MONDAY, { answered: 10, right: 7, spentMs: 600_000 }],
  [MONDAY + 2, { answered: 30, right: 20, spentMs: 6_000_000 }],
])
const EARNED = { score: 8_650, full: 10_000, right: 44, total: 50, marks: [] }
const REPORT = {
  attemptId: 'a',
  no: 'X',
  asOf: 0,
  ranked: 120,
  average: null,
  best: null,
  rank: 3,
  unranked: null,
  beaten: 975,
  sections: [],
  bands: [],
}

test('a week’s poster has the figures of its report, and a mark for each day that has come', () => {
  const poster = weekPoster(weekOf(DAYS, MONDAY, MONDAY + 3), MONDAY, MONDAY + 3)
  expect(posterText(poster, '')).toBe(
    '11月23日 – 11月29日 我答题 40 次；连续学习 1 天；正确率 68%；答题用时 1 小时 50 分；学习天数 2/7；一步一步，离目标更近',
  )
  expect(poster.marks?.map(({ on }) => on)).toEqual([true, false, true, false, null, null, null])
  expect(poster.marks?.map(({ name }) => name).join('')).toBe('一二三四五六日')
})
test('one of 连续学习 shows the last seven days, up to today', () => {
  const poster = streakPoster(DAYS, MONDAY + 2)
  expect([poster?.figure, poster?.closing]).toEqual(['1', '今天也没有缺席'])
  expect(poster?.marks?.map(({ on }) => on)).toEqual([false, false, false, false, true, false, true])
  expect(poster?.marks?.at(-1)?.name).toBe('三')
})
test('one of 连续学习 does not praise a day without study, and is not there where no day in a row is', () => {
  expect(streakPoster(DAYS, MONDAY + 3)?.closing).toBe('今天接着来')
  expect(streakPoster(DAYS, MONDAY + 4)).toBeNull()
})
test('a past week’s poster tells its own longest run, not how it went on', () => {
  const days = new Map([...DAYS, [MONDAY + 7, { answered: 1, right: 1, spentMs: 1 }]])
  expect(weekPoster(weekOf(days, MONDAY, MONDAY + 7), MONDAY, MONDAY + 7).note).toBe('最长连续 1 天')
})
test('an exam has one of its score, and one of its place once it is ranked', () => {
  const [score, rank] = examPosters('数学模考', EARNED, REPORT)
  expect(score && posterText(score, '')).toBe(
    '数学模考 86.5 分；满分 100 分；答对 44/50 题；名次 3/120 人；击败 97.5%；模考见真章，接着练',
  )
  expect([rank?.figure, rank?.unit, rank?.note]).toEqual(['第 3', '名', '共 120 人参加排名'])
  expect(examPosters('数学模考', EARNED, { ...REPORT, rank: null, beaten: null })).toHaveLength(1)
  expect(examPosters('数学模考', EARNED, { ...REPORT, ranked: 9 })[0]?.facts.map(({ name }) => name)).toEqual(['答对'])
  expect(examPosters('数学模考', EARNED, undefined)[0]?.facts.map(({ name }) => name)).toEqual(['答对'])
})
test('it names the student only where they want it', () => {
  const [poster] = examPosters('数学模考', EARNED, undefined)
  expect(poster && posterText(poster, '小李')).toMatch(/^小李；数学模考/)
  expect(poster && posterText(poster, '')).not.toContain('小李')
})
