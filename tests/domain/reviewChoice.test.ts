import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Memory, StudyState } from '#src/contract/study.ts'
import { dueDay } from '#src/domain/study/review.ts'
import { type ChoiceParts, chooseReviews, expectedGain } from '#src/domain/study/reviewChoice.ts'
import { blankState } from '#src/domain/study/study.ts'
import { bestAndOurs } from '#tools/bench/plan/bound.ts'
import { placeIn } from '#tests/support/states.ts'

const TODAY = 20_000
const DAY = 86_400_000
/** Noon in Shanghai. */
const at = (day: number): number => day * DAY + 4 * 3_600_000
const SECOND = 1_000

/** A question of the error book that was answered so many days ago. */
const state = (no: string, ago: number, memory: Memory, over: Partial<StudyState> = {}): StudyState => ({
  ...blankState(no, placeIn()),
  times: 1,
  wrong: 1,
  spentMs: 30 * SECOND,
  lastAt: at(TODAY - ago),
  memory,
  book: { rights: 0, since: at(TODAY - ago), from: 'set', out: false },
  ...over,
})
const parts: ChoiceParts = {
  today: TODAY,
  examDay: null,
  practice: { answered: 100, spentMs: 3_000 * SECOND },
  ms: 600 * SECOND,
  most: Infinity,
  ahead: 0,
}
const chosen = (states: readonly StudyState[], over: Partial<ChoiceParts> = {}): string[] =>
  chooseReviews(states, { ...parts, ...over }).reviews.map(({ questionNo }) => questionNo)

const memories = fc.record({
  stability: fc.double({ min: 0.1, max: 60, noNaN: true }),
  difficulty: fc.double({ min: 1, max: 10, noNaN: true }),
})
const books = fc
  .array(
    fc.record({
      memory: memories,
      ago: fc.integer({ min: 0, max: 40 }),
      type: fc.constantFrom('single' as const, 'judge' as const, 'essay' as const),
      spentMs: fc.integer({ min: SECOND, max: 200 * SECOND }),
    }),
    { maxLength: 30 },
  )
  .map((all) => all.map(({ memory, ago, ...of }, i) => state(`q${i}`, ago, memory, of)))
const anyParts = fc.record({
  examDay: fc.option(fc.integer({ min: TODAY - 3, max: TODAY + 200 })),
  ms: fc.integer({ min: 0, max: 900 * SECOND }),
  most: fc.integer({ min: 1, max: 40 }),
  ahead: fc.nat(5),
})

describe('today’s reviews', () => {
  test('fit into the time and the number there are, none is twice or of today, and no more are ahead than may be', () => {
    fc.assert(
      fc.property(books, anyParts, (states, over) => {
        const { reviews, ms } = chooseReviews(states, { ...parts, ...over })
        expect(new Set(reviews).size).toBe(reviews.length)
        expect(reviews.length).toBeLessThanOrEqual(over.most)
        const all = [...ms.values()].reduce((sum, cost) => sum + cost, 0)
        expect(all).toBeLessThanOrEqual(reviews.length > 1 ? over.ms : Infinity)
        expect(new Set(ms.keys())).toEqual(new Set(reviews.map(({ questionNo }) => questionNo)))
        expect(reviews.filter(({ lastAt }) => lastAt >= at(TODAY))).toEqual([])
        const ahead = reviews.filter((each) => (dueDay(each) ?? Infinity) > TODAY)
        expect(ahead.length).toBeLessThanOrEqual(over.ahead)
      }),
    )
  })
  test('are the same in whatever order the device reads its questions', () => {
    fc.assert(
      fc.property(books, anyParts, (states, over) => {
        const there = chosen(states, over).sort()
        expect(chosen([...states].reverse(), over).sort()).toEqual(there)
      }),
    )
  })
  test('are all that is due where there is time for it, and one at least where there is none', () => {
    fc.assert(
      fc.property(books, (states) => {
        const due = states.filter((each) => (dueDay(each) ?? Infinity) <= TODAY).map(({ questionNo }) => questionNo)
        expect(chosen(states, { ms: Infinity }).sort()).toEqual(due.sort())
        expect(chosen(states, { ms: 0 })).toHaveLength(Math.min(1, due.length))
      }),
    )
  })
  const weak = { stability: 2, difficulty: 5 }
  test('are those that add most for each second: of two alike the quicker type, of one type what gains more', () => {
    const states = [
      state('essay', 5, weak, { type: 'essay', spentMs: 1_800 * SECOND, times: 10 }),
      state('judge', 5, weak, { type: 'judge', spentMs: 120 * SECOND, times: 10 }),
      state('firm', 30, { stability: 25, difficulty: 5 }, { type: 'judge', spentMs: 120 * SECOND, times: 10 }),
    ]
    expect(chosen(states, { most: 1 })).toEqual(['judge'])
    expect(chosen(states, { most: 2 }).sort()).toEqual(['firm', 'judge'])
    const gains = states.map(({ memory = weak, lastAt }) =>
      expectedGain(memory, Math.floor(lastAt / DAY), TODAY, [TODAY + 30]),
    )
    expect(gains[0]).toBe(gains[1])
    expect(gains[1]).toBeGreaterThan(gains[2] ?? 1)
  })
  test('are chosen for the exam when there is one, and for the next 90 days when there is none', () => {
    const [lost, fading] = [state('lost', 40, { stability: 0.3, difficulty: 9 }), state('fading', 9, weak)]
    expect(chosen([lost, fading], { most: 1, examDay: TODAY + 1 })).toEqual(['lost'])
    expect(chosen([lost, fading], { most: 1 })).toEqual(['fading'])
    // An exam that is over or today says nothing of what comes.
    for (const examDay of [TODAY, TODAY - 1]) expect(chosen([lost, fading], { most: 1, examDay })).toEqual(['fading'])
  })
  test('begin with what was put in by hand or has no memory yet', () => {
    const byHand = state(
      'hand',
      1,
      { stability: 50, difficulty: 5 },
      { book: { rights: 0, since: at(TODAY), from: 'hand', out: false } },
    )
    const { memory: _, ...never } = state('never', 1, weak)
    expect(chosen([state('weak', 5, weak), byHand, never], { most: 2 }).sort()).toEqual(['hand', 'never'])
  })
  test('let chapters take turns', () => {
    const states = Array.from({ length: 6 }, (_, i) => state(`q${i}`, 5, weak, { chapterNo: i < 4 ? 'c1' : 'c2' }))
    expect(chosen(states)).toEqual(['q0', 'q4', 'q1', 'q5', 'q2', 'q3'])
  })
})

test('one review a day of three questions adds nearly as much as the best plan that exists', () => {
  let [best, ours] = [0, 0]
  fc.assert(
    fc.property(fc.array(memories, { minLength: 3, maxLength: 3 }), fc.integer({ min: 2, max: 4 }), (three, days) => {
      const found = bestAndOurs(three, days)
      best += found.best - found.none
      ours += found.ours - found.none
      expect(found.ours).toBeGreaterThan(found.best - 0.15)
    }),
    { numRuns: 200, seed: 7 },
  )
  expect(ours / best).toBeGreaterThan(0.95)
})
