import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  backlogOf,
  type Dealt,
  lapseRoomOf,
  NOTHING_DEALT,
  PLAN_DAYS,
  plannedOfDue,
  planReviews,
  paceOf,
  planSettings,
  reviewsADay,
  reviewsToday,
  roomBeside,
  roomOf,
} from '#src/domain/study/plan.ts'

const TODAY = 20_000
const due = (...counts: [day: number, count: number][]) => new Map(counts.map(([day, n]) => [TODAY + day, n] as const))
const plan = (counts: ReadonlyMap<number, number>, most: number, exam: number | null = null) =>
  planReviews({
    due: counts,
    today: TODAY,
    most,
    room: most,
    answered: 0,
    examDay: exam === null ? null : TODAY + exam,
  })
const planned = (...args: Parameters<typeof plan>) => plan(...args).map((day) => day.planned)
const ahead = (...args: Parameters<typeof plan>) => plan(...args).map((day) => day.ahead)
const zeros = (n: number) => Array.from({ length: n }, () => 0)

describe('the reviews of the next 14 days', () => {
  test('what is due on a day is done on it, when there is room', () => {
    expect(planned(due([0, 3], [2, 5], [14, 9]), 10)).toEqual([3, 0, 5, ...zeros(11)])
  })
  test('days away are no wall: what is overdue comes first, and what a day cannot hold goes on to the next', () => {
    const nineDaysAway = due([-9, 60], [-3, 30], [0, 10], [1, 20])
    expect(plan(nineDaysAway, 40)[0]).toMatchObject({ due: 100, planned: 40 })
    expect(planned(nineDaysAway, 40).slice(0, 4)).toEqual([40, 40, 40, 0])
  })
  test('before the exam, what will be shaky on its day is seen again, as late as there is room and evenly', () => {
    expect(ahead(due([10, 7], [12, 7]), 10, 10)).toEqual([...zeros(3), 2, 2, 2, 2, 2, 2, 2, ...zeros(4)])
    expect(ahead(due([10, 3]), 10, 10)).toEqual([...zeros(7), 1, 1, 1, ...zeros(4)])
  })
  test('what was answered today is not seen again today, however soon the exam is', () => {
    const counts = due([1, 6], [3, 4])
    const parts = { due: counts, today: TODAY, most: 30, room: 20, examDay: TODAY + 1 }
    const today = (answered: number) => planReviews({ ...parts, answered })[0]
    expect(today(0)).toMatchObject({ planned: 10, ahead: 10 })
    expect(today(7)).toMatchObject({ planned: 3, ahead: 3 })
    for (const answered of [10, 50]) expect(today(answered)).toMatchObject({ planned: 0, ahead: 0 })
    const inTwoDays = planReviews({ ...parts, examDay: TODAY + 2, answered: 50 })
    expect(inTwoDays.slice(0, 2).map(({ ahead }) => ahead)).toEqual([0, 4])
  })
  test('what is firm beyond the exam is left alone, and its day is free', () => {
    expect(planned(due([5, 4], [33, 4], [34, 8]), 10, 4)).toEqual([2, 2, 2, 2, ...zeros(10)])
    expect(planned(due([5, 4], [13, 9]), 2, 4)).toEqual([2, 2, 2, 2, ...zeros(9), 2])
  })
  test('what is due already goes before what is only shaky', () => {
    const counts = due([-1, 8], [2, 6])
    expect(plan(counts, 5, 2).slice(0, 3)).toMatchObject([
      { planned: 5, ahead: 0 },
      { planned: 5, ahead: 2 },
      { planned: 0, ahead: 0 },
    ])
    // What found no room before the exam is there after it.
    expect(planned(counts, 5, 2)[3]).toBe(4)
  })
  test('an exam that is over, today or far away changes nothing', () => {
    const counts = due([-2, 3], [1, 4], [9, 30])
    for (const exam of [-3, 0, 60]) expect(plan(counts, 10, exam)).toEqual(plan(counts, 10))
  })
  test('no day holds more than its minutes, and nothing is planned twice or lost', () => {
    const counts = fc.dictionary(fc.integer({ min: -30, max: 40 }).map(String), fc.nat(50), { maxKeys: 20 })
    const exam = fc.option(fc.integer({ min: -5, max: 30 }))
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 60 }), exam, (found, most, examDay) => {
        const all = due(...Object.entries(found).map(([day, n]): [number, number] => [Number(day), n]))
        const days = plan(all, most, examDay)
        expect(days).toHaveLength(PLAN_DAYS)
        const there = [...all.values()].reduce((sum, n) => sum + n, 0)
        expect(days.reduce((sum, day) => sum + day.planned, 0)).toBeLessThanOrEqual(there)
        for (const day of days) {
          expect(day.planned).toBeLessThanOrEqual(most)
          expect(day.ahead).toBeLessThanOrEqual(day.planned)
        }
        expect(plan(all, most, examDay)).toEqual(days)
      }),
    )
  })
  test('with room enough, all that falls due in them is in them', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { minLength: 14, maxLength: 14 }), (counts) => {
        expect(planned(due(...counts.map((n, day): [number, number] => [day, n])), 1_000)).toEqual(counts)
      }),
    )
  })
})

