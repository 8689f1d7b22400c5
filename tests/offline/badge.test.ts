import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBadge } from '#src/offline/record/badge.ts'
import { createLater } from '#src/offline/afterFirst.ts'
import { createWrite } from '#src/offline/record/write/write.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { answer, place } from '#tests/support/facts.ts'

const DAY = 86_400_000
const NOON = Date.UTC(2026, 10, 21, 4)
const shown: number[] = []
let cleared = 0
beforeEach(() => {
  shown.length = 0
  cleared = 0
  vi.stubGlobal('navigator', {
    setAppBadge: async (due: number) => void shown.push(due),
    clearAppBadge: async () => void cleared++,
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('the icon says how many reviews are for today, once for several changes, and nothing when the student leaves', async () => {
  const db = openRecord()
  const write = createWrite(db)
  for (const [questionNo, daysAgo] of [
    ['q1', 9],
    ['q2', 9],
    ['q3', 0],
  ] as const) {
    const { kind, right, opId: _, at: __, ...payload } = answer({ questionNo, right: false })
    const act = { kind, payload, place, right: right ?? false }
    await write.answer('u:1', act, { ctx: { sg_key: '', area: '0', key: '' }, at: NOON - daysAgo * DAY })
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const counted = vi.spyOn(IDBIndex.prototype, 'count')
  const badge = createBadge(() => createLater(db).plannedToday('u:1', NOON))
  for (const _ of [1, 2, 3]) badge.soon()
  vi.runAllTimers()
  vi.useRealTimers()
  await expect.poll(() => shown).toEqual([2])
  expect(counted).not.toHaveBeenCalled()
  counted.mockRestore()
  badge.clear()
  expect(cleared).toBe(1)
  db.close()
})

test('the icon of who was away for long says what the plan asks of today, not all that is due', async () => {
  const db = openRecord()
  const write = createWrite(db)
  const missed = (n: number, daysAgo: number, isRight = false) => {
    const { kind, right, opId: _, at: __, ...payload } = answer({ questionNo: `q${n}`, right: isRight })
    const act = { kind, payload, place, right: right ?? false }
    return write.answer('u:2', act, { ctx: { sg_key: '', area: '0', key: '' }, at: NOON - daysAgo * DAY })
  }
  for (let n = 1; n <= 120; n++) await missed(n, 60)
  const { plannedToday } = createLater(db)
  expect(await plannedToday('u:2', NOON)).toBe(40)
  const setting = { kind: 'setting', payload: { name: 'minutesADay', value: 10 } } as const
  await write.all('u:2', [setting], { ctx: { sg_key: '', area: '0', key: '' }, at: NOON })
  const tenMinutes = await plannedToday('u:2', NOON)
  expect(tenMinutes).toBeGreaterThan(0)
  expect(tenMinutes).not.toBe(40)
  db.close()
})

test('a browser that has no such thing, or refuses, is let be', async () => {
  vi.stubGlobal('navigator', {})
  const count = vi.fn<() => Promise<number>>().mockResolvedValue(3)
  createBadge(count).soon()
  createBadge(count).clear()
  expect(count).not.toHaveBeenCalled()
})
