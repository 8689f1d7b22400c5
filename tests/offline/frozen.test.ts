import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { letGoWhenFrozen } from '#src/offline/device/frozen.ts'
import { createDatabase, type Database, done } from '#src/offline/device/idb.ts'

/** A page that its browser stops, and the database as another page has it. */
let page: Database
let other: IDBDatabase
let stop: () => void
let events: EventTarget
const turn = (kind: 'pagehide' | 'pageshow', persisted = true) =>
  void events.dispatchEvent(Object.assign(new Event(kind), { persisted }))
const put = (value: string) => page.run(['rows'], 'readwrite', (tx) => done(tx.objectStore('rows').put(value, 'key')))
const rows = () => other.transaction('rows', 'readwrite').objectStore('rows')
const kept = (): Promise<unknown> => done<unknown>(rows().get('key'))
beforeEach(async () => {
  indexedDB = new IDBFactory()
  events = new EventTarget()
  vi.stubGlobal('window', events)
  stop = letGoWhenFrozen()
  page = createDatabase('frozen', 1, (db) => void db.createObjectStore('rows'))
  await put('before')
  other = await done(indexedDB.open('frozen'))
})
afterEach(() => {
  stop()
  page.close()
  other.close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A write of more than one step; `half` resolves in the middle of it. */
function writeInSteps(value: string) {
  let half = () => {}
  const reached = new Promise<void>((resolve) => (half = resolve))
  const body = vi.fn<(tx: IDBTransaction) => Promise<void>>(async (tx) => {
    const rows = tx.objectStore('rows')
    await done(rows.put('half', 'key'))
    half()
    // A page that is stopped hears of no request.
    for (let n = 0; n < 20; n++) await done(rows.get('key'))
    await done(rows.put(value, 'key'))
  })
  return { body, reached, written: page.run(['rows'], 'readwrite', body) }
}

test('what a stopped page was doing holds up no other, and is done when the page comes back', async () => {
  const { body, reached, written } = writeInSteps('whole')
  await reached
  turn('pagehide')
  expect(await kept()).toBe('before')
  expect(body).toHaveBeenCalledTimes(1)
  turn('pageshow')
  await written
  expect(body).toHaveBeenCalledTimes(2)
  expect(await kept()).toBe('whole')
})

test('a database that is being made when the page is stopped holds up no other page, and is made when the page comes back', async () => {
  let made = 0
  const making = createDatabase('made', 1, (db) => {
    db.createObjectStore('rows')
    if ((made += 1) === 1) turn('pagehide')
  })
  const written = making.run(['rows'], 'readwrite', (tx) => done(tx.objectStore('rows').put('late', 'key')))
  await expect.poll(() => made).toBe(1)
  await expect.poll(() => indexedDB.databases()).toEqual([{ name: 'frozen', version: 1 }])
  turn('pageshow')
  await written
  making.close()
  expect(made).toBe(2)
})

test('a database whose making the page has not heard of when it is stopped holds up no other page, either', async () => {
  // WebKit puts the transaction into the request, and tells of it later: the page is stopped in between.
  const dispatch = IDBOpenDBRequest.prototype.dispatchEvent
  const stopped = vi.spyOn(IDBOpenDBRequest.prototype, 'dispatchEvent').mockImplementationOnce(function (
    this: IDBOpenDBRequest,
    event,
  ) {
    turn('pagehide')
    return dispatch.call(this, event)
  })
  const upgrade = vi.fn<(db: IDBDatabase) => void>((db) => void db.createObjectStore('rows'))
  const making = createDatabase('made', 1, upgrade)
  const written = making.run(['rows'], 'readwrite', (tx) => done(tx.objectStore('rows').put('late', 'key')))
  await expect.poll(() => stopped).toHaveBeenCalled()
  await expect.poll(() => indexedDB.databases()).toEqual([{ name: 'frozen', version: 1 }])
  expect(upgrade).not.toHaveBeenCalled()
  turn('pageshow')
  await written
  expect(upgrade).toHaveBeenCalledTimes(1)
  making.close()
})

describe('a database that a stopped page holds and can no longer give up', () => {
  /** A making that is being committed, say: nothing that this page can do ends it. */
  function hold() {
    let held = true
    const request = indexedDB.open('held', 1)
    request.onupgradeneeded = () => {
      const rows = request.result.createObjectStore('rows')
      const wait = () => {
        if (held) rows.get('key').onsuccess = wait
        else request.transaction?.abort()
      }
      wait()
    }
    const calls = vi.fn<typeof fetch>(() => {
      held = false
      return Promise.resolve(new Response(null, { status: 204 }))
    })
    vi.stubGlobal('fetch', calls)
    return calls
  }
  const open = () => createDatabase('held', 1, (db) => void db.createObjectStore('rows'))
  const write = (database: Database) =>
    database.run(['rows'], 'readwrite', (tx) => done(tx.objectStore('rows').put('late', 'key')))
  const tooLate = async (database: Database) => {
    const told = write(database).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await told).toMatchObject({ kind: 'timeout' })
  }
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

  test('is had once the server has let that page go, which is asked for when it was not opened in time', async () => {
    const calls = hold()
    const database = open()
    await tooLate(database)
    expect(calls).toHaveBeenCalledExactlyOnceWith('/let_go', { cache: 'no-store' })
    await write(database)
    database.close()
  })

  test('is asked for again only where nobody has answered', async () => {
    hold()
    const calls = vi.fn<typeof fetch>().mockRejectedValueOnce(new TypeError()).mockResolvedValue(new Response())
    vi.stubGlobal('fetch', calls)
    const database = open()
    for (const times of [1, 2, 2]) {
      await tooLate(database)
      expect(calls).toHaveBeenCalledTimes(times)
    }
  })

  test('is no matter of Chromium, which lets such a page go by itself', async () => {
    vi.stubGlobal('navigator', { userAgentData: {} })
    const calls = hold()
    await tooLate(open())
    expect(calls).not.toHaveBeenCalled()
  })
})

test('what is begun while it is stopped waits until it comes back', async () => {
  turn('pagehide')
  const written = put('late')
  expect(await kept()).toBe('before')
  turn('pageshow')
  await written
  expect(await kept()).toBe('late')
})

test('a page that ends for good is left to itself', async () => {
  const { body, reached, written } = writeInSteps('whole')
  await reached
  turn('pagehide', false)
  await written
  expect(body).toHaveBeenCalledTimes(1)
  expect(await kept()).toBe('whole')
})

test('a write that a stopped page gave up at its very end, twice, is no full device', async () => {
  const body = vi.fn<(tx: IDBTransaction) => Promise<void>>(async (tx) => {
    await done(tx.objectStore('rows').put('late', 'key'))
    queueMicrotask(() =>
      queueMicrotask(() => {
        turn('pagehide')
        turn('pageshow')
      }),
    )
  })
  await expect(page.run(['rows'], 'readwrite', body)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(body).toHaveBeenCalledTimes(2)
})

test('the page of a visitor, and one that is left before its sync begins, let go as well', async () => {
  stop()
  Object.assign(events, { history: { state: null, replaceState: () => {} }, location: new URL('http://lijian.test/') })
  vi.resetModules()
  const { openRecord } = await import('#src/offline/device/rows.ts')
  await import('#src/offline/index.ts')
  const record = openRecord()
  const put = (tx: IDBTransaction, value: string) => done(tx.objectStore('meta').put(value, 'key'))
  await record.run(['meta'], 'readwrite', (tx) => put(tx, 'before'))
  const later = await done(indexedDB.open('jk-outbox'))
  let half = () => {}
  const reached = new Promise<void>((resolve) => (half = resolve))
  const written = record.run(['meta'], 'readwrite', async (tx) => {
    await put(tx, 'half')
    half()
    for (let n = 0; n < 20; n++) await done(tx.objectStore('meta').get('key'))
    await put(tx, 'whole')
  })
  await reached
  turn('pagehide')
  expect(await done<unknown>(later.transaction('meta').objectStore('meta').get('key'))).toBe('before')
  turn('pageshow')
  await written
  record.close()
  later.close()
})
