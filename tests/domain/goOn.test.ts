import { describe, expect, test } from 'vitest'
import { begunCourses, goesOnAt, goOnText, lastWatched } from '#src/domain/course/goOn.ts'

/** How many seconds of a lesson were watched, and when. */
type Seen = Record<string, [seconds: number, at: number]>
const watchedOf = (seen: Seen) =>
  new Map(
    Object.entries(seen).map(([no, [seconds, at]]) => [
      no,
      {
        at,
        opId: `op-${no}`,
        courseNo: no.slice(0, 1),
        watched: seconds > 0 ? [[0, seconds] as [number, number]] : [],
      },
    ]),
  )
const lessons = ['A1', 'A2', 'A3'].map((no) => ({ no, title: `第${no}课`, seconds: 60 }))

describe('a course goes on', () => {
  test.each<[string, Seen, string | null]>([
    ['at its first lesson while nothing was watched', {}, 'A1'],
    ['at the lesson that was watched last', { A1: [60, 1], A2: [20, 2] }, 'A2'],
    ['at an earlier one, when that was watched last', { A1: [20, 3], A2: [20, 2] }, 'A1'],
    ['not at one that was only opened since', { A2: [20, 1], A3: [9, 2] }, 'A2'],
    ['at one that was watched long enough since', { A2: [20, 1], A3: [10, 2] }, 'A3'],
    ['not at one that was moved through and not watched', { A2: [20, 1], A3: [0, 2] }, 'A2'],
    ['at its first lesson while others were only opened', { A3: [5, 1] }, 'A1'],
    ['after the last one, when that is finished', { A1: [60, 1] }, 'A2'],
    ['after those behind it that are finished, too', { A1: [60, 3], A2: [60, 2] }, 'A3'],
    ['at what was left out, when the end is reached', { A1: [60, 1], A3: [60, 2] }, 'A2'],
    ['nowhere, when all of it was watched', { A1: [60, 1], A2: [60, 2], A3: [58, 3] }, null],
    ['untouched by what is watched of another course', { A1: [20, 1], B1: [40, 2] }, 'A1'],
  ])('%s', (_, seen, expected) => {
    expect(goesOnAt(lessons, watchedOf(seen))?.no ?? null).toBe(expected)
  })
})

test('the lesson that was watched last is that of any course, where none is asked for', () => {
  const watched = watchedOf({ A1: [20, 1], B1: [40, 2], C1: [3, 3] })
  expect(lastWatched(watched)).toMatchObject({ no: 'B1', courseNo: 'B' })
  expect(lastWatched(watched, ['A1', 'C1'])?.no).toBe('A1')
  expect(lastWatched(watchedOf({ C1: [3, 3] }))).toBeNull()
})

test('courses that were begun come by when they were watched last; one only looked into does not', () => {
  const watched = watchedOf({ A1: [60, 1], B1: [30, 3], A2: [20, 4], C1: [5, 9] })
  expect(begunCourses(watched)).toEqual(['A', 'B'])
})

describe('what a device remembers', () => {
  const last = { opId: 'op-A1' }
  const sold = { no: 'P', type: 'package' as const, lessons }
  test('is where it goes on, by the lesson’s name', () => {
    expect(goOnText(last, sold, watchedOf({ A1: [60, 1] }))).toBe('op-A1\n/course/course_video/P/A2/package\n第A2课')
  })
  test('leads nowhere when the course is finished', () => {
    expect(goOnText(last, sold, watchedOf({ A1: [60, 1], A2: [60, 1], A3: [60, 1] }))).toBe('op-A1')
  })
})

test('courses that were begun are listed from the one watched last, at most four', () => {
  const seen = {
    A1: [20, 1],
    B1: [20, 5],
    C1: [20, 3],
    D1: [20, 2],
    E1: [20, 4],
    F1: [9, 9],
    B2: [10, 6],
  } satisfies Seen
  expect(begunCourses(watchedOf(seen))).toEqual(['B', 'E', 'C', 'D'])
})
