import { describe, expect, test } from 'vitest'
import { isQuiet, minuteOf, minutesLeft, reminderSettings, timeOf } from '#src/domain/study/reminder.ts'

const NIGHT = { from: '22:00', to: '07:00' }
const NOON = { from: '12:30', to: '14:00' }
const NEVER = { from: '00:00', to: '00:00' }

describe('quiet hours', () => {
  test.each([
    [NIGHT, '21:59', false],
    [NIGHT, '22:00', true],
    [NIGHT, '00:00', true],
    [NIGHT, '06:59', true],
    [NIGHT, '07:00', false],
    [NOON, '12:29', false],
    [NOON, '12:30', true],
    [NOON, '13:59', true],
    [NOON, '14:00', false],
    [NEVER, '00:00', false],
    [NEVER, '12:00', false],
  ])('%o at %s: %s', (quiet, time, expected) => {
    expect(isQuiet(quiet, minuteOf(time))).toBe(expected)
  })

  test.each([
    [NIGHT, '20:00', 120],
    [NIGHT, '07:00', 900],
    [NOON, '12:00', 30],
    [NOON, '20:00', 240],
    [NEVER, '23:59', 1],
  ])('%o or the end of the day leave, at %s, %i minutes', (quiet, time, left) => {
    expect(minutesLeft(quiet, minuteOf(time))).toBe(left)
  })
})

test('a time of the day and its minute are the same', () => {
  for (let minute = 0; minute < 1_440; minute++) expect(minuteOf(timeOf(minute))).toBe(minute)
})

test('who has decided nothing is reminded at eight in the evening, and not at night', () => {
  expect(reminderSettings(new Map())).toEqual({ at: '20:00', quiet: { from: '22:00', to: '07:00' } })
  const decided = new Map([
    ['reminderAt', { value: '06:30' }],
    ['reminderQuiet', { value: '23:00-06:00' }],
  ])
  expect(reminderSettings(decided)).toEqual({ at: '06:30', quiet: { from: '23:00', to: '06:00' } })
})
