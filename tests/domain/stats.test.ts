import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DayTotals, StudyState } from '#src/contract/study.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { dueDay } from '#src/domain/study/review.ts'
import {
  accuracyOf,
  calendar,
  dueByDay,
  spansOfDue,
  longestStreak,
  masteryOf,
  mondayOf,
  practiceBy,
  practiceByPoint,
  streakOf,
  total,
  weakest,
} from '#src/domain/study/stats.ts'
import { fold } from '#src/domain/study/study.ts'
import { addTo, type ChapterSums, contributions, type Sums } from '#src/domain/study/sums.ts'
import { addDay, dayOfAnswer } from '#src/domain/study/days.ts'
import { type Answered, anyRecord, plainly } from '#tests/support/records.ts'

/** As the device keeps them: by difference, answer by answer. */
function rowsOf(record: readonly Answered[]): ChapterSums[] {
  const sums = new Map<string, { libraryNo: string; sums: Sums }>()
  for (const { facts, place } of record) {
    const { libraryNo, chapterNo } = place
    let before: Sums = {}
    for (const [i] of facts.entries()) {
      const after = contributions(fold('q', facts.slice(0, i + 1), place))
      const moved = { ...sums.get(chapterNo ?? '')?.sums }
      addTo(moved, before, -1)
      addTo(moved, after)
      sums.set(chapterNo ?? '', { libraryNo: libraryNo ?? '', sums: moved })
      before = after
    }
  }
  return [...sums].map(([chapterNo, row]) => ({ chapterNo, ...row }))
}
describe('figures from sums are those from all that was done', () => {
  const checked = (check: (states: StudyState[], rows: ChapterSums[]) => void) =>
    fc.assert(
      fc.property(anyRecord, (record) => {
        check(
          record.map(({ facts, place }) => fold('q', facts, place)),
          rowsOf(record),
        )
      }),
    )
  test('in all', () => checked((states, rows) => expect(total(rows)).toEqual(plainly(states))))
  test.each(['libraryNo', 'chapterNo'] as const)('by %s', (key) =>
    checked((states, rows) => {
      const groups = Map.groupBy(states, (state) => state[key] ?? '')
      expect(practiceBy(rows, key)).toEqual(new Map([...groups].map(([no, of]) => [no, plainly(of)])))
    }),
  )
  test('by point', () =>
    checked((states, rows) => {
      const practised = states.filter(({ times }) => times > 0)
      const nos = new Set(practised.flatMap(({ points }) => points))
      const plain = [...nos].map((no) => [no, plainly(practised.filter(({ points }) => points.includes(no)))] as const)
      expect(practiceByPoint(rows)).toEqual(new Map(plain))
    }))
  test('by the day on which they fall due', () =>
    checked((states, rows) => {
      const due = Map.groupBy(
        states.flatMap((state) => dueDay(state) ?? []),
        (day) => day,
      )
      expect(dueByDay(rows)).toEqual(new Map([...due].map(([day, of]) => [day, of.length])))
    }))
  test('the spans of what is due hold each day up to the last one once, in order, and few questions each', () =>
    checked((_, rows) => {
      const due = dueByDay(rows)
      const days = [...due.keys()].sort((a, b) => a - b)
      const until = days[Math.floor(days.length / 2)] ?? 0
      const spans = spansOfDue(due, until, 3)
      const inside = ({ from, to }: { from: number; to: number }) => days.filter((day) => from <= day && day <= to)
      expect(spans.flatMap(inside)).toEqual(days.filter((day) => day <= until))
      for (const span of spans) {
        const count = inside(span).reduce((sum, day) => sum + (due.get(day) ?? 0), 0)
        expect(count <= 3 || span.from === span.to).toBe(true)
      }
    }))
  test('a span takes days for as long as they fit, and a day with more than fits has one of its own', () => {
    const due = new Map([
      [9, 2],
      [4, 1],
      [5, 2],
      [6, 0],
      [7, 1],
      [8, 4],
      [12, 1],
    ])
    expect(spansOfDue(due, 10, 3)).toEqual([
      { from: 4, to: 5 },
      { from: 7, to: 7 },
      { from: 8, to: 8 },
      { from: 9, to: 9 },
    ])
    expect(spansOfDue(due, 3, 3)).toEqual([])
  })
  test('by day: what the days say together is what the questions say', () =>
    fc.assert(
      fc.property(anyRecord, (record) => {
        const days = new Map<number, DayTotals>()
        for (const fact of record.flatMap(({ facts }) => facts))
          if (fact.kind === 'answer') days.set(dayOf(fact.at), addDay(days.get(dayOf(fact.at)), dayOfAnswer(fact)))
        const { answered, right, spentMs } = total(rowsOf(record))
        expect(
          [...days.values()].reduce(
            (sum, day) => addDay(sum, day),
            addDay(undefined, { answered: 0, right: 0, spentMs: 0 }),
          ),
        ).toEqual({ answered, right, spentMs })
      }),
    ))
})

