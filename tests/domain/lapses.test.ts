import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Memory, StudyState } from '#src/contract/study.ts'
import { believedMemory, chooseLapses, isUnfailed, type LapseParts, rankLapses } from '#src/domain/study/lapses.ts'
import { lapseRoomOf } from '#src/domain/study/plan.ts'
import { dueDay, remembered } from '#src/domain/study/review.ts'
import { apply, blankState } from '#src/domain/study/study.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { answer } from '#tests/support/facts.ts'
import { placeIn } from '#tests/support/states.ts'

const TODAY = 20_000
const SECOND = 1_000
/** Noon in Shanghai. */
const at = (day: number): number => day * 86_400_000 + 4 * 3_600_000

/** A question that was right the first time, so many days ago, in half a minute. */
const right = (
  no: string,
  ago: number,
  over: Partial<Omit<StudyState, 'memory'>> & { memory?: Memory } = {},
): StudyState & { memory: Memory } => ({
  ...blankState(no, placeIn()),
  times: 1,
  streak: 1,
  spentMs: 30 * SECOND,
  lastAt: at(TODAY - ago),
  lastRight: true,
  memory: remembered(undefined, 0, true),
  ...over,
})
const parts: LapseParts = {
  today: TODAY,
  examDay: null,
  practice: { answered: 1_000, spentMs: 30_000 * SECOND },
  averages: new Map(),
}
const ranked = (states: readonly StudyState[], over: Partial<LapseParts> = {}): string[] =>
  rankLapses(states, { ...parts, ...over }).map(({ state }) => state.questionNo)

const records = fc
  .array(
    fc.record({
      ago: fc.constantFrom(-1, 0, 1, 2, 9, 30, 60, 200),
      type: fc.constantFrom('single' as const, 'judge' as const, 'essay' as const),
      spentMs: fc.integer({ min: SECOND, max: 200 * SECOND }),
      wrong: fc.constantFrom(0, 0, 0, 1),
      book: fc.constantFrom(undefined, undefined, {
        rights: 0,
        since: at(TODAY - 9),
        from: 'hand' as const,
        out: true,
      }),
      cause: fc.constantFrom(undefined, 'guess' as const),
    }),
    { maxLength: 40 },
  )
  .map((all) =>
    all.map(({ ago, book, cause, ...of }, i) =>
      right(`q${i}`, ago, { ...of, ...(book && { book }), ...(cause && { cause }) }),
    ),
  )
const settings = fc.record({
  lapseShare: fc.constantFrom(10, 20, 30),
  minutesADay: fc.integer({ min: 5, max: 60 }),
  mostADay: fc.constantFrom(40, Infinity),
})
const averages = fc
  .array(fc.integer({ min: 0, max: 100 }), { minLength: 40, maxLength: 40 })
  .map((all) => new Map(all.map((percent, i) => [`q${i}`, percent] as const)))

describe('what was never wrong and comes back today', () => {
  test('never takes more than its share of the day, in time and in number', () => {
    fc.assert(
      fc.property(records, settings, averages, (states, plan, averages) => {
        const { reviews, ms } = chooseLapses(states, { ...parts, averages, ...lapseRoomOf(plan) })
        const spent = [...ms.values()].reduce((sum, cost) => sum + cost, 0)
        expect(spent).toBeLessThanOrEqual((plan.minutesADay * 60 * SECOND * plan.lapseShare) / 100)
        expect(reviews.length).toBeLessThanOrEqual((plan.mostADay * plan.lapseShare) / 100)
        expect([...ms.keys()]).toEqual(reviews.map(({ questionNo }) => questionNo))
      }),
    )
  })
  test('comes once, not on a day on which it was answered, and is nothing that was missed or put into the error book', () => {
    fc.assert(
      fc.property(records, averages, (states, averages) => {
        const { reviews } = chooseLapses(states, { ...parts, averages, ms: Infinity, most: Infinity })
        expect(new Set(reviews).size).toBe(reviews.length)
        for (const { lastAt, wrong, book } of reviews)
          expect([dayOf(lastAt) < TODAY, wrong, book]).toEqual([true, 0, undefined])
      }),
    )
  })
  test('is the same in whatever order the device reads its questions', () => {
    fc.assert(
      fc.property(records, averages, (states, averages) => {
        expect(ranked([...states].reverse(), { averages })).toEqual(ranked(states, { averages }))
      }),
    )
  })
  test('is nothing while the share is off', () => {
    const room = lapseRoomOf({ lapseShare: 0, minutesADay: 600, mostADay: Infinity })
    expect(room).toEqual({ ms: 0, most: 0 })
    expect(chooseLapses([right('old', 200)], { ...parts, ...room }).reviews).toEqual([])
  })
  test('is left alone while it is fresh, and after each right answer for longer', () => {
    expect(ranked([right('fresh', 3)])).toEqual([])
    expect(ranked([right('faded', 30)])).toEqual(['faded'])
    const again = { times: 2, spentMs: 60 * SECOND, memory: remembered(right('faded', 30).memory, 30, true) }
    expect(ranked([right('seen again', 30, again)])).toEqual([])
    expect(ranked([right('seen again', 400, again)])).toEqual(['seen again'])
  })
})

describe('what is likelier to have lapsed', () => {
  const usual = 30 * SECOND
  const firmness = (state: StudyState & { memory: Memory }, average?: number) =>
    believedMemory(state, usual, average).stability
  test('is a guess, what took long, and what most others missed', () => {
    const plain = firmness(right('q', 1))
    expect(firmness(right('q', 1, { cause: 'guess' }))).toBeLessThan(plain / 5)
    expect(firmness(right('q', 1, { spentMs: 61 * SECOND }))).toBe(plain / 2)
    expect(firmness(right('q', 1, { spentMs: 59 * SECOND }))).toBe(plain)
    // Each of several answers may take as long as one.
    expect(firmness(right('q', 1, { times: 3, spentMs: 170 * SECOND }))).toBe(plain)
    expect([30, 49, 50, 90].map((average) => firmness(right('q', 1), average) / plain)).toEqual([0.5, 0.5, 1, 1])
  })
  test('comes back sooner: a guess after two days, when nothing else has faded', () => {
    const states = ['guess', 'plain'].map((no) => right(no, 2, no === 'guess' ? { cause: 'guess' } : {}))
    expect(ranked(states)).toEqual(['guess'])
    const hard = ['easy', 'hard'].map((no) => right(no, 6))
    expect(
      ranked(hard, {
        averages: new Map([
          ['hard', 30],
          ['easy', 95],
        ]),
      }),
    ).toEqual(['hard'])
  })
})

test('what comes back wrong is in the error book from then on, and due as everything in it', () => {
  const place = placeIn()
  const before = apply(null, answer({ questionNo: 'q1', at: at(TODAY - 60), right: true }), place)
  expect(isUnfailed(before)).toBe(true)
  const wrong = apply(before, answer({ questionNo: 'q1', at: at(TODAY), right: false }), place)
  expect(wrong).toMatchObject({ wrong: 1, book: { rights: 0, since: at(TODAY), out: false } })
  expect(isUnfailed(wrong)).toBe(false)
  expect(dueDay(wrong)).toBeGreaterThan(TODAY)
})
