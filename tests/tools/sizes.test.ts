import { describe, expect, test } from 'vitest'
import { type Arrival, ARRIVALS, BYTES, measureSizes } from '#tools/bench/sizes.ts'

// Times are never asserted (machines are noisy); bytes are the same everywhere. Fails without a build: npm run build.
const sizes = measureSizes()

describe.each(Object.keys(ARRIVALS) as Arrival[])('a first visit at the %s', (arrival) => {
  test.each(arrival === 'question' ? (['css'] as const) : (['js', 'css'] as const))(
    'loads no more %s than its budget',
    (kind) => {
      const over = sizes[kind][arrival] > BYTES[kind]
      // What is too much is listed with its bytes.
      expect(over ? sizes.files[arrival].filter(({ name }) => name.endsWith(`.${kind}`)) : []).toEqual([])
    },
  )
})

test('until the first question no more comes than its budget', () => {
  expect(sizes.wire).toBeLessThanOrEqual(BYTES.question)
})

test.each(['html', 'worker', 'precache'] as const)('%s is within its budget', (part) => {
  expect(sizes[part]).toBeLessThanOrEqual(BYTES[part])
})

test('nothing is precached twice', () => {
  expect(sizes.precached).toHaveLength(new Set(sizes.precached).size)
})

test('the reader of the build counts what is there: every arrival has scripts, styles and a part of its own', () => {
  for (const arrival of Object.keys(ARRIVALS) as Arrival[]) {
    expect(sizes.js[arrival]).toBeGreaterThan(50 * 1024)
    expect(sizes.css[arrival]).toBeGreaterThan(1024)
  }
  expect(sizes.js.question).not.toBe(sizes.js.list)
})
