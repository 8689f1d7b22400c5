import 'fake-indexeddb/auto'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test, vi } from 'vitest'
import type { Measured, OpRecord } from '#src/contract/study.ts'
import { byTime } from '#src/domain/study/moment.ts'
import { createDatabase, type Database } from '#src/offline/device/idb.ts'
import type * as Steady from '#src/offline/device/steadyClock.ts'
import { momentsOf, type Neighbour } from '#server/study/moments.ts'
import { seeded } from '#tests/support/seeded.ts'

const NOON = Date.UTC(2026, 10, 21, 4)
const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 86_400_000
const YEARS = 10 * 365 * DAY

let databases = 0
/** A device whose clock can be set, with the server's in true time; `now` is the truth. */
function makeDevice() {
  const db: Database = createDatabase(`steady-${++databases}`, 1, (idb) => void idb.createObjectStore('meta'))
  let now = NOON
  let ahead = 0
  let opened = now
  let asleep = 0
  let steady: Promise<typeof Steady> | null = null
  let waiting: { op: OpRecord; true: number; since: number }[] = []
  let heard = 0
  let seq = 0
  const stored: (Neighbour & { true: number })[] = []
  const reading = () => ({ wall: now + ahead, steady: now - opened - asleep })
  // Each page has modules of its own.
  const page = () => (steady ??= import('#src/offline/device/steadyClock.ts'))
  const run = <T>(work: (tx: IDBTransaction, on: Awaited<ReturnType<typeof page>>) => Promise<T>) =>
    page().then((on) => db.run(['meta'], 'readwrite', (tx) => work(tx, on)))
  return {
    stored,
    now: () => now,
    close: () => db.close(),
    pass: (ms: number) => void (now += ms),
    sleep: (ms: number) => {
      now += ms
      asleep += ms
    },
    set: (ms: number) => void (ahead = ms),
    shift: (ms: number) => void (ahead += ms),
    reopen: () => {
      vi.resetModules()
      steady = null
      opened = now
      asleep = 0
    },
    act: async () => {
      const { measured } = await run((tx, on) => on.tick(tx, reading(), 0))
      const { wall } = reading()
      const op = {
        opId: uuidv7({ msecs: wall }),
        seq: ++seq,
        stream: 'q:1',
        kind: 'answer',
        v: 2,
        payload: {},
        ctx: { sg_key: '', area: '', key: '' },
        clientAt: wall,
        measured,
      }
      waiting.push({ op, true: now, since: heard })
    },
    /** @param latency until the server has the call. Checks what must always hold. */
    sync: async (latency: number, few = waiting.length) => {
      const sent = waiting.slice(0, few)
      waiting = waiting.slice(few)
      const { wall } = reading()
      const measured: Measured = await run(async (tx, on) => on.measuredAt(await on.readClock(tx), reading()))
      now += latency
      const ops = sent.map(({ op }) => op)
      const moments = momentsOf(ops, { sentAt: wall, measured, now }, stored.slice(-1))
      for (const each of sent) {
        const at = moments.get(each.op.opId) ?? 0
        expect(at, 'not after its arrival').toBeLessThanOrEqual(now)
        expect(at, 'not before the server was heard last').toBeGreaterThanOrEqual(each.since)
        stored.push({ opId: each.op.opId, own: each.op.measured?.own ?? null, at, true: each.true })
      }
      expect(stored.toSorted(byTime), 'in the order in which they were done').toEqual(stored)
      await run((tx, on) => on.hear(tx, now, reading()))
      heard = now
    },
  }
}

test('a clock that jumps at every step, pages that end and devices that sleep never turn the order round', async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const { below, one } = seeded(seed)
    const device = makeDevice()
    try {
      for (let step = 0; step < 60; step++) {
        device.pass(SECOND + below(10 * MINUTE))
        const what = below(10)
        if (what < 4) await device.act()
        else if (what < 6) device.shift(one([-YEARS, -DAY, -MINUTE, MINUTE, DAY, YEARS]))
        else if (what === 6) device.reopen()
        else if (what === 7) device.sleep(below(DAY))
        else await device.sync(below(SECOND), one([1, 2, 1_000]))
      }
      await device.sync(SECOND)
    } finally {
      device.close()
    }
  }
})

