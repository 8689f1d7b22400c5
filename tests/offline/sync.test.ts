import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { OfflineError, ServerFaultError } from '#src/api/errors.ts'
import type { Response } from '#src/contract/response.ts'
import { wordsOf } from '#src/domain/app/failureWords.ts'
import type { Drained, Send, SyncInput } from '#src/offline/sync/drain.ts'
import { drain } from '#src/offline/sync/drain.ts'
import { type Database, done, StorageError } from '#src/offline/device/idb.ts'
import { createLater } from '#src/offline/afterFirst.ts'
import { createRecord } from '#src/offline/record/record.ts'
import { createWrite } from '#src/offline/record/write/write.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { createSync } from '#src/offline/sync/sync.ts'
import { placeIn } from '#tests/support/states.ts'
import { createModelServer } from '#tests/support/modelServer.ts'

/** When drains happen: Node's own Web Locks, the test's clock, and a server in memory. */
const OWNER = 'u:s1'
const QUESTIONS = Array.from({ length: 120 }, (_, i) => ({
  no: `L_q${i + 1}`,
  ...placeIn(),
  rightId: 'B',
}))

let db: Database
const wholeRecord = (on: Database) => ({ ...createLater(on), ...createRecord(on), ...createWrite(on) })
let record: ReturnType<typeof wholeRecord>
let server: ReturnType<typeof createModelServer>
let sent: { at: number; input: SyncInput }[]
let ended: Drained[]
let silences: { at: number; silent: boolean }[]
/** When tabs said that they are alive. */
let beats: number[]
let stops: (() => void)[]
let owners = 0
/** Locks outlive a test, so each has a student of its own. */
let owner = OWNER
beforeEach(() => {
  indexedDB = new IDBFactory()
  db = openRecord()
  record = wholeRecord(db)
  server = createModelServer(QUESTIONS, 500)
  sent = []
  ended = []
  silences = []
  beats = []
  stops = []
  owner = `u:s${++owners}`
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  vi.setSystemTime(Date.UTC(2026, 10, 21, 4))
})
afterEach(() => {
  for (const stop of stops) stop()
  vi.useRealTimers()
})

const serve: Send = async (input) => {
  const answer = server.sync(owner.slice(2), input, Date.now())
  if (!answer) throw new Error('wrong owner')
  return answer
}
const noted =
  (send: Send): Send =>
  (input) => {
    sent.push({ at: Date.now(), input })
    return send(input)
  }
function tab(send: Send, { random = 0.999_999, from = record } = {}) {
  const sync = createSync({
    record: from,
    owner,
    device: '018f0000-0000-7000-8000-000000000001',
    send: noted(send),
    now: Date.now,
    random: () => random,
    locks: navigator.locks,
    beat: () => void beats.push(Date.now()),
    onStart: () => {},
    onSilence: (silent) => void silences.push({ at: Date.now(), silent }),
    onSettled: () => {},
    onEnd: (drained) => void ended.push(drained),
  })
  stops.push(sync.stop)
  return sync
}
const answer = (n = 1, response: Response = { kind: 'choice', ids: ['B'] }) =>
  record.answer(
    owner,
    {
      kind: 'answer',
      payload: {
        questionNo: `L_q${n}`,
        response,
        spentMs: n,
        from: 'library',
        version: 1,
      },
      right: true,
      place: placeIn(),
    },
    { ctx: { sg_key: 'jg', area: '0', key: 'jg' }, at: Date.now() },
  )
/** Takes back an answer that no device has told the server of: it waits for it. */
const retract = (n: number) =>
  record.all(
    owner,
    [
      {
        kind: 'retract',
        payload: { questionNo: `L_q${n}`, target: '018f0000-0000-7000-8000-0000000000ff' },
        place: placeIn(),
        undone: { at: Date.now(), right: true, spentMs: 1 },
      },
    ],
    { ctx: { sg_key: 'jg', area: '0', key: 'jg' }, at: Date.now() },
  )
const until = (ready: () => boolean): Promise<void> =>
  vi.waitUntil(ready, { interval: 0, timeout: 15_000 }).then(() => {})
/** The next timer of the engine, and all that it sets off. */
async function nextTry(): Promise<void> {
  const before = ended.length
  while (ended.length === before) {
    vi.advanceTimersToNextTimer()
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  }
}
const gaps = (): number[] => sent.slice(1).map(({ at }, i) => Math.round((at - (sent[i]?.at ?? 0)) / 10) * 10)