const practice = (answered: number, right: number) => ({ done: answered, mastered: right, answered, right, spentMs: 0 })

describe('正确率 and 掌握度', () => {
  test('of nothing are no figure, rather than 0 %', () => {
    expect([accuracyOf(practice(0, 0)), masteryOf(practice(0, 0))]).toEqual([null, null])
  })
  test('the weakest come first, without those of fewer than five answers', () => {
    const found = new Map([
      ['good', practice(10, 9)],
      ['poor', practice(10, 2)],
      ['few', practice(4, 0)],
      ['just enough', practice(5, 0)],
      ['poor too', practice(20, 4)],
      ['', practice(9, 0)],
    ])
    expect(weakest(found).map(([no]) => no)).toEqual(['just enough', 'poor too', 'poor', 'good'])
  })
})

const TODAY = dayOf(Date.UTC(2026, 10, 21, 4))
const days = (...ago: number[]) =>
  new Map(ago.map((n): [number, DayTotals] => [TODAY - n, { answered: 1, right: 0, spentMs: 1_000 }]))

describe('连续学习', () => {
  test.each([
    ['nothing yet', [], 0],
    ['today alone', [0], 1],
    ['one answer a day is enough', [0, 1, 2], 3],
    ['today is not over, so yesterday still counts', [1, 2], 2],
    ['a day without an answer ends it', [0, 2, 3], 1],
    ['the day before yesterday is too long ago', [2, 3], 0],
  ])('%s', (_, ago, streak) => expect(streakOf(days(...ago), TODAY)).toBe(streak))

  test('what a late sync brings mends it', () => {
    const here = days(0, 1, 3, 4)
    expect(streakOf(here, TODAY)).toBe(2)
    expect(streakOf(new Map([...here, ...days(2)]), TODAY)).toBe(5)
  })
  test('a day of which all was taken back does not count', () => {
    const gone = new Map([...days(0, 1), [TODAY, { answered: 0, right: 0, spentMs: 0 }]])
    expect(streakOf(gone, TODAY)).toBe(1)
  })
  test('the longest is never shorter than the one under way', () => {
    expect(longestStreak(days(0, 1, 5, 6, 7, 8, 20))).toBe(4)
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(40)), (ago) => {
        expect(longestStreak(days(...ago))).toBeGreaterThanOrEqual(streakOf(days(...ago), TODAY))
      }),
    )
  })
})

describe('the calendar', () => {
  test('has every day once, also those without an answer', () => {
    const shown = calendar(days(1), TODAY - 2, TODAY)
    expect(shown.map(({ day, answered }) => [day - TODAY, answered])).toEqual([
      [-2, 0],
      [-1, 1],
      [0, 0],
    ])
  })
  test('weeks begin on Monday', () => {
    // 21 November 2026 is a Saturday.
    expect(mondayOf(TODAY)).toBe(TODAY - 5)
    expect(mondayOf(TODAY - 5)).toBe(TODAY - 5)
    expect(mondayOf(TODAY - 6)).toBe(TODAY - 12)
  })
})
