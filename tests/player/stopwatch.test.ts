import { beforeEach, describe, expect, test, vi } from 'vitest'
import { start } from '#src/player/playerState.ts'
import { patienceMs } from '#src/player/patience.ts'
import { createStopwatch, type Stopwatch } from '#src/player/stopwatch.ts'
import { composite, essay, items, single } from '#tests/support/questions.ts'

const MINUTE = 60_000
let now: number
let isShown: boolean
let patience: number
let watch: Stopwatch
beforeEach(() => {
  now = 1_000
  isShown = true
  patience = 3 * MINUTE
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  watch = createStopwatch(
    () => patience,
    () => isShown,
  )
  watch.follow()
})
const pass = (ms: number) => (now += ms)

describe('time on a question', () => {
  test('is what has passed since it was last taken', () => {
    pass(20_000)
    expect(watch.take()).toEqual({ ms: 20_000, shownMs: 20_000 })
    pass(5_000)
    expect(watch.take()).toEqual({ ms: 5_000, shownMs: 5_000 })
  })

  test('does not count while the page is hidden', () => {
    pass(10_000)
    isShown = false
    watch.follow()
    pass(MINUTE)
    isShown = true
    watch.follow()
    pass(10_000)
    expect(watch.take()).toEqual({ ms: 20_000, shownMs: 20_000 })
  })

  test('ends when nothing has been touched for some minutes, and goes on with the next touch', () => {
    pass(10_000)
    watch.touch()
    pass(11 * MINUTE)
    expect(watch.isRunning()).toBe(false)
    watch.touch()
    expect(watch.isRunning()).toBe(true)
    pass(5_000)
    expect(watch.take()).toEqual({ ms: 10_000 + 3 * MINUTE + 5_000, shownMs: 11 * MINUTE + 15_000 })
  })

  test('is long where the student touches something now and then', () => {
    for (let i = 0; i < 5; i++) {
      pass(2 * MINUTE)
      watch.touch()
    }
    expect(watch.take().ms).toBe(10 * MINUTE)
  })

  test('is not begun anew by being taken: who is away stays away', () => {
    pass(4 * MINUTE)
    expect(watch.take().ms).toBe(3 * MINUTE)
    pass(4 * MINUTE)
    expect(watch.take()).toEqual({ ms: 0, shownMs: 4 * MINUTE })
  })

  test('stands still as long as anything holds it', () => {
    pass(10_000)
    const [first, second] = [watch.hold(), watch.hold()]
    pass(MINUTE)
    watch.touch()
    expect(watch.isHeld()).toBe(true)
    expect(watch.isRunning()).toBe(false)
    first()
    pass(MINUTE)
    expect(watch.take()).toEqual({ ms: 10_000, shownMs: 10_000 })
    second()
    pass(7_000)
    expect(watch.isHeld()).toBe(false)
    expect(watch.take()).toEqual({ ms: 7_000, shownMs: 7_000 })
  })
})

describe('a student is waited for longer where one reads and writes longer', () => {
  test.each([
    ['a question', start(items([single()])), 3],
    ['a question of a paper that is sat', start(items([single()]), 'exam'), 8],
    ['an essay', start(items([essay()])), 8],
    ['a question below a material', start(items([composite()])), 8],
  ])('%s', (_, state, minutes) => expect(patienceMs(state)).toBe(minutes * MINUTE))
})