test('an answer that the device cannot write down is asked for again later and later, and is told as that', async () => {
  await answer()
  const settle = () => Promise.reject(new StorageError('quota'))
  const sync = tab(serve, { from: { ...record, settle } })
  await sync.now()
  for (let n = 0; n < 4; n++) await nextTry()
  expect(gaps()).toEqual([1_000, 2_000, 4_000, 8_000])
  expect(ended.map((each) => each.to === 'later' && each.why)).toEqual(Array(5).fill('storage'))
  expect((await record.count(owner)).waiting).toBe(1)
})

describe('while nobody answers', () => {
  test.each([
    ['a server with a fault', new ServerFaultError(500)],
    ['a busy server', new ServerFaultError(429)],
    ['no network', new OfflineError('offline')],
  ])('(%s) tries are 1 s, 2 s, 4 s … and at most a minute apart, and nothing is lost', async (_, fault) => {
    await answer()
    const sync = tab(() => Promise.reject(fault))
    await sync.now()
    for (let i = 0; i < 8; i++) await nextTry()
    expect(gaps()).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((s) => s * 1000))
    expect((await record.count(owner)).waiting).toBe(1)
  })

  test('tries of many phones fall apart: a gap is shortened by up to half', async () => {
    const sync = tab(() => Promise.reject(new OfflineError('offline')), { random: 0 })
    await sync.now()
    for (let i = 0; i < 3; i++) await nextTry()
    expect(gaps()).toEqual([500, 1000, 2000])
  })

  test('the server’s own word on when to come back counts', async () => {
    const sync = tab(() => Promise.reject(new ServerFaultError(429, 7_000)))
    await sync.now()
    await nextTry()
    expect(gaps()).toEqual([7_000])
  })

  test('what the server cannot take yet is sent again when the server says, and everything else goes up at once', async () => {
    await retract(1)
    await answer(2)
    const sync = tab(serve)
    await sync.now()
    expect(server.recorded(owner.slice(2))).toEqual([2])
    await nextTry()
    expect(gaps()).toEqual([0, 5_000])
    expect(sent.map(({ input }) => input.ops.map(({ kind }) => kind))).toEqual([
      ['retract', 'answer'],
      ['retract'],
      ['retract'],
    ])
  })

  test('a sign that it may work now tries at once, and gaps begin anew', async () => {
    const sync = tab(() => Promise.reject(new OfflineError('offline')))
    await sync.now()
    for (let i = 0; i < 3; i++) await nextTry()
    await sync.now()
    await nextTry()
    expect(gaps()).toEqual([1000, 2000, 4000, 0, 1000])
  })

  test('a sign that comes during a try repeats it only where it fails', async () => {
    let online = false
    const sync = tab((input) => (online ? serve(input) : Promise.reject(new OfflineError('offline'))))
    const failing = sync.now()
    await sync.now()
    await failing
    await nextTry()
    expect(gaps()).toEqual([0])
    online = true
    await answer()
    const working = sync.now()
    await sync.now()
    await working
    vi.advanceTimersByTime(60_000)
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    expect(ended.map(({ to }) => to)).toEqual(['later', 'later', 'done'])
    expect(sent).toHaveLength(3)
  })

  test('it is told after 5 s of a call, and taken back when somebody answers; the timer goes with the call', async () => {
    await answer()
    const timers = vi.getTimerCount()
    const begun = Date.now()
    const { promise, resolve } = Promise.withResolvers<void>()
    const slow = tab(async (input) => promise.then(() => serve(input)))
    const syncing = slow.now()
    await until(() => sent.length === 1)
    vi.advanceTimersByTime(4_999)
    expect(silences).toEqual([])
    vi.advanceTimersByTime(1)
    expect(silences).toEqual([{ at: begun + 5_000, silent: true }])
    vi.advanceTimersByTime(10_000)
    expect(silences).toHaveLength(1)
    resolve()
    await syncing
    expect(silences.map(({ silent }) => silent)).toEqual([true, false])

    await answer()
    await tab(serve).now()
    expect(vi.getTimerCount()).toBe(timers)
    vi.advanceTimersByTime(60_000)
    expect(silences).toHaveLength(2)
  })

  test('more answers do not make it try sooner', async () => {
    const sync = tab(() => Promise.reject(new OfflineError('offline')))
    await sync.now()
    await nextTry()
    sync.wrote()
    await nextTry()
    expect(gaps()).toEqual([1000, 2000])
  })

  test('storage that fails in the middle is a failed try like any other', async () => {
    let broken = true
    const run: Database['run'] = (stores, mode, body) =>
      broken ? Promise.reject(new DOMException('lost', 'UnknownError')) : db.run(stores, mode, body)
    await answer()
    const sync = tab(serve, { from: wholeRecord({ run, close: () => {} }) })
    await sync.now()
    broken = false
    await nextTry()
    expect(ended.map(({ to }) => to)).toEqual(['later', 'done'])
  })
})

