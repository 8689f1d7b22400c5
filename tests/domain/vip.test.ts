import { expect, test } from 'vitest'
import { daysLeft, daysOf, perDay } from '#src/domain/money/vip.ts'

const DAY = 86_400_000

test.each([
  ['of so many days', { days: 30 }, 100, null, 30],
  ['of so many days, whatever the exam', { days: 30 }, 100, 105, 30],
  ['until the exam, its day included', { days: null }, 100, 105, 6],
  ['until an exam that is today', { days: null }, 100, 100, 1],
  ['until an exam that has been', { days: null }, 100, 99, null],
  ['until an exam without a day', { days: null }, 100, null, null],
])('a duration %s', (_, duration, today, examDay, days) => expect(daysOf(duration, today, examDay)).toBe(days))

test.each([
  ['a moment of a day counts as a day', 1, 1],
  ['a whole day is one', DAY, 1],
  ['a moment more is two', DAY + 1, 2],
  ['what ends now is over', 0, 0],
  ['what is over stays over', -DAY, 0],
])('%s', (_, left, days) => expect(daysLeft(1_000 + left, 1_000)).toBe(days))

test('a price a day is rounded to whole fen', () => {
  expect([perDay(1_000, 3), perDay(2_000, 3)]).toEqual([333, 667])
})
