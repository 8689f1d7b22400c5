import { expect, test } from 'vitest'
import { CLOSED, type LessonRight, opensOffline } from '#src/domain/course/entitlement.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 21)
const right = (over: Partial<LessonRight>): LessonRight => ({
  free: false,
  rightUntil: null,
  confirmedAt: NOW,
  ...over,
})

test.each<[string, Partial<LessonRight>, number, ReturnType<typeof opensOffline>]>([
  ['just confirmed', {}, NOW, 'open'],
  ['bought for good, a moment before seven days', {}, NOW + 7 * DAY - 1, 'open'],
  ['bought for good, seven days later', {}, NOW + 7 * DAY, 'unconfirmed'],
  ['a moment before its end', { rightUntil: NOW + DAY }, NOW + DAY - 1, 'open'],
  ['at its end', { rightUntil: NOW + DAY }, NOW + DAY, 'ended'],
  ['its end behind the seven days', { rightUntil: NOW + 30 * DAY }, NOW + 7 * DAY, 'unconfirmed'],
  ['its end and seven days gone: the end is what matters', { rightUntil: NOW + DAY }, NOW + 9 * DAY, 'ended'],
  ['free, a year later', { free: true, confirmedAt: 0 }, NOW + 365 * DAY, 'open'],
  ['never confirmed', { confirmedAt: 0 }, NOW, 'unconfirmed'],
  ['confirmed under a clock that was hours ahead', { confirmedAt: NOW + 5 * 3_600_000 }, NOW, 'open'],
  ['confirmed under a clock that was a year ahead', { confirmedAt: NOW + 365 * DAY }, NOW, 'unconfirmed'],
])('%s', (_, over, now, opens) => {
  expect(opensOffline(right(over), now)).toBe(opens)
})

test('what does not open says what to do', () => {
  for (const text of Object.values(CLOSED)) expect(text).toContain('联网一次即可继续')
})