describe('several tabs', () => {
  test('one drains at a time, and the other looks again soon', async () => {
    await answer()
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = tab(async (input) => promise.then(() => serve(input)))
    const second = tab(serve)
    const draining = first.now()
    await until(() => sent.length === 1)
    await second.now()
    expect(sent).toHaveLength(1)
    resolve()
    await draining
    await nextTry()
    expect(ended.map(({ to }) => to)).toEqual(['done', 'done'])
    expect(server.recorded(owner.slice(2))).toEqual([1])
  })

  test('a tab that holds the lock and has been silent for ten seconds is robbed of it', async () => {
    await answer()
    const { promise: taken, resolve: take } = Promise.withResolvers<void>()
    const zombie = navigator.locks.request(`outbox:${owner}`, () => {
      take()
      return new Promise(() => {})
    })
    const robbed = zombie.catch(String)
    await taken
    const alive = tab(serve)
    await alive.now()
    expect(sent).toEqual([])
    vi.setSystemTime(Date.now() + 10_001)
    await alive.now()
    expect(ended).toEqual([{ to: 'done' }])
    expect(await robbed).toContain('aborted')
    expect(server.recorded(owner.slice(2))).toEqual([1])
  })

  test('a tab that says that it is alive keeps the lock', async () => {
    const { promise: taken, resolve: take } = Promise.withResolvers<void>()
    const { promise: end, resolve: finish } = Promise.withResolvers<void>()
    const holder = navigator.locks.request(`outbox:${owner}`, () => {
      take()
      return end
    })
    await taken
    const other = tab(serve)
    vi.setSystemTime(Date.now() + 9_000)
    other.heardBeat()
    vi.setSystemTime(Date.now() + 9_000)
    await other.now()
    expect(sent).toEqual([])
    finish()
    await holder
  })

  test('a tab says every two seconds that it is alive for as long as it sends, and no longer', async () => {
    await answer()
    const begun = Date.now()
    const { promise, resolve } = Promise.withResolvers<void>()
    const syncing = tab(async (input) => promise.then(() => serve(input))).now()
    await until(() => sent.length === 1)
    vi.advanceTimersByTime(9_000)
    resolve()
    await syncing
    vi.advanceTimersByTime(60_000)
    expect(beats.map((at) => at - begun)).toEqual([0, 2_000, 4_000, 6_000, 8_000])
  })

  test('a tab that stops while many calls are due takes in what has come and makes no other', async () => {
    for (let n = 1; n <= 110; n++) await answer(n)
    const sync = tab(async (input) => {
      sync.stop()
      return serve(input)
    })
    await sync.now()
    expect(sent).toHaveLength(1)
    expect(ended).toEqual([])
    expect(await record.count(owner)).toMatchObject({ waiting: 10 })
  })

  test('a tab that has stopped tries no more, not even when a try that was under way fails', async () => {
    await answer()
    const { promise, reject } = Promise.withResolvers<never>()
    const sync = tab(() => promise)
    const syncing = sync.now()
    await until(() => sent.length === 1)
    sync.stop()
    reject(new OfflineError('offline'))
    await syncing
    sync.wrote()
    await sync.now()
    vi.advanceTimersByTime(120_000)
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    expect(sent).toHaveLength(1)
    expect((await record.count(owner)).waiting).toBe(1)
  })

  test('a robbed tab that wakes up sends what the thief has sent, and each answer counts once', async () => {
    await answer()
    const { promise, resolve } = Promise.withResolvers<void>()
    const asleep = tab(async (input) => promise.then(() => serve(input)))
    const thief = tab(serve)
    const sleeping = asleep.now()
    await until(() => sent.length === 1)
    vi.setSystemTime(Date.now() + 10_001)
    await thief.now()
    await sleeping
    resolve()
    await until(() => ended.length === 3)
    expect(server.recorded(owner.slice(2))).toEqual([1])
    expect((await record.states(owner, ['L_q1'])).get('L_q1')).toMatchObject({ times: 1 })
  })
})