describe('while its page stays open, an act has its true time, to the latency of a call, whatever is done to the clock', () => {
  test.each([
    ['a day ahead, put right before sending', DAY, 0],
    ['ten years behind, put right before sending', -YEARS, 0],
    ['right, then a day behind', 0, -DAY],
    ['right, then ten years ahead', 0, YEARS],
    ['always wrong by a year', 365 * DAY, 365 * DAY],
  ])('%s', async (_, first, then) => {
    const device = makeDevice()
    device.set(first)
    await device.sync(200)
    device.pass(2 * DAY)
    await device.act()
    device.pass(5 * MINUTE)
    await device.act()
    device.set(then)
    device.pass(MINUTE)
    await device.act()
    device.pass(MINUTE)
    await device.sync(200)
    device.close()
    for (const { at, true: truly } of device.stored) expect(Math.abs(at - truly)).toBeLessThanOrEqual(400)
  })
})

test('a device that never heard the server, ten years behind and put right: the answer is of today, not of another era', async () => {
  const device = makeDevice()
  device.set(-YEARS)
  await device.act()
  device.pass(5 * MINUTE)
  device.set(0)
  device.pass(MINUTE)
  await device.act()
  await device.sync(200)
  device.close()
  for (const { at, true: truly } of device.stored) expect(Math.abs(at - truly)).toBeLessThanOrEqual(400)
})

test('a battery that died takes the clock with it: after the restart, what is done is later than what was done before', async () => {
  const device = makeDevice()
  await device.sync(200)
  device.pass(DAY)
  await device.act()
  device.set(-YEARS)
  device.pass(MINUTE)
  device.reopen()
  await device.act()
  device.pass(MINUTE)
  device.set(0)
  device.reopen()
  await device.act()
  await device.sync(200)
  device.close()
  const [first, second, third] = device.stored.map(({ at, true: truly }) => at - truly)
  // Nobody knows how long it was off, and none of it can be before the server was heard.
  expect(Math.abs(first ?? NaN)).toBeLessThanOrEqual(DAY + 400)
  expect(Math.abs(second ?? NaN)).toBeLessThanOrEqual(DAY + 400)
  expect(Math.abs(third ?? NaN)).toBeLessThanOrEqual(400)
})

test('what was done before something that has arrived already is not later than it, whatever the clock said', () => {
  const measured = (own: number): Measured => ({ own, sure: 0 })
  const op = (opId: string, own: number) => ({ opId, seq: 1, clientAt: 0, measured: measured(own) }) as OpRecord
  const sent = { sentAt: NOON, measured: measured(NOON), now: NOON }
  const arrived = { opId: 'c', own: NOON - MINUTE, at: NOON - DAY }
  const moments = momentsOf([op('a', NOON - 3 * MINUTE), op('b', NOON - 2 * MINUTE), op('d', NOON)], sent, [arrived])
  expect([...moments]).toEqual([
    ['a', NOON - DAY],
    ['b', NOON - DAY],
    ['d', NOON],
    ['c', NOON - DAY],
  ])
})

test('ops of apps before are dated as ever, by their age on the clock of their device', () => {
  const op = (opId: string, clientAt: number) => ({ opId, seq: 1, clientAt }) as OpRecord
  const sent = { sentAt: NOON - DAY, now: NOON }
  const moments = momentsOf([op('a', NOON - DAY - MINUTE), op('b', NOON), op('c', 0)], sent, [])
  expect([...moments]).toEqual([
    ['a', NOON - MINUTE],
    ['b', NOON],
    ['c', NOON - 400 * DAY],
  ])
})
