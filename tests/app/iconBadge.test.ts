import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBadge, followReviews } from '#src/app/iconBadge.ts'
import { offline } from '#src/offline/index.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { createWrite } from '#src/offline/record/write/write.ts'
import { session } from '#src/session/session.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { answer, place } from '#tests/support/facts.ts'

const DAY = 86_400_000
const shown: number[] = []
let cleared = 0
let stop = () => {}
beforeEach(() => {
  shown.length = 0
  cleared = 0
  prepareDevice()
  Object.assign(navigator, {
    setAppBadge: async (number: number) => void shown.push(number),
    clearAppBadge: async () => void cleared++,
  })
})
afterEach(() => {
  stop()
  Reflect.deleteProperty(navigator, 'setAppBadge')
  Reflect.deleteProperty(navigator, 'clearAppBadge')
  vi.useRealTimers()
})

test('the icon shows a number once for several changes, and nothing when the student leaves', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const count = vi.fn<() => Promise<number>>().mockResolvedValue(2)
  const badge = createBadge(count)
  for (const _ of [1, 2, 3]) badge.soon()
  vi.runAllTimers()
  vi.useRealTimers()
  await expect.poll(() => shown).toEqual([2])
  expect(count).toHaveBeenCalledTimes(1)
  badge.clear()
  expect(cleared).toBe(1)
})

/** Questions that were answered wrongly sixty days ago. */
async function missed(from: number, to: number): Promise<void> {
  const db = openRecord()
  const write = createWrite(db)
  for (let n = from; n <= to; n++) {
    const { kind, right, opId: _, at: __, ...payload } = answer({ questionNo: `q${n}`, right: false })
    const written = { ctx: session.scope(), at: Date.now() - 60 * DAY }
    await write.answer(offline.owner, { kind, payload, place, right: right ?? false }, written)
  }
  db.close()
}

test('the icon says how many reviews there are today, follows each answer, and never says all that is due', async () => {
  await missed(1, 3)
  stop = followReviews()
  await expect.poll(() => shown).toEqual([3])
  const { kind: _, right: __, opId: ___, at: ____, ...fact } = answer({ questionNo: 'q1', right: true })
  await offline.recordAnswer({ ...fact, right: true, place })
  await expect.poll(() => shown.at(-1)).toBe(2)
  stop()
  // Whoever was away for months has as much to do as a day holds.
  await missed(4, 120)
  stop = followReviews()
  await expect.poll(() => shown.at(-1)).toBe(40)
})

test('a browser that has no such thing is let be', () => {
  Reflect.deleteProperty(navigator, 'setAppBadge')
  const count = vi.fn<() => Promise<number>>().mockResolvedValue(3)
  createBadge(count).soon()
  createBadge(count).clear()
  expect(count).not.toHaveBeenCalled()
})
