import { expect, test } from 'vitest'
import { examState, mayApply, nextChange } from '#src/domain/exam.ts'

const window = { from: 1_000, to: 2_000 }

test('an exam is to come until its window begins, and over when it ends', () => {
  expect([0, 999, 1_000, 1_999, 2_000].map((now) => examState({ window }, now))).toEqual([
    'coming',
    'coming',
    'running',
    'running',
    'over',
  ])
  expect(examState({ window: null }, 5)).toBe('running')
})

test('one can apply once, until the window ends', () => {
  expect(mayApply({ window, applied: false }, 0)).toBe(true)
  expect(mayApply({ window, applied: false }, 1_999)).toBe(true)
  expect(mayApply({ window, applied: false }, 2_000)).toBe(false)
  expect(mayApply({ window: null, applied: false }, 9_999)).toBe(true)
  expect(mayApply({ window: null, applied: true }, 9_999)).toBe(false)
})

test('its state changes at the ends of its window, and then no more', () => {
  expect(nextChange({ window }, 0)).toBe(1_000)
  expect(nextChange({ window }, 1_000)).toBe(2_000)
  expect(nextChange({ window }, 2_000)).toBeNull()
  expect(nextChange({ window: null }, 0)).toBeNull()
})
