import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dateOf, dayOf, dayOfDate, startOf } from '#src/domain/time/day.ts'
import { dueDay } from '#src/domain/study/review.ts'
import { fold } from '#src/domain/study/study.ts'
import { addTo, contributions, groupsOf, plus, stageOf } from '#src/domain/study/sums.ts'
import { answer, anyFacts, place } from '#tests/support/facts.ts'

const DAY = 86_400_000
const NOON = Date.UTC(2026, 10, 21, 4)

describe('a day', () => {
  test('begins at midnight in Beijing, wherever the phone believes to be', () => {
    expect(dateOf(dayOf(Date.UTC(2026, 10, 20, 15, 59, 59, 999)))).toBe('2026-11-20')
    expect(dateOf(dayOf(Date.UTC(2026, 10, 20, 16)))).toBe('2026-11-21')
  })
  test('has one number, one date and one first moment', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60_000 }), (day) => {
        expect(dayOf(startOf(day))).toBe(day)
        expect(dayOf(startOf(day) - 1)).toBe(day - 1)
        expect(dayOfDate(dateOf(day))).toBe(day)
      }),
    )
  })
})

describe('a review', () => {
  const due = (rights: readonly boolean[], gapDays = 1) => {
    const facts = rights.map((right, i) => answer({ opId: `op${i}`, at: NOON + i * gapDays * DAY, right }))
    const day = dueDay(fold('q1', facts, place))
    return day === null ? null : day - dayOf(NOON + (rights.length - 1) * gapDays * DAY)
  }
  test('is for what was wrong once: tomorrow, then later and later, and soon again after a miss', () => {
    expect(due([true, true])).toBeNull()
    expect(due([false])).toBe(1)
    const gaps = [2, 3, 4].map((n) => due([false, ...Array.from({ length: n }, () => true)], 3) ?? 0)
    expect(gaps).toEqual([...gaps].sort((a, b) => a - b))
    expect(new Set(gaps).size).toBe(3)
    expect(due([false, true, true, true, false], 3)).toBeLessThan(gaps[2] ?? 0)
  })
  test('comes after the days that it has always come after, and at least once a year', () => {
    // A device and the server must say the same, and so must an app and the one that takes its place.
    let at = NOON
    const facts = [answer({ opId: 'op0', at, right: false })]
    const gaps = Array.from({ length: 9 }, (_, i) => {
      const gap = (dueDay(fold('q1', facts, place)) ?? 0) - dayOf(at)
      at += gap * DAY
      facts.push(answer({ opId: `op${i + 1}`, at, right: true }))
      return gap
    })
    expect(gaps).toEqual([1, 2, 6, 17, 44, 102, 220, 365, 365])
  })
  test('is never for the same day, whatever was answered', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const state = fold('q1', facts, place)
        const never = state.times === 0
        expect(never || (dueDay(state) ?? Number.POSITIVE_INFINITY) > dayOf(state.lastAt)).toBe(true)
      }),
    )
  })
  test('is not for what was taken out by hand, and at once for what was put in', () => {
    const wrong = answer({ at: NOON, right: false })
    const byHand = { kind: 'book' as const, questionNo: 'q1', opId: 'b', at: NOON + 9 * DAY }
    expect(dueDay(fold('q1', [wrong, { ...byHand, in: false }], place))).toBeNull()
    expect(dueDay(fold('q1', [wrong, { ...byHand, in: true }], place))).toBe(dayOf(NOON + 9 * DAY))
  })
})

describe('sums', () => {
  test('what a question adds and takes away again leaves nothing', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const added = contributions(fold('q1', facts, place))
        const sums = plus({}, added)
        addTo(sums, added, -1)
        expect(sums).toEqual({})
      }),
    )
  })
  test('are added name by name, and what comes to nothing leaves; neither of the two is changed', () => {
    const [sums, added] = [
      { done: 2, wrong: 1 },
      { done: 1, wrong: -1, answered: 3 },
    ]
    expect(plus(sums, added)).toEqual({ done: 3, answered: 3 })
    expect(sums).toEqual({ done: 2, wrong: 1 })
    expect(added).toEqual({ done: 1, wrong: -1, answered: 3 })
  })
  test('a question is once in a folder, though two devices have put it there', () => {
    const collect = (opId: string, folder: string) => ({
      kind: 'collect' as const,
      questionNo: 'q1',
      opId,
      at: NOON,
      folder,
      over: [],
    })
    const sums = contributions(fold('q1', [collect('a', 'f1'), collect('b', 'f1'), collect('c', 'f2')], place))
    expect(sums).toMatchObject({ collected: 1, 'folder:f1': 1, 'folder:f2': 1 })
  })
  test('a question missed after midnight in Beijing belongs to the month that has begun there', () => {
    const missed = (at: number) => Object.keys(contributions(fold('q1', [answer({ at, right: false })], place)))
    expect(missed(Date.UTC(2026, 10, 30, 15, 59))).toContain('book:0:month:2026-11')
    expect(missed(Date.UTC(2026, 10, 30, 16, 0))).toContain('book:0:month:2026-12')
  })
  test('a question of the error book is in one stage, and in it once under each grouping', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const state = fold('q1', facts, place)
        const sums = contributions(state)
        const stages = Object.keys(sums).filter((name) => /^book:\w+$/.test(name))
        expect(stages).toEqual(state.book ? [`book:${stageOf(state)}`] : [])
        for (const group of ['type', 'times', 'from', 'month', 'cause'])
          expect(Object.keys(sums).filter((name) => name.includes(`:${group}:`))).toHaveLength(state.book ? 1 : 0)
      }),
    )
  })
})

test('a question of the error book is counted under each of its groups, and only there', () => {
  const wrong = [1, 2, 3, 4, 5, 6].map((n) => answer({ opId: `op${n}`, at: NOON + n, right: false, spentMs: 10 }))
  const cause = { kind: 'cause' as const, questionNo: 'q1', opId: 'z', at: NOON + 9, cause: 'guess' as const }
  const note = { kind: 'note' as const, questionNo: 'q1', opId: 'n', at: NOON + 9, text: '甲', over: [] }
  const state = fold('q1', [...wrong, cause, note], { ...place, points: ['p1'] })
  expect(groupsOf(state)).toEqual([
    ['type', 'single'],
    ['point', 'p1'],
    ['times', '5'],
    ['from', 'library'],
    ['month', '2026-11'],
    ['cause', 'guess'],
  ])
  expect(contributions(state)).toEqual({
    done: 1,
    answered: 6,
    wrong: 6,
    ms: 60,
    'point:p1:done': 1,
    'point:p1:answered': 6,
    'point:p1:wrong': 6,
    'point:p1:ms': 60,
    noted: 1,
    [`due:${dueDay(state)}`]: 1,
    'book:0': 1,
    'book:0:type:single': 1,
    'book:0:point:p1': 1,
    'book:0:times:5': 1,
    'book:0:from:library': 1,
    'book:0:month:2026-11': 1,
    'book:0:cause:guess': 1,
  })
  expect(groupsOf(fold('q1', wrong.slice(0, 2), place))).toEqual(
    expect.arrayContaining([
      ['times', '2'],
      ['cause', ''],
    ]),
  )
  expect(groupsOf(fold('q1', [answer()], place))).toEqual([])
})
