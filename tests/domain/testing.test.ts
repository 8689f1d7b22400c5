import { describe, expect, test } from 'vitest'
import type { Band } from '#src/contract/testing.ts'
import { bandOf, sharesOf } from '#src/domain/paper/testing.ts'

const band = (from: number): Band => ({ from, advice: `from ${from}`, start: [] })
const bands = [band(0), band(45), band(75)]

describe('what a share of the marks means', () => {
  test.each([
    [0, 0],
    [4_499, 0],
    [4_500, 45],
    [7_499, 45],
    [7_500, 75],
    [10_000, 75],
  ])('%i of 10000 is in the band from %i percent', (score, from) => {
    expect(bandOf(bands, { score, full: 10_000 })?.from).toBe(from)
  })

  test('a third is less than 34 percent and more than 33, without floats', () => {
    expect(bandOf([band(0), band(33), band(34)], { score: 100, full: 300 })?.from).toBe(33)
  })

  test('nothing to earn is in the first band, and without bands nothing is said', () => {
    expect(bandOf(bands, { score: 0, full: 0 })?.from).toBe(0)
    expect(bandOf([], { score: 5, full: 10 })).toBeNull()
  })
})

test('sections have the marks of their own questions, in the paper’s order; what was not given is nothing', () => {
  const sections = [
    { title: '数学', count: 2, full: 300 },
    { title: '物理', count: 1, full: 200 },
  ]
  expect(sharesOf(sections, [150, null, 200])).toEqual([
    { title: '数学', score: 150, full: 300 },
    { title: '物理', score: 200, full: 200 },
  ])
})