describe('今日复习', () => {
  test.each<[string, [number, number][], number, { today: number; later: number; days: number }, number?]>([
    ['nothing is due', [], 0, { today: 0, later: 0, days: 0 }],
    ['what falls due later waits', [[101, 5]], 0, { today: 0, later: 0, days: 0 }],
    [
      'all of it, when it is not much',
      [
        [90, 10],
        [100, 30],
      ],
      0,
      { today: 40, later: 0, days: 0 },
    ],
    ['no more than a day holds', [[91, 133]], 0, { today: 40, later: 93, days: 3 }],
    [
      'the rest goes behind what falls due then',
      [
        [91, 50],
        [101, 40],
        [102, 35],
      ],
      0,
      { today: 40, later: 10, days: 3 },
    ],
    ['what was done today counts', [[91, 103]], 30, { today: 10, later: 93, days: 3 }],
    ['the day is over, the rest is not', [[91, 93]], 40, { today: 0, later: 93, days: 3 }],
    ['more was done than asked for', [[91, 5]], 60, { today: 0, later: 5, days: 1 }],
    ['nothing is done on the day of the exam', [[91, 133]], 0, { today: 40, later: 93, days: 4 }, 102],
    ['nor tomorrow, when the exam is then', [[91, 133]], 0, { today: 40, later: 93, days: 4 }, 101],
    ['an exam after all of it changes nothing', [[91, 133]], 0, { today: 40, later: 93, days: 3 }, 104],
    ['nor does one that is today', [[91, 133]], 0, { today: 40, later: 93, days: 3 }, 100],
    [
      'what is seen ahead of the exam is no backlog',
      [
        [100, 2],
        [104, 9],
      ],
      0,
      { today: 5, later: 0, days: 0 },
      103,
    ],
  ])('%s', (_, due, done, plan, examDay) => {
    const parts = {
      due: new Map(due),
      today: 100,
      most: 40,
      room: Math.max(0, 40 - done),
      answered: 0,
      examDay: examDay ?? null,
    }
    const days = planReviews(parts)
    expect({ today: days[0]?.planned, ...backlogOf(days, parts) }).toEqual(plan)
  })

  test('is as many as today holds of what is due', () => {
    expect(reviewsToday(plan(due([-3, 50]), 40), null)).toEqual({ count: 40, until: TODAY })
  })
  test('is nothing where nothing is planned, and goes no further than today where there is no room, though an exam is set', () => {
    expect(reviewsToday([], null)).toEqual({ count: 0, until: 0 })
    expect(reviewsToday(plan(due([0, 10], [4, 9]), 10, 3), TODAY + 3)).toEqual({ count: 10, until: TODAY })
  })
  test('in the last days before the exam it goes on to what is due within a month after it', () => {
    expect(reviewsToday(plan(due([0, 2], [4, 9]), 10, 3), TODAY + 3)).toEqual({ count: 5, until: TODAY + 32 })
  })
})

describe('what was never wrong and is for today', () => {
  const parts = { due: due([-1, 30], [0, 10]), today: TODAY, most: 36, room: 36, answered: 0, examDay: null }
  test('is planned beside what is due, and no part of the backlog', () => {
    const days = planReviews({ ...parts, lapses: 4 })
    expect(days[0]).toEqual({ day: TODAY, due: 40, planned: 40, ahead: 0, lapses: 4 })
    expect(plannedOfDue(days[0] ?? { day: 0, due: 0, planned: 0, ahead: 0, lapses: 0 })).toBe(36)
    expect(days.slice(1).every(({ lapses }) => lapses === 0)).toBe(true)
    expect(reviewsToday(days, null)).toEqual({ count: 40, until: TODAY })
    expect(backlogOf(days, parts)).toEqual({ later: 4, days: 1 })
  })
  test('takes its time and its number off the room for the rest', () => {
    const room = { ms: 1_200_000, most: 40, count: 40 }
    expect(roomBeside(room, { count: 4, ms: 120_000 })).toEqual({ ms: 1_080_000, most: 36, count: 36 })
    expect(roomBeside({ ms: 10, most: 1, count: 1 }, { count: 4, ms: 120_000 })).toEqual({ ms: 0, most: 0, count: 0 })
  })
  test('has the share of the minutes and of the number that the student has set', () => {
    expect(lapseRoomOf({ lapseShare: 20, minutesADay: 20, mostADay: 40 })).toEqual({ ms: 240_000, most: 8 })
    expect(lapseRoomOf({ lapseShare: 10, minutesADay: 30, mostADay: Infinity })).toEqual({
      ms: 180_000,
      most: Infinity,
    })
  })
})

