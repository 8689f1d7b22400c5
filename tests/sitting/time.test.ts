import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSittingClock } from '#src/sitting/engine/time.ts'
import { heardServer } from '#src/offline/device/serverClock.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
let startedAt = 0
beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers()
  startedAt = Date.now()
})
afterEach(() => {
  vi.useRealTimers()
})

test('within a page’s life only the monotonic clock counts, wherever the phone’s clock is set', () => {
  const clock = createSittingClock({ mode: 'exam', startedAt }, 0)
  vi.advanceTimersByTime(10 * MINUTE)
  expect(clock.read()).toBe(10 * MINUTE)
  for (const days of [1, -2]) {
    vi.setSystemTime(Date.now() + days * 24 * HOUR)
    expect(clock.read()).toBe(10 * MINUTE)
  }
})

test('over a kill the larger of what was kept and what the wall clock says', () => {
  vi.setSystemTime(startedAt + 30 * MINUTE)
  expect(createSittingClock({ mode: 'exam', startedAt }, 10 * MINUTE).read()).toBe(30 * MINUTE)
  // A clock that was set back gives no time back.
  vi.setSystemTime(startedAt - HOUR)
  expect(createSittingClock({ mode: 'exam', startedAt }, 10 * MINUTE).read()).toBe(10 * MINUTE)
})

test('the wall clock is the server’s, as it was heard last', () => {
  heardServer(Date.now() + 2 * HOUR)
  expect(createSittingClock({ mode: 'exam', startedAt }, 0).read()).toBe(2 * HOUR)
})

test('a phone that slept goes on with the time that has passed', () => {
  const clock = createSittingClock({ mode: 'exam', startedAt }, 0)
  vi.advanceTimersByTime(MINUTE)
  // Its monotonic clock slept, too.
  vi.setSystemTime(startedAt + 20 * MINUTE)
  expect(clock.read()).toBe(MINUTE)
  clock.wake()
  expect(clock.read()).toBe(20 * MINUTE)
})

test('a clock that jumped ahead is believed no more once the server has been heard, and time that has passed is', () => {
  const clock = createSittingClock({ mode: 'exam', startedAt }, 0)
  vi.advanceTimersByTime(10 * MINUTE)
  vi.setSystemTime(startedAt + 5 * HOUR)
  clock.wake()
  expect([clock.read(), clock.steady()]).toEqual([5 * HOUR, 10 * MINUTE])
  heardServer(startedAt + 12 * MINUTE)
  clock.reread()
  expect(clock.read()).toBe(12 * MINUTE)
  heardServer(startedAt)
  clock.reread()
  expect(clock.read(), 'what was seen to pass stays').toBe(10 * MINUTE)
})

test('练习 counts only while it is open', () => {
  vi.setSystemTime(startedAt + 5 * HOUR)
  const clock = createSittingClock({ mode: 'practice', startedAt }, 3 * MINUTE)
  vi.advanceTimersByTime(MINUTE)
  clock.wake()
  expect(clock.read()).toBe(4 * MINUTE)
})