test('an answer that another tab has overtaken takes away nothing that waits, and brings nothing old back', async () => {
  const device = '018f0000-0000-7000-8000-000000000001'
  const drainBy = (send: Send) => drain({ record, owner, device, send, now: Date.now })
  /** As the worker does: the server has them, their effect is not here yet. */
  const deliver = async (): Promise<void> => {
    const ops = await record.batch(owner)
    const { verdicts } = await serve({ device, owner: owner.slice(2), proto: 1, sentAt: 0, cursor: 1e6, ops })
    const taken = verdicts.filter(({ verdict }) => verdict === 'applied').map(({ opId }) => opId)
    await record.delivered(owner, ops, new Set(taken))
  }
  for (const n of [1, 2]) await answer(n)
  await retract(2)
  const { promise, resolve } = Promise.withResolvers<void>()
  let asked = 0
  const slow = drainBy(async (input) => {
    if (asked++ > 0) throw new OfflineError('offline')
    const answered = await serve(input)
    await promise
    return answered
  })
  await until(() => asked === 1)
  // Another tab takes in all of it and more, and then the student goes on.
  await answer(1)
  expect(await drainBy(serve)).toMatchObject({ to: 'later' })
  await answer(3)
  await deliver()
  await answer(4)
  resolve()
  expect(await slow).toMatchObject({ to: 'later' })
  const waiting = await record.waiting(owner)
  expect(waiting.map(({ kind, payload: { questionNo }, acked }) => [kind, questionNo, acked])).toEqual([
    ['retract', 'L_q2', 0],
    ['answer', 'L_q3', 1],
    ['answer', 'L_q4', 0],
  ])
  const times = async () =>
    [...(await record.states(owner, ['L_q1', 'L_q2', 'L_q3', 'L_q4'])).values()].map((s) => s.times)
  expect(await times()).toEqual([2, 1, 1, 1])
  await drainBy(serve)
  expect((await record.waiting(owner)).map(({ kind }) => kind)).toEqual(['retract'])
  expect(await times()).toEqual([2, 1, 1, 1])
})

test('a batch that is too large for something on the way is halved until it fits', async () => {
  for (let n = 1; n <= 120; n++) await answer(n)
  const sizes: number[] = []
  const narrow: Send = (input) => {
    sizes.push(input.ops.length)
    return input.ops.length > 15 ? Promise.reject(new ServerFaultError(413)) : serve(input)
  }
  const device = '018f0000-0000-7000-8000-000000000001'
  expect(await drain({ record, owner, device, send: narrow, now: Date.now })).toEqual({ to: 'done' })
  expect(sizes.slice(0, 4)).toEqual([100, 50, 25, 13])
  expect(server.recorded(owner.slice(2))).toHaveLength(120)
})

test('long answers go up in calls of 60,000 bytes at most', async () => {
  const text = '文'.repeat(13_000)
  for (let n = 1; n <= 9; n++) await answer(n, { kind: 'essay', text, ticked: [] })
  const device = '018f0000-0000-7000-8000-000000000001'
  expect(await drain({ record, owner, device, send: noted(serve), now: Date.now })).toEqual({ to: 'done' })
  expect(sent.map(({ input }) => input.ops.length)).toEqual([4, 4, 1])
})

test('hundreds that wait for an update of the server hold up none behind them', async () => {
  for (let n = 1; n <= 110; n++) await answer(n)
  server.release.old = true
  const device = '018f0000-0000-7000-8000-000000000001'
  const drained = () => drain({ record, owner, device, send: serve, now: Date.now })
  expect(await drained()).toEqual({ to: 'done' })
  server.release.old = false
  await answer(111)
  expect(await drained()).toEqual({ to: 'done' })
  expect(server.recorded(owner.slice(2))).toEqual([111])
  // At the next start they are tried again.
  await record.tend(owner, Date.now())
  expect(await drained()).toEqual({ to: 'done' })
  expect(server.recorded(owner.slice(2))).toHaveLength(111)
})

test('something on the way that takes not even one answer of the usual size is waited for, and nothing is set aside', async () => {
  for (let n = 1; n <= 3; n++) await answer(n)
  const sizes: number[] = []
  const closed: Send = (input) => {
    sizes.push(input.ops.length)
    return Promise.reject(new ServerFaultError(413))
  }
  const device = '018f0000-0000-7000-8000-000000000001'
  expect(await drain({ record, owner, device, send: closed, now: Date.now })).toMatchObject({ to: 'later' })
  expect(sizes).toEqual([3, 2, 1])
  expect(await record.count(owner)).toEqual({ waiting: 3, dead: 0, seq: 3 })
})

