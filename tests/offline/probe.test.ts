import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProbe } from '#src/offline/sync/probe.ts'

const MINUTE = 60_000
let asked: number[] = []
let wanted = true
const probe = (random: () => number = () => 0.5) =>
  createProbe({ ask: () => void asked.push(Date.now()), isWanted: () => wanted, now: Date.now, random })
beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  ;[asked, wanted] = [[], true]
})
afterEach(() => vi.useRealTimers())

test('whenever the server comes back in the first minutes, a page asks within four seconds of it, and never more often than it must', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.double({ min: 0, max: 0.999_999, noNaN: true })), (numbers) => {
      vi.setSystemTime(0)
      asked = []
      const one = probe(() => Number(numbers.next().value))
      one.start()
      vi.advanceTimersByTime(5 * MINUTE)
      one.stop()
      const waits = asked.map((at, i) => at - (asked[i - 1] ?? 0))
      expect(Math.max(...waits)).toBeLessThanOrEqual(4_000)
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(2_500)
    }),
    { numRuns: 50 },
  )
})

test('after five minutes it asks seldom, and soon again for somebody who comes back to the page', () => {
  const one = probe()
  one.start()
  vi.advanceTimersByTime(5 * MINUTE)
  asked = []
  vi.advanceTimersByTime(5 * MINUTE)
  expect(asked.length).toBeLessThanOrEqual(5 * 6)
  expect(asked.length).toBeGreaterThanOrEqual(5 * 3)
  asked = []
  one.looked()
  expect(asked).toHaveLength(1)
  vi.advanceTimersByTime(MINUTE)
  expect(asked.length).toBeGreaterThan(14)
})

test('many calls that fail while it asks make it ask neither sooner nor later, nor more often', () => {
  const one = probe()
  one.start()
  for (let ms = 0; ms < MINUTE; ms += 1_000) {
    vi.advanceTimersByTime(1_000)
    one.start()
  }
  expect(asked.length).toBe(Math.floor(MINUTE / 3_250))
  one.stop()
})

test('a page that nobody looks at asks nothing', () => {
  wanted = false
  const one = probe()
  one.start()
  one.looked()
  vi.advanceTimersByTime(10 * MINUTE)
  expect(asked).toEqual([])
})

test('a page that has reached the server asks nothing more, also when somebody comes back to it', () => {
  const one = probe()
  one.start()
  vi.advanceTimersByTime(10_000)
  one.stop()
  asked = []
  one.looked()
  vi.advanceTimersByTime(MINUTE)
  expect(asked).toEqual([])
})
