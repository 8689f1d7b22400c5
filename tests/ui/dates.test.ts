import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dateText, timeText } from '#src/ui/dates.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21, 12) })
})
afterEach(() => void vi.useRealTimers())

test.each([
  [Date.UTC(2026, 10, 20, 15, 59), '11月20日 23:59'],
  [Date.UTC(2026, 10, 20, 16, 0), '11月21日 00:00'],
  [Date.UTC(2025, 11, 31, 15, 59), '2025年12月31日 23:59'],
  [Date.UTC(2025, 11, 31, 16, 0), '1月1日 00:00'],
])('%s is told by Beijing’s clock: %s', (at, told) => {
  expect(timeText(at)).toBe(told)
  expect(dateText(at)).toBe(told.split(' ')[0])
})

test('a damaged record has no time', () => {
  expect(timeText(Number.NaN)).toBe('')
})
