import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DayTotals, StudyState } from '#src/contract/study.ts'
import { accuracyOf, mondayOf } from '#src/domain/study/stats.ts'
import { blankState } from '#src/domain/study/study.ts'
import { countMissed, isFirstWeek, mondayNamed, WEEK_DAYS, weekName, weekOf } from '#src/domain/study/week.ts'
import { dateOf, dayOf, dayOfDate, startOf } from '#src/domain/time/day.ts'

/** From 1998 on, over ends of months, leap days and years of 53 weeks. */
const anyDay = fc.integer({ min: dayOfDate('1998-01-01'), max: dayOfDate('2098-12-31') })
const totals = fc.record({
  answered: fc.integer({ min: 1, max: 300 }),
  right: fc.integer({ min: 0, max: 300 }),
  spentMs: fc.integer({ min: 0, max: 7_200_000 }),
})
const anyDays = (today: number): fc.Arbitrary<Map<number, DayTotals>> =>
  fc
    .array(fc.tuple(fc.integer({ min: today - 30, max: today }), totals), { maxLength: 25 })
    .map((list) => new Map(list.map(([day, of]) => [day, { ...of, right: Math.min(of.right, of.answered) }])))
const anyRecord = anyDay.chain((today) => fc.tuple(fc.constant(today), anyDays(today)))

describe('the name of a week', () => {
  test.each([
    ['2026-11-29', '2026-W48'],
    ['2026-11-30', '2026-W49'],
    // The year of a week is that of its Thursday.
    ['2024-12-30', '2025-W01'],
    ['2027-01-03', '2026-W53'],
    ['2027-01-04', '2027-W01'],
    ['2028-02-29', '2028-W09'],
  ])('of %s is %s', (date, name) => {
    const monday = mondayOf(dayOfDate(date))
    expect(weekName(monday)).toBe(name)
    expect(mondayNamed(name)).toBe(monday)
    expect(mondayNamed(date)).toBe(monday)
  })
  test.each([
    '',
    '2026',
    '2026-W00',
    '2026-W54',
    '2025-W53',
    '2026-02-30',
    '2026-13-01',
    'W48',
    '2026-W4',
    '2026-W480',
  ])('is none of "%s"', (text) => expect(mondayNamed(text)).toBeNull())
  test('leads back to its week, and is another one for each week', () =>
    fc.assert(
      fc.property(anyDay, (day) => {
        const monday = mondayOf(day)
        expect(new Date(startOf(monday) + 12 * 3_600_000).getUTCDay()).toBe(1)
        expect(mondayNamed(weekName(monday))).toBe(monday)
        expect(mondayNamed(dateOf(day))).toBe(monday)
        expect(weekName(monday + WEEK_DAYS) > weekName(monday)).toBe(true)
      }),
    ))
  test('is that of Beijing, whatever zone the phone is set to', () => {
    expect(weekName(mondayOf(dayOf(Date.parse('2026-11-29T15:59:59Z'))))).toBe('2026-W48')
    expect(weekName(mondayOf(dayOf(Date.parse('2026-11-29T16:00:00Z'))))).toBe('2026-W49')
  })
})

describe('figures of a week', () => {
  test('are those of its days, each in one week alone', () =>
    fc.assert(
      fc.property(anyRecord, ([today, days]) => {
        const sum = (part: (of: DayTotals) => number) => [...days.values()].reduce((all, of) => all + part(of), 0)
        const weeks = Array.from({ length: 7 }, (_, i) => weekOf(days, mondayOf(today) - i * WEEK_DAYS, today))
        const inWeeks = (part: (of: DayTotals) => number) => weeks.reduce((all, { now }) => all + part(now.all), 0)
        expect(inWeeks(({ answered }) => answered)).toBe(sum(({ answered }) => answered))
        expect(inWeeks(({ right }) => right)).toBe(sum(({ right }) => right))
        expect(inWeeks(({ spentMs }) => spentMs)).toBe(sum(({ spentMs }) => spentMs))
        expect(weeks.reduce((all, { now }) => all + now.studied, 0)).toBe(days.size)
      }),
    ))
  test('are held against as many days of the week before', () =>
    fc.assert(
      fc.property(anyRecord, ([today, days]) => {
        const monday = mondayOf(today)
        const { now, before } = weekOf(days, monday, today)
        expect(now.days.map(({ day }) => day - WEEK_DAYS)).toEqual(before.days.map(({ day }) => day))
        expect(now.days).toHaveLength(today - monday + 1)
        // A week that is over is held against a whole one.
        expect(weekOf(days, monday - WEEK_DAYS, today).before.days).toHaveLength(WEEK_DAYS)
      }),
    ))
  test('know a day without study from one of wrong answers alone', () => {
    const monday = mondayOf(dayOfDate('2026-11-23'))
    const days = new Map([[monday + 1, { answered: 4, right: 0, spentMs: 90_000 }]])
    const { now } = weekOf(days, monday, monday + 6)
    expect(now.days.map(accuracyOf)).toEqual([null, 0, null, null, null, null, null])
    expect([now.studied, accuracyOf(now.all)]).toEqual([1, 0])
  })
  describe('tell days in a row', () => {
    const monday = mondayOf(dayOfDate('2026-11-23'))
    const studied = (...at: number[]) => new Map(at.map((i) => [monday + i, { answered: 1, right: 1, spentMs: 1 }]))
    const streak = (at: number[], today: number) => weekOf(studied(...at), monday, monday + today).streak
    test('as they stand today, also from the week before, while its week lasts', () => {
      expect(streak([-2, -1, 0, 1], 1)).toBe(4)
      // Yesterday's still stand before anything was done today.
      expect(streak([0, 1], 2)).toBe(2)
      expect(streak([0, 1], 3)).toBe(0)
      // Its Sunday belongs to the week.
      expect(streak([3, 4, 5], 6)).toBe(3)
    })
    test('the most of them within a week that is over', () => {
      expect(streak([0, 1, 2, 4, 5], 7)).toBe(3)
      // A missed Sunday is not forgiven, and days beyond the week do not count.
      expect(streak([-1, 0, 4, 5, 6, 7, 8], 8)).toBe(3)
      expect(streak([-1, 7], 8)).toBe(0)
    })
  })
  test('are none of a week that has not begun', () => {
    const monday = mondayOf(dayOfDate('2026-11-23'))
    const days = new Map([[monday, { answered: 4, right: 2, spentMs: 1 }]])
    expect(weekOf(days, monday + WEEK_DAYS, monday + 2)).toMatchObject({ now: { studied: 0, days: [] } })
  })
})

test('what was missed is counted by point, the most first, a question once for each of its points', () => {
  const missed = (no: string, points: string[]): StudyState =>
    blankState(no, { chapterNo: 'c', libraryNo: 'l', type: 'single', points })
  const states = [missed('1', ['b']), missed('2', ['a', 'b']), missed('3', ['c']), missed('4', [])]
  expect(countMissed(states, ({ points }) => points)).toEqual([
    ['b', 2],
    ['a', 1],
    ['c', 1],
  ])
})

test('a week is the first where no day before it has an answer', () => {
  const monday = mondayOf(dayOfDate('2026-11-25'))
  const on = (day: number, answered = 3) => new Map([[day, { answered, right: 1, spentMs: 1_000 }]])
  expect(isFirstWeek(new Map(), monday)).toBe(true)
  expect(isFirstWeek(on(monday + 2), monday)).toBe(true)
  expect(isFirstWeek(on(monday - 30, 0), monday)).toBe(true)
  expect(isFirstWeek(on(monday - 30), monday)).toBe(false)
})