test('a server that answers for none of the ops is not asked in a tight loop', async () => {
  await answer()
  let calls = 0
  const mute: Send = async (input) => {
    calls++
    return { ...(await serve({ ...input, ops: [] })), verdicts: [] }
  }
  const device = '018f0000-0000-7000-8000-000000000001'
  const message = '服务器暂时没有收到记录，稍后自动重试'
  const drained = await drain({ record, owner, device, send: mute, now: Date.now })
  expect(drained).toMatchObject({ to: 'later' })
  expect('error' in drained && wordsOf(drained.error)).toBe(message)
  expect(calls).toBe(1)
})

test('a call tells its moment as it goes out, though its reads were held up for ten minutes', async () => {
  await answer()
  const clock = async () => {
    const read = await record.clock()
    vi.setSystemTime(Date.now() + 600_000)
    return read
  }
  const device = '018f0000-0000-7000-8000-000000000001'
  await drain({ record: { ...record, clock }, owner, device, send: noted(serve), now: Date.now })
  const { sentAt = 0, measured, ops = [] } = sent[0]?.input ?? {}
  expect(sentAt - (ops[0]?.clientAt ?? 0)).toBeGreaterThanOrEqual(600_000)
  expect((measured?.own ?? 0) - (ops[0]?.measured?.own ?? 0)).toBeGreaterThanOrEqual(600_000)
})

describe('while one answer is taken in', () => {
  const device = '018f0000-0000-7000-8000-000000000001'
  const settles = (stores: readonly string[], mode: IDBTransactionMode) =>
    mode === 'readwrite' && stores.includes('receipts')

  test('the next call is on its way already', async () => {
    for (let n = 1; n <= 110; n++) await answer(n)
    const settling = { isHeld: true }
    // A transaction that is open holds up every other one over its stores.
    const hold = async (tx: IDBTransaction): Promise<void> => {
      while (settling.isHeld) await done(tx.objectStore('meta').get('device'))
    }
    const run: Database['run'] = (stores, mode, body) =>
      db.run(stores, mode, async (tx) => {
        if (settles(stores, mode)) await hold(tx)
        return body(tx)
      })
    const from = wholeRecord({ run, close: () => {} })
    const draining = drain({ record: from, owner, device, send: noted(serve), now: Date.now })
    await until(() => sent.length === 2).finally(() => (settling.isHeld = false))
    expect(await draining).toEqual({ to: 'done' })
    expect(sent.map(({ input }) => [input.cursor, input.ops.length])).toEqual([
      // A hundred states and their day.
      [0, 100],
      [101, 10],
    ])
    expect((await record.count(owner)).waiting).toBe(0)
  })

  test('and that fails, no later answer is taken in: nothing of the student’s record is skipped', async () => {
    for (let n = 1; n <= 110; n++) await answer(n)
    const run: Database['run'] = (stores, mode, body) =>
      settles(stores, mode) ? Promise.reject(new DOMException('lost', 'UnknownError')) : db.run(stores, mode, body)
    const from = wholeRecord({ run, close: () => {} })
    await expect(drain({ record: from, owner, device, send: noted(serve), now: Date.now })).rejects.toThrow('lost')
    expect(await record.cursor(owner)).toBe(0)
    expect(await drain({ record, owner, device, send: serve, now: Date.now })).toEqual({ to: 'done' })
    expect(server.recorded(owner.slice(2))).toHaveLength(110)
    expect((await record.counters(owner, ['L_c1'])).get('L_c1')).toMatchObject({
      sums: { done: 110, answered: 110 },
    })
  })

  test('and the browser throws everything away, the record begins anew from its beginning', async () => {
    for (let n = 1; n <= 110; n++) await answer(n)
    const evicting: Send = async (input) => {
      if (input.cursor > 0)
        await db.run(['ops', 'states', 'meta'], 'readwrite', async (tx) => {
          for (const store of ['ops', 'states', 'meta']) tx.objectStore(store).clear()
        })
      return serve(input)
    }
    await expect(drain({ record, owner, device, send: evicting, now: Date.now })).rejects.toThrow('本地存储不可用')
    expect(await record.cursor(owner)).toBe(0)
    await drain({ record, owner, device, send: serve, now: Date.now })
    expect((await record.states(owner, ['L_q1', 'L_q110'])).size).toBe(2)
  })
})