describe('the plan’s settings', () => {
  test('count before the student has chosen any', () => {
    expect(planSettings(new Map())).toEqual({
      dayGoal: 20,
      minutesADay: 20,
      mostADay: 40,
      examDay: null,
      lapseShare: 0,
      dailyDone: 0,
    })
  })
  test('are read as they were set; an exam date that was taken away is none', () => {
    const settings = new Map([
      ['dayGoal', { value: 50 }],
      ['minutesADay', { value: 30 }],
      ['examDate', { value: '2026-11-21' }],
      ['lapseShare', { value: 20 }],
      ['dailyDone', { value: 20_700 }],
    ])
    expect(planSettings(settings)).toEqual({
      dayGoal: 50,
      minutesADay: 30,
      mostADay: Infinity,
      examDay: 20_778,
      lapseShare: 20,
      dailyDone: 20_700,
    })
    expect(planSettings(new Map([['examDate', { value: '' }]])).examDay).toBeNull()
  })
})

test('minutes are questions at the student’s own pace, within reason', () => {
  const at = (answered: number, spentMs: number, mostADay = Infinity) =>
    reviewsADay({ minutesADay: 20, mostADay }, { done: 0, mastered: 0, answered, right: 0, spentMs })
  expect(at(0, 0)).toBe(40)
  expect(at(1_000, 60_000_000)).toBe(20)
  expect(at(1_000, 1)).toBe(120)
  // Until the student says how long, speed alone builds no wall.
  expect(at(1_000, 1, 40)).toBe(40)
  expect(at(1_000, 900_000_000)).toBe(6)
})

describe('the pace of a student', () => {
  const pace = (answered: number, eachMs: number) => paceOf({ answered, spentMs: answered * eachMs }) / 1_000
  test('is 30 seconds before their first answer, and hardly another one after it', () => {
    expect(pace(0, 0)).toBe(30)
    expect(pace(1, 1_000)).toBeCloseTo(28.6, 1)
    expect(pace(1, 60_000)).toBeCloseTo(31.4, 1)
  })
  test('comes near what they need, the more they answer', () => {
    expect([5, 20, 60, 200].map((answered) => Math.round(pace(answered, 10_000)))).toEqual([26, 20, 15, 12])
    expect(pace(2_000, 10_000)).toBeCloseTo(10, 0)
    expect(pace(2_000, 90_000)).toBeCloseTo(89, 0)
  })
  test('stays between ten seconds and three minutes', () => {
    expect(pace(5_000, 100)).toBe(10)
    expect(pace(5_000, 600_000)).toBe(180)
  })
})

describe('the room of today', () => {
  const usual = { done: 100, mastered: 0, answered: 100, right: 0, spentMs: 3_000_000 }
  const room = (dealt: Partial<Dealt>, mostADay = Infinity) =>
    roomOf({ minutesADay: 20, mostADay }, usual, { ...NOTHING_DEALT, ...dealt })
  test('is the day’s minutes at the usual pace before anything is chosen', () => {
    expect(room({})).toEqual({ ms: 1_200_000, most: Infinity, count: 40 })
  })
  test('is what was chosen and is not done, be it more or fewer than the usual pace had promised', () => {
    expect(room({ count: 60, ms: 1_190_000 })).toEqual({ ms: 1_200_000, most: Infinity, count: 60 })
    expect(room({ count: 60, done: 45, ms: 1_190_000 }).count).toBe(15)
    expect(room({ count: 8, done: 8, ms: 1_190_000 })).toMatchObject({ ms: 10_000, count: 0 })
  })
  test('has more beside what was chosen for a part of the book only', () => {
    expect(room({ count: 10, done: 4, ms: 300_000 })).toEqual({ ms: 1_080_000, most: Infinity, count: 36 })
    expect(room({ count: 30, done: 4, ms: 300_000 }, 40)).toMatchObject({ most: 36, count: 36 })
  })
  test('is never less than nothing, though more was done than the day holds', () => {
    expect(room({ count: 90, done: 90, ms: 2_400_000 }, 40)).toEqual({ ms: 0, most: 0, count: 0 })
  })
})
