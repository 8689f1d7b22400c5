import fc from 'fast-check'
import { type Card, createEmptyCard, fsrs, Rating } from 'ts-fsrs'
import { expect, test } from 'vitest'
import type { Memory } from '#src/contract/study.ts'
import { dueDay, recallAfter, remembered } from '#src/domain/study/review.ts'

const DAY = 86_400_000
const scheduler = fsrs({ maximum_interval: 365, enable_fuzz: false, learning_steps: [], relearning_steps: [] })
const book = { rights: 0, since: 0, from: 'set' as const, out: false }
const daysOf = (memory: Memory): number => dueDay({ book, memory, lastAt: 0 }) ?? 0

test('a question is due on the very day that ts-fsrs gives, after any answers', () => {
  const step = fc.record({ share: fc.double({ min: 0, max: 3, noNaN: true }), right: fc.boolean() })
  let steps = 0
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (answers) => {
      let card: Card = createEmptyCard(new Date(0))
      let memory: Memory | undefined
      let day = 0
      for (const { share, right } of answers) {
        const days = memory ? Math.round(share * card.scheduled_days) : 0
        day += days
        card = scheduler.next(card, new Date(day * DAY), right ? Rating.Good : Rating.Again).card
        memory = remembered(memory, days, right)
        // Ours are at most a year, whatever a harder answer would have brought.
        expect(daysOf(memory)).toBe(Math.min(365, card.scheduled_days))
        steps++
        // The record rounds to four decimals: from there on both go the same way.
        card = { ...card, stability: memory.stability, difficulty: memory.difficulty }
      }
    }),
    { numRuns: 1_000 },
  )
  expect(steps).toBeGreaterThan(4_000)
})

test('what is remembered fades to nine in ten by the day it is due', () => {
  const memory = remembered(undefined, 0, false)
  const firm = remembered(remembered(memory, 1, true), 3, true)
  expect(recallAfter(0, firm)).toBe(1)
  expect(recallAfter(firm.stability, firm)).toBeCloseTo(0.9, 6)
  expect(recallAfter(30, firm)).toBeLessThan(recallAfter(29, firm))
})
