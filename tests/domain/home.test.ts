import { describe, expect, test } from 'vitest'
import { isShown } from '#src/domain/app/banner.ts'
import { dayOf, dayOfDate } from '#src/domain/time/day.ts'
import { countdown } from '#src/domain/time/examDay.ts'

const day = (date: string) => dayOfDate(date)
const entry = (date: string, name: string) => ({ day: day(date), name })
const beijing = (time: string) => Date.parse(`${time}+08:00`)

describe('the days to the exam', () => {
  const calendar = [entry('2027-06-20', '统考'), entry('2027-03-06', '预考')]
  const today = day('2026-11-22')
  test.each([
    ['the student’s own date comes before the calendar', day('2026-12-01'), calendar, { days: 9, name: '' }],
    ['without one it is the nearest of the calendar', null, calendar, { days: 104, name: '预考' }],
    ['an own date that is over gives way to the calendar', day('2026-11-21'), calendar, { days: 104, name: '预考' }],
    ['on the day itself none is left', today, calendar, { days: 0, name: '' }],
    ['an exam of the calendar that is today', null, [entry('2026-11-22', '初选')], { days: 0, name: '初选' }],
    [
      'one that goes on since',
      null,
      [{ ...entry('2026-11-21', '初选'), last: today }, ...calendar],
      { days: -1, name: '初选' },
    ],
    ['one that went on until yesterday', null, [{ ...entry('2026-11-20', '初选'), last: today - 1 }], null],
    ['what is over counts no more', null, [entry('2026-11-21', '初选')], null],
    ['nobody has set anything', null, [], null],
  ])('%s', (_, own, entries, expected) => {
    const found = countdown(own, entries, today)
    expect(found && { days: found.days, name: found.name }).toEqual(expected)
  })
  test.each([
    ['a second before midnight in Beijing', '2026-11-30T23:59:59', 1],
    ['at midnight there', '2026-12-01T00:00:00', 0],
    ['a second before the day ends', '2026-12-01T23:59:59', 0],
    ['when it is over', '2026-12-02T00:00:00', null],
  ])('%s', (_, now, days) => {
    expect(countdown(day('2026-12-01'), [], dayOf(beijing(now)))?.days ?? null).toBe(days)
  })
})

describe('a banner', () => {
  const from = beijing('2026-11-22T08:00')
  const until = beijing('2026-11-30T00:00')
  test.each([
    ['is not shown before its time', { from, until }, from - 1, false],
    ['is shown from its first moment on', { from, until }, from, true],
    ['is shown until its last', { from, until }, until - 1, true],
    ['is not shown at its end', { from, until }, until, false],
    ['without dates is always shown', { from: null, until: null }, 0, true],
    ['without an end stays', { from, until: null }, until * 2, true],
    ['without a beginning ends all the same', { from: null, until }, until, false],
  ])('%s', (_, window, now, shown) => {
    expect(isShown(window, now)).toBe(shown)
  })
})
