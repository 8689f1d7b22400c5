import fc from 'fast-check'
import { expect, test } from 'vitest'
import { secondsOf, type Span, union, watchedShare } from '#src/domain/course/watched.ts'

const spans = fc.array(
  fc.tuple(fc.nat(200), fc.nat(60)).map(([from, length]): Span => [from, from + length]),
  { maxLength: 12 },
)
const secondsIn = (list: readonly Span[]): number[] =>
  [...new Set(list.flatMap(([from, to]) => Array.from({ length: to - from }, (_, i) => from + i)))].sort(
    (a, b) => a - b,
  )

test.each<[string, Span[], Span[]]>([
  [
    'apart',
    [
      [10, 20],
      [0, 5],
    ],
    [
      [0, 5],
      [10, 20],
    ],
  ],
  [
    'one within the other',
    [
      [0, 30],
      [10, 20],
    ],
    [[0, 30]],
  ],
  [
    'overlapping',
    [
      [0, 12],
      [10, 20],
    ],
    [[0, 20]],
  ],
  [
    'meeting',
    [
      [0, 10],
      [10, 20],
    ],
    [[0, 20]],
  ],
  ['empty', [[7, 7]], []],
])('spans that are %s', (_, given, joined) => expect(union(given)).toEqual(joined))

test('a union holds every second of its parts and no other, in any order, and never again', () => {
  fc.assert(
    fc.property(spans, spans, spans, (a, b, c) => {
      const all = union(a, b, c)
      expect(secondsIn(all)).toEqual(secondsIn([...a, ...b, ...c]))
      expect(union(union(c, a), b)).toEqual(all)
      expect(union(all, b)).toEqual(all)
      expect(secondsOf(all)).toBe(secondsIn(all).length)
    }),
  )
})

test('spans given are left as they were', () => {
  const given: Span[] = [
    [0, 5],
    [3, 9],
  ]
  union(given)
  expect(given).toEqual([
    [0, 5],
    [3, 9],
  ])
})

test.each<[string, Span[], number, number]>([
  ['half of it', [[0, 50]], 100, 0.5],
  ['all but the last moments', [[0, 96]], 100, 1],
  [
    'more than there is: the lesson has become shorter',
    [
      [0, 40],
      [80, 130],
    ],
    100,
    0.6,
  ],
  ['nothing', [], 100, 0],
  ['a lesson without a length', [[0, 5]], 0, 0],
])('share of %s', (_, given, seconds, share) => expect(watchedShare(given, seconds)).toBeCloseTo(share))
