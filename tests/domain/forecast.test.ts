import { describe, expect, test } from 'vitest'
import type { StudyState } from '#src/contract/study.ts'
import { seeded } from '#src/domain/question/shuffle.ts'
import { bandsBy, type Forecast, forecast, type ForecastParts, paceADay, SAMPLE } from '#src/domain/study/forecast.ts'
import { remembered } from '#src/domain/study/review.ts'
import { blankState } from '#src/domain/study/study.ts'
import { startOf } from '#src/domain/time/day.ts'
import { placeIn } from '#tests/support/states.ts'

const TODAY = 20_000
const SECONDS = 30
const MINUTE = 60_000

/** Questions that were missed one to twenty days ago, each of which takes half a minute. */
const missed = (count: number, part: (i: number) => Partial<StudyState> = () => ({})): StudyState[] =>
  Array.from({ length: count }, (_, i) => {
    const at = startOf(TODAY - 1 - (i % 20))
    return {
      ...blankState(`q${String(i).padStart(4, '0')}`, placeIn()),
      times: 1,
      wrong: 1,
      spentMs: SECONDS * 1_000,
      lastAt: at,
      memory: remembered(undefined, 0, false),
      book: { rights: 0, since: at, from: 'set', out: false },
      ...part(i),
    }
  })
function made(states: readonly StudyState[], part: Partial<ForecastParts> = {}, seed = 'a'): Forecast {
  const practice = { answered: 100, spentMs: 100 * SECONDS * 1_000 }
  const parts = {
    today: TODAY,
    examDay: TODAY + 60,
    practice,
    dayMs: 20 * MINUTE,
    most: Infinity,
    lapseShare: 0,
    ...part,
  }
  const steps = forecast(states, parts, (run) => seeded(`${seed}${run}`))
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
const onExam = (said: Forecast) => said.days.at(-1) ?? { known: NaN, low: NaN, high: NaN, day: NaN }

describe('what will be known on exam day', () => {
  test('is a share within its band, from today to the exam', () => {
    const { days } = made(missed(200))
    expect([days[0]?.day, days.at(-1)?.day]).toEqual([TODAY, TODAY + 60])
    for (const { known, low, high } of days) {
      expect(low).toBeGreaterThan(0)
      expect([low <= known, known <= high, high <= 1]).toEqual([true, true, true])
    }
    expect(onExam({ days, unseen: 0, chances: new Map() }).known).toBeGreaterThan(days[0]?.known ?? 1)
  })

  test('grows with the minutes a day, and without any only fades', () => {
    const known = [0, 5, 20].map((minutes) => onExam(made(missed(300), { dayMs: minutes * MINUTE })).known)
    expect(known).toEqual([...known].sort((a, b) => a - b))
    expect((known[2] ?? 0) - (known[0] ?? 0)).toBeGreaterThan(0.3)
    const { days } = made(missed(50), { dayMs: 0 })
    expect(days.map((day) => day.known)).toEqual(days.map((day) => day.known).sort((a, b) => b - a))
  })

  test('counts what was never wrong as it comes back: nothing of it without a share, and more for a larger one', () => {
    const rights = missed(300, () => ({
      wrong: 0,
      lastRight: true,
      memory: remembered(undefined, 0, true),
      book: undefined,
    }))
    const known = (part: Partial<ForecastParts>) => onExam(made(rights, part)).known
    const [none, some, more] = [0, 10, 30].map((lapseShare) => known({ lapseShare }))
    // Without it the minutes make no difference, because none of them is due.
    expect(none).toBe(known({ dayMs: 0 }))
    expect(some).toBeGreaterThan((none ?? 1) + 0.02)
    expect(more).toBeGreaterThan(some ?? 1)
    // The number that a day may have is shared as its minutes are.
    expect(known({ lapseShare: 10, most: 20 })).toBeLessThan((some ?? 0) - 0.05)
  })

  test('asks no more questions a day than the student allows', () => {
    const few = onExam(made(missed(300), { most: 1 })).known
    expect(few).toBeLessThan(onExam(made(missed(300))).known)
  })

  test('says how many questions no day has room for', () => {
    const { unseen } = made(missed(1_000), { examDay: TODAY + 5, dayMs: 10 * MINUTE })
    // Five days of twenty reviews of half a minute.
    expect(unseen).toBeGreaterThan(850)
    expect(unseen).toBeLessThanOrEqual(950)
    expect(made(missed(50)).unseen).toBe(0)
  })

  test('leaves out what was never answered, and reviews nothing that the student took out by hand', () => {
    const unanswered = ['n1', 'n2'].map((no) => blankState(no, placeIn()))
    expect([...made([...missed(5), ...unanswered]).chances.keys()]).toEqual(missed(5).map((state) => state.questionNo))
    const out = made(missed(50, () => ({ book: { rights: 0, since: 0, from: 'set', out: true } })))
    expect(onExam(out).known).toBe(onExam(made(missed(50), { dayMs: 0 })).known)
  })

  test('is nearly the same for many questions, of which every so manieth is tried', () => {
    const many = made(missed(4 * SAMPLE), { dayMs: 40 * MINUTE })
    expect(many.chances.size).toBe(SAMPLE)
    const all = onExam(made(missed(SAMPLE), { dayMs: 10 * MINUTE })).known
    expect(Math.abs(onExam(many).known - all)).toBeLessThan(0.05)
  })

  test('is the same whenever it is made of the same', () => {
    expect(made(missed(120))).toEqual(made(missed(120)))
  })

  test('of nothing is nothing', () => {
    expect(onExam(made([])).known).toBe(0)
  })
})

test('a group’s share is that of its questions, and a question may be in several groups', () => {
  const chances = new Map([
    ['a', [0.2, 0.4]],
    ['b', [0.6, 0.8]],
  ])
  const found = bandsBy(chances, (no) => (no === 'a' ? ['all', 'weak'] : ['all']))
  expect(found.get('weak')).toEqual({ count: 1, known: expect.closeTo(0.3), low: 0.2, high: 0.4 })
  expect(found.get('all')).toEqual({ count: 2, known: expect.closeTo(0.5), low: 0.4, high: expect.closeTo(0.6) })
})

describe('the pace of late', () => {
  const day = (spentMs: number) => ({ answered: 1, right: 1, spentMs })
  test('counts days without an answer, and none before the first', () => {
    const days = new Map([
      [TODAY - 4, day(40 * MINUTE)],
      [TODAY, day(99 * MINUTE)],
    ])
    expect(paceADay(days, TODAY)).toBe(10 * MINUTE)
  })
  test('looks at two weeks', () => {
    expect(paceADay(new Map([[TODAY - 40, day(60 * MINUTE)]]), TODAY)).toBe(0)
    expect(paceADay(new Map(), TODAY)).toBe(0)
  })
})
