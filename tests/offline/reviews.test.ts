import * as v from 'valibot'
import { expect, test } from 'vitest'
import { SETTINGS, type Thing, type ThingChange } from '#src/contract/study.ts'
import { dealtOn, keepDealt, readDealt } from '#src/offline/record/reviews.ts'
import { fold } from '#src/domain/study/study.ts'
import { placeIn } from '#tests/support/states.ts'
import type { DraftOf } from '#src/offline/drafts/kind.ts'
import type { Act } from '#src/offline/device/rows.ts'
import { opIdOf } from '#tests/support/waitingOps.ts'

/** The reviews that were dealt today: the plan counts them until the day ends. */
const TODAY = 20_416
/** Noon in Shanghai. */
const at = (day: number): number => day * 86_400_000 + 4 * 3_600_000

const thingsOf =
  (setting: () => string) =>
  <K extends ThingChange['kind']>(): Promise<Map<string, Thing<K>>> =>
    Promise.resolve(new Map([['reviewsDealt', { value: setting(), at: 0, opId: opIdOf(0) } as Thing<K>]]))

function recordWith(kept: unknown, answeredToday: readonly string[] = [], told = '') {
  let value = kept
  let setting = told
  const state = (no: string, i: number) => {
    const response = { kind: 'choice' as const, ids: ['A'] }
    const day = answeredToday.includes(no) ? TODAY : TODAY - 3
    const fact = { opId: opIdOf(i), at: at(day), kind: 'answer' as const, questionNo: no, response, right: true }
    return fold(no, [{ ...fact, spentMs: 1_000, from: 'error', version: 1 }], placeIn())
  }
  return {
    kept: () => value,
    told: () => setting,
    loadDraft: () => Promise.resolve(value),
    things: thingsOf(() => setting),
    addAll: async <V>(acts: readonly Act[], draft?: DraftOf<V>): Promise<string[]> => {
      for (const { payload } of acts) setting = String(Object(payload).value)
      value = draft?.value ?? value
      return []
    },
    states: (nos: readonly string[]) => Promise.resolve(new Map(nos.map((no, i) => [no, state(no, i)]))),
  }
}

const costs = (ms: Record<string, number>) => new Map(Object.entries(ms))

test('what is dealt twice on a day is one list, and the time of each counts once', async () => {
  const record = recordWith(null)
  await keepDealt(record, TODAY, costs({ q1: 30_000, q2: 20_000 }))
  await keepDealt(record, TODAY, costs({ q2: 20_000, q3: 40_000 }))
  expect(await dealtOn(record, TODAY)).toEqual({ nos: ['q1', 'q2', 'q3'], timed: 3, ms: 90_000 })
  await keepDealt(record, TODAY + 1, costs({ q4: 10_000 }))
  expect(await dealtOn(record, TODAY + 1)).toEqual({ nos: ['q4'], timed: 1, ms: 10_000 })
})

test('today has those that were dealt, how many are done, and how long all take', async () => {
  const record = recordWith({ day: TODAY, nos: ['q1', 'q2', 'q3'], ms: 90_000 }, ['q2'])
  expect((await readDealt(record, TODAY))(20_000)).toEqual({ count: 3, done: 1, ms: 90_000 })
  expect((await readDealt(record, TODAY + 1))(20_000)).toEqual({ count: 0, done: 0, ms: 0 })
})

test('a list of an earlier release, which names no time, takes as long as the student usually does', async () => {
  const record = recordWith({ day: TODAY, nos: ['q1', 'q2'] })
  expect((await readDealt(record, TODAY))(20_000)).toEqual({ count: 2, done: 0, ms: 40_000 })
  await keepDealt(record, TODAY, costs({ q3: 10_000 }))
  expect(record.kept()).toEqual({ day: TODAY, nos: ['q1', 'q2', 'q3'] })
})

test('another device of the student goes on with the day: what was dealt there counts, and what is done of it', async () => {
  const record = recordWith(null, ['q1', 'q2'], `${TODAY} q1 q2 q3 q4`)
  expect((await readDealt(record, TODAY))(20_000)).toEqual({ count: 4, done: 2, ms: 80_000 })
  await keepDealt(record, TODAY, costs({ q3: 30_000, q4: 30_000 }))
  expect((await readDealt(record, TODAY))(20_000)).toEqual({ count: 4, done: 2, ms: 100_000 })
  expect(record.told()).toBe(`${TODAY} q1 q2 q3 q4`)
})

test('what this device deals is told to the others once, and what another day held is left', async () => {
  const record = recordWith(null, [], `${TODAY - 1} q1`)
  expect((await readDealt(record, TODAY))(20_000).count).toBe(0)
  await keepDealt(record, TODAY, costs({ q2: 20_000 }))
  expect(record.told()).toBe(`${TODAY} q2`)
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`q${i}`, 1_000]))
  await keepDealt(record, TODAY, costs(many))
  expect(v.is(SETTINGS.reviewsDealt, record.told())).toBe(true)
  expect(await dealtOn(record, TODAY)).toMatchObject({ timed: 300 })
})
