import { default_w as mostPeoples } from 'ts-fsrs'
import { describe, expect, test } from 'vitest'
import type { Memory } from '#src/contract/study.ts'
import { firmnessOf, fitIn, fitText, modelIn } from '#src/domain/study/memoryFit.ts'
import { dueDay, modelOf, recallAfter, remembered } from '#src/domain/study/review.ts'
import { blankState, fold } from '#src/domain/study/study.ts'
import { startOf } from '#src/domain/time/day.ts'
import { placeIn } from '#tests/support/states.ts'

const weights = [...mostPeoples]
/** These are of a student who forgets four times as fast after a first answer, and whose memories grow half as much with each right one. */
const quick = weights.map((weight, i) => (i < 4 ? weight / 4 : i === 8 ? weight - Math.log(2) : weight))
const fit = { weights: quick, reviews: 640, at: Date.UTC(2026, 10, 29) }

describe('the setting that holds a fit', () => {
  test('comes back as it was written', () => {
    expect(fitIn(fitText(fit))).toEqual(fit)
  })

  test.each([
    ['no setting', undefined],
    ['a fit that was taken back', ''],
    ['a number', 21],
    ['no JSON', '{"weights":'],
    ['too few parameters', JSON.stringify({ ...fit, weights: quick.slice(1) })],
    ['a parameter that is no number', JSON.stringify({ ...fit, weights: [...quick.slice(1), null] })],
  ])('%s counts as none: most people’s parameters are used', (_name, value) => {
    expect(fitIn(value)).toBeNull()
    expect(modelIn(value)).toBeUndefined()
  })

  test('gives the model of the student who is asked for, one after another', () => {
    const other = { ...fit, weights }
    const stability = (value: string) => remembered(undefined, 0, true, modelIn(value)).stability
    const [first, second] = [fitText(fit), fitText(other)]
    expect([first, second, first].map(stability)).toEqual([first, second, first].map(stability))
    expect(stability(first)).toBeCloseTo(stability(second) / 4, 3)
  })
})

describe('a model of the student’s own', () => {
  const memory: Memory = { stability: 10, difficulty: 5 }

  test('with most people’s parameters says what is said without one', () => {
    const model = modelOf(weights)
    for (const right of [true, false])
      for (const days of [0, 1, 9, 200]) {
        expect(remembered(memory, days, right, model)).toEqual(remembered(memory, days, right))
        expect(recallAfter(days, memory, model)).toBe(recallAfter(days, memory))
      }
    expect(firmnessOf(model)).toBe(1)
  })

  test('has another curve of forgetting, and is due at the same chance', () => {
    const steep = modelOf(weights.map((weight, i) => (i === 20 ? 0.6 : weight)))
    expect(recallAfter(10, memory, steep)).toBeCloseTo(0.9, 6)
    expect(recallAfter(40, memory, steep)).toBeLessThan(recallAfter(40, memory) - 0.01)
  })

  test('folds answers into memories of its own, which are due earlier', () => {
    const at = (day: number) => startOf(20_000 + day)
    const answer = (day: number, right: boolean) => ({
      kind: 'answer' as const,
      opId: `op${day}`,
      at: at(day),
      questionNo: 'q',
      response: { kind: 'choice' as const, ids: ['A'] },
      spentMs: 9,
      from: 'library' as const,
      version: 1,
      right,
    })
    const facts = [answer(0, false), answer(1, true), answer(4, true)]
    const [common, own] = [undefined, modelOf(quick)].map((model) => fold('q', facts, placeIn(), model))
    expect(own?.memory?.stability).toBeLessThan((common?.memory?.stability ?? 0) * 0.8)
    expect(dueDay(own ?? blankState('q', placeIn()))).toBeLessThan(dueDay(common ?? blankState('q', placeIn())) ?? 0)
    expect({ ...own, memory: null }).toEqual({ ...common, memory: null })
  })

  test('is as firm as its memories last, beside most people’s', () => {
    expect(firmnessOf(modelOf(quick))).toBeLessThan(0.7)
    expect(
      firmnessOf(modelOf(weights.map((weight, i) => (i < 4 ? weight * 3 : i === 8 ? weight + Math.log(2) : weight)))),
    ).toBeGreaterThan(1.5)
  })
})
