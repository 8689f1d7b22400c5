import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { get, keys, set, setMany } from 'idb-keyval'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { OfflineError } from '#src/api/errors.ts'
import { createQueryClient } from '#src/offline/device/cache.ts'
import { cacheStore } from '#src/offline/device/cacheStore.ts'
import type { Send, SyncInput } from '#src/offline/sync/drain.ts'
import { createEngine, type Engine } from '#src/offline/engine.ts'
import { createDatabase, type Database, done, StorageError } from '#src/offline/device/idb.ts'
import { giveUpLesson } from '#src/offline/downloads/lessons/lessonLeave.ts'
import { openMedia } from '#src/offline/downloads/lessons/media.ts'
import { createRecord } from '#src/offline/record/record.ts'
import { createWrite } from '#src/offline/record/write/write.ts'
import { type AnswerFact, openRecord, type WaitingOp } from '#src/offline/device/rows.ts'
import { readRescue, RescueError, writeRescue } from '#src/offline/record/rescue.ts'
import { onGivenUp, withSpace } from '#src/offline/device/storage.ts'
import { memoryCaches } from '#tests/support/cacheStorage.ts'
import { placeIn } from '#tests/support/states.ts'
import { createModelServer } from '#tests/support/modelServer.ts'

const NOW = Date.UTC(2026, 10, 21, 4)
const QUESTIONS = [1, 2, 3].map((n) => ({ no: `L_q${n}`, ...placeIn(), rightId: 'B' }))

let people = 0
let uid: string
let server: ReturnType<typeof createModelServer>
let online: boolean
let sent: SyncInput[]
const open: Engine[] = []
beforeEach(() => {
  indexedDB = new IDBFactory()
  // Connections of caches are kept by owner, so each test has an owner of its own.
  uid = `p${++people}`
  server = createModelServer(QUESTIONS, 500)
  online = true
  sent = []
})
afterEach(() => {
  for (const engine of open.splice(0)) engine.close()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const send: Send = async (input) => {
  sent.push(input)
  const answer = online ? server.sync(uid, input, NOW) : null
  if (!answer) throw new OfflineError('offline')
  return answer
}
function startEngine(db: Database = openRecord()): Engine {
  const engine = createEngine({
    db,
    owner: `u:${uid}`,
    loggedIn: () => true,
    scope: () => ({ sg_key: 'jg', area: '0', key: 'jg' }),
    send,
    now: () => NOW,
    random: () => 0.5,
  })
  engine.start()
  open.push(engine)
  return engine
}
const fact = (n = 1): AnswerFact => ({
  questionNo: `L_q${n}`,
  right: true,
  response: { kind: 'choice', ids: ['B'] },
  spentMs: n,
  from: 'library',
  version: 1,
  place: placeIn(),
})
const synced = async (engine: Engine): Promise<void> => await expect.poll(() => engine.status().state).toBe('synced')

describe('a full device', () => {
  /** Writes of answers fail as long as the device is full. */
  function fullDevice() {
    const disk = { full: false }
    const real = openRecord()
    const run: Database['run'] = (stores, mode, body) =>
      disk.full && mode === 'readwrite' && stores.includes('ops')
        ? Promise.reject(new StorageError('quota'))
        : real.run(stores, mode, body)
    const memory = memoryCaches()
    const dropped: string[] = []
    const remove = async (name: string) => {
      const there = await memory.delete(name)
      if (there) dropped.push(name)
      if (there) disk.full = false
      return there
    }
    vi.stubGlobal('caches', { ...memory, delete: remove })
    return { disk, dropped, memory, db: { run, close: real.close } }
  }

  test('gives up what can be fetched again, the most dispensable first, and keeps the answer', async () => {
    online = false
    const { disk, dropped, memory, db } = fullDevice()
    const engine = startEngine(db)
    for (const name of [`api-v1:u:${uid}`, 'img-v1', 'workbox-precache-v2-x']) await memory.open(name)
    await keepLesson(`u:${uid}`, 'L1')
    const stop = onGivenUp((title) => {
      dropped.push(title)
      disk.full = false
    })
    for (const n of [1, 2, 3]) {
      disk.full = true
      await engine.recordAnswer(fact(n))
    }
    stop()
    expect(dropped).toEqual(['第1课', 'img-v1', `api-v1:u:${uid}`])
    // The note of how much waits is as small as an answer, and tells of a record that was cleared.
    expect(new Set(await memory.keys())).toEqual(new Set(['noted-v1', 'workbox-precache-v2-x']))
    expect(await engine.waiting()).toHaveLength(3)
  })

  /** A downloaded lesson of one part. */
  const keepLesson = async (owner: string, lesson: string) => {
    const media = openMedia()
    const key = { owner, lesson }
    await media.run(['lessons', 'parts'], 'readwrite', async (tx) => {
      await done(tx.objectStore('lessons').put({ ...key, title: `第${lesson.slice(1)}课` }))
      await done(tx.objectStore('parts').put({ ...key, rev: 'r', file: '1.mp3', n: 0, data: new ArrayBuffer(8) }))
    })
    media.close()
  }

  test('gives up one lesson after another until the answer fits, another student’s first and without a word', async () => {
    const told: string[] = []
    const stop = onGivenUp((title) => told.push(title))
    for (const lesson of ['L1', 'L2']) await keepLesson(`u:${uid}`, lesson)
    await keepLesson('u:another', 'L3')
    const media = openMedia()
    const parts = () => media.run(['parts'], 'readonly', (tx) => done(tx.objectStore('parts').count()))
    const write = async () => {
      if ((await parts()) > 0) throw new StorageError('quota')
      return 'kept'
    }
    expect(await withSpace(`u:${uid}`, write)).toBe('kept')
    stop()
    media.close()
    expect(told).toEqual(['第1课', '第2课'])
  })

  test('gives up no downloaded lesson for what can be fetched again', async () => {
    await keepLesson(`u:${uid}`, 'L1')
    const write = () => Promise.reject(new StorageError('quota'))
    await expect(withSpace(`u:${uid}`, write, 1)).rejects.toThrow('存储空间不足')
    expect((await giveUpLesson(`u:${uid}`))?.lesson).toBe('L1')
  })

  /** Kept queries 1 to 4, the first used longest ago; tells which of them are still there. */
  const keepQueries = async () => {
    const store = cacheStore(`u:${uid}`)
    const rows = [1, 2, 3, 4].flatMap((n): [string, unknown][] => [
      [`q-${n}`, 'data'],
      [`i-${n}`, { bytes: 4, usedAt: n }],
    ])
    await setMany(rows, store)
    return async () => (await keys<string>(store)).filter((key) => key.startsWith('q-')).map((key) => key.slice(2))
  }

  test('then gives up the kept queries that were not used for longest, and no newer ones', async () => {
    const kept = await keepQueries()
    const write = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(new StorageError('quota'))
      .mockResolvedValue('kept')
    expect(await withSpace(`u:${uid}`, write)).toBe('kept')
    expect(await kept()).toEqual(['3', '4'])
  })

  test('goes on giving up until the answer fits', async () => {
    const kept = await keepQueries()
    const write = async () => {
      if ((await kept()).length > 1) throw new StorageError('quota')
      return 'kept'
    }
    expect(await withSpace(`u:${uid}`, write)).toBe('kept')
    expect(await kept()).toEqual(['4'])
  })

  test('makes room once for what can be fetched again, and does not empty itself for it', async () => {
    const kept = await keepQueries()
    const setting = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('no space', 'QuotaExceededError')
    })
    const client = createQueryClient(`u:${uid}`)
    await client.fetchQuery({
      queryKey: ['x'],
      queryFn: () => Promise.resolve('big'),
      meta: { keep: 'device' as const },
    })
    await expect.poll(() => setting.mock.calls.length).toBeGreaterThan(1)
    expect(await kept()).toEqual(['3', '4'])
    client.clear()
  })

  /** A write that finds room once the cache of this student is gone whole. */
  const writeWithoutCache = async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name)
    if (names.includes(`jk-cache:u:${uid}`)) throw new StorageError('quota')
    return 'kept'
  }
  /** Firefox has no room to delete a row in, either. */
  const refuseDeletion = () =>
    vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(() => {
      throw new DOMException('', 'QuotaExceededError')
    })

  test('that lets no row be deleted gives up the whole cache for an answer, which is filled again later', async () => {
    await keepQueries()
    const deleting = refuseDeletion()
    expect(await withSpace(`u:${uid}`, writeWithoutCache)).toBe('kept')
    deleting.mockRestore()
    await set('q-5', 'data', cacheStore(`u:${uid}`))
    expect(await keys(cacheStore(`u:${uid}`))).toEqual(['q-5'])
  })

  test('that lets no row be deleted keeps its cache when only what can be fetched again has no room', async () => {
    const kept = await keepQueries()
    refuseDeletion()
    await expect(withSpace(`u:${uid}`, writeWithoutCache, 1)).rejects.toThrow('存储空间不足')
    expect(await kept()).toEqual(['1', '2', '3', '4'])
  })

  test('whose cache cannot even be read gives it up whole for an answer', async () => {
    await keepQueries()
    vi.spyOn(IDBObjectStore.prototype, 'getAllKeys').mockImplementation(() => {
      throw new DOMException('', 'DataError')
    })
    expect(await withSpace(`u:${uid}`, writeWithoutCache)).toBe('kept')
  })

  test('gives up questions that are kept one by one after all that was opened, with the whole cache', async () => {
    const kept = await keepQueries()
    await set('n-L_q1', 'question', cacheStore(`u:${uid}`))
    const left: string[][] = []
    const write = async () => {
      await writeWithoutCache().catch(async (error: unknown) => {
        left.push(await kept())
        throw error
      })
      return 'kept'
    }
    expect(await withSpace(`u:${uid}`, write)).toBe('kept')
    expect(left.map((each) => each.length)).toEqual([4, 2, 1, 0])
  })

  test('ends though something fills again whatever was given up', async () => {
    vi.stubGlobal('caches', { delete: () => Promise.resolve(true) })
    const write = vi.fn<() => Promise<string>>().mockRejectedValue(new StorageError('quota'))
    await expect(withSpace(`u:${uid}`, write)).rejects.toMatchObject({ kind: 'quota' })
  })

  test('with nothing left to give up says that the answer is not saved; answers that wait stay', async () => {
    online = false
    const { disk, db } = fullDevice()
    const engine = startEngine(db)
    await engine.recordAnswer(fact(1))
    disk.full = true
    await expect(engine.recordAnswer(fact(2))).rejects.toThrow('存储空间不足')
    expect((await engine.waiting()).map((op) => op.payload.questionNo)).toEqual(['L_q1'])
    expect((await engine.states(['L_q2'])).size).toBe(0)
    expect(engine.status().waiting).toBe(1)
    disk.full = false
    await engine.recordAnswer(fact(2))
    expect(await engine.waiting()).toHaveLength(2)
  })

  test('that cannot write down what the server answered says so, not that there is no network, and loses nothing', async () => {
    const disk = { full: false }
    const real = openRecord()
    const full: Database = {
      ...real,
      run: (stores, mode, body) =>
        disk.full && mode === 'readwrite' ? Promise.reject(new StorageError('quota')) : real.run(stores, mode, body),
    }
    online = false
    const engine = startEngine(full)
    await engine.recordAnswer(fact())
    await engine.syncNow()
    disk.full = true
    online = true
    await engine.syncNow()
    const lastError = '存储空间不足，请清理空间后重试'
    await expect.poll(() => engine.status()).toMatchObject({ state: 'unwritten', waiting: 1, lastError })
    const calls = sent.length
    // An answer to any other call says nothing of the device.
    engine.reached()
    expect(engine.status().state).toBe('unwritten')
    expect(sent).toHaveLength(calls)
    disk.full = false
    await engine.syncNow()
    await synced(engine)
    expect(server.recorded(uid)).toEqual([1])
  })

  test('at the start of a page says so, and what waits goes up by itself once there is room', async () => {
    online = false
    const before = startEngine()
    await before.recordAnswer(fact())
    before.close()
    online = true
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const disk = { full: true }
    const real = openRecord()
    const full: Database = {
      ...real,
      run: (stores, mode, body) =>
        disk.full && mode === 'readwrite' ? Promise.reject(new StorageError('quota')) : real.run(stores, mode, body),
    }
    const engine = startEngine(full)
    const lastError = '存储空间不足，请清理空间后重试'
    await expect.poll(() => engine.status()).toMatchObject({ state: 'unwritten', lastError })
    await vi.advanceTimersByTimeAsync(30_000)
    expect(engine.status().state).toBe('unwritten')
    disk.full = false
    await vi.advanceTimersByTimeAsync(30_000)
    await expect.poll(() => server.recorded(uid)).toEqual([1])
  })

  test('at the start of a page holds up no answer that is saved once there is room: that goes up at once', async () => {
    const disk = { full: true }
    const real = openRecord()
    const engine = startEngine({
      ...real,
      run: (stores, mode, body) =>
        disk.full && mode === 'readwrite' ? Promise.reject(new StorageError('quota')) : real.run(stores, mode, body),
    })
    await expect.poll(() => engine.status().state).toBe('unwritten')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    disk.full = false
    await engine.recordAnswer(fact())
    await expect.poll(() => server.recorded(uid)).toEqual([1])
  })

  test('is known by the browser’s own error, and nothing of the transaction is kept', async () => {
    const db = createDatabase(`full-${uid}`, 1, (opened) => void opened.createObjectStore('s'))
    const two = async (tx: IDBTransaction) => {
      await done(tx.objectStore('s').put('first', 1))
      vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
        throw new DOMException('no space', 'QuotaExceededError')
      })
      tx.objectStore('s').put('second', 2)
    }
    await expect(db.run(['s'], 'readwrite', two)).rejects.toMatchObject({ name: 'StorageError', kind: 'quota' })
    expect(await db.run(['s'], 'readonly', (tx) => done(tx.objectStore('s').getAllKeys()))).toEqual([])
  })
})

/** The browser answers every opening so, until the database is deleted. */
function refuseOpening(words: string) {
  const real = { open: IDBFactory.prototype.open, drop: IDBFactory.prototype.deleteDatabase }
  const deleted: string[] = []
  vi.spyOn(IDBFactory.prototype, 'deleteDatabase').mockImplementation(function (this: IDBFactory, name) {
    deleted.push(name)
    return real.drop.call(this, name)
  })
  vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(function (this: IDBFactory, name, version) {
    if (deleted.includes(name)) return real.open.call(this, name, version)
    const request = new IDBOpenDBRequest()
    Object.defineProperty(request, 'error', { value: new DOMException(words, 'UnknownError') })
    queueMicrotask(() => request.onerror?.(new Event('error')))
    return request
  })
  return deleted
}

describe('a database that WebKit cannot open', () => {
  const BROKEN = 'Unable to establish IDB database file'
  const read = (db: Database) => db.run(['s'], 'readonly', (tx) => done(tx.objectStore('s').count()))
  const make = (disposable: boolean) =>
    createDatabase(`broken-${uid}`, 1, (opened) => void opened.createObjectStore('s'), disposable)

  test('is deleted and made anew where all of it can be fetched again', async () => {
    const deleted = refuseOpening(BROKEN)
    expect(await read(make(true))).toBe(0)
    expect(deleted).toEqual([`broken-${uid}`])
  })

  test('is never deleted where a student’s work may lie in it', async () => {
    const deleted = refuseOpening(BROKEN)
    await expect(read(make(false))).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(openRecord().run(['ops'], 'readonly', () => Promise.resolve())).rejects.toThrow(StorageError)
    expect(deleted).toEqual([])
  })

  test('for want of room makes room once, though the browser does not tell that it was there', async () => {
    const deleted = refuseOpening('Unable to open database file on disk')
    const write = vi
      .fn<() => Promise<string>>()
      .mockImplementation(() =>
        deleted.includes(`jk-cache:u:${uid}`) ? Promise.resolve('kept') : Promise.reject(new StorageError('quota')),
      )
    expect(await withSpace(`u:${uid}`, write)).toBe('kept')
  })

  test('for want of room leaves each act one more try, since another one may have made it', async () => {
    refuseOpening('Unable to open database file on disk')
    for (const act of ['a draft', 'an answer']) {
      const write = vi
        .fn<() => Promise<string>>()
        .mockRejectedValueOnce(new StorageError('quota'))
        .mockResolvedValue(act)
      expect(await withSpace(`u:${uid}`, write)).toBe(act)
    }
    const full = vi.fn<() => Promise<string>>().mockRejectedValue(new StorageError('quota'))
    await expect(withSpace(`u:${uid}`, full)).rejects.toThrow(StorageError)
    expect(full).toHaveBeenCalledTimes(2)
  })

  test('because its storage has ended for this page says to load the page anew', async () => {
    refuseOpening('Connection to Indexed Database server lost. Refresh the page to try again')
    await expect(read(make(false))).rejects.toThrow('本地存储已断开，请刷新页面后重试')
  })
})

describe('a storage that does not answer', () => {
  const hang = () => vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => new IDBOpenDBRequest())

  test('lets an answer wait three seconds and then says that it is not saved', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    hang()
    const engine = startEngine()
    const said = engine.recordAnswer(fact()).catch(String)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await said).toContain('本地存储没有响应')
    // The engine looks for the storage itself once its second half has come.
    const lastError = async () => {
      await vi.advanceTimersByTimeAsync(3_000)
      return engine.status().lastError
    }
    await expect.poll(lastError).toBe('本地存储没有响应，请关闭其他标签页后重试')
  })

  test('holds no screen that the network can fill longer than a second and a half, and soon none at all', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    hang()
    const client = createQueryClient(`u:${uid}`)
    const read = (n: number): { data: string } => {
      const shown = { data: '' }
      const query = { queryKey: [n], queryFn: () => Promise.resolve('fresh'), meta: { keep: 'device' as const } }
      void client.fetchQuery(query).then((data) => (shown.data = data))
      return shown
    }
    for (const n of [1, 2, 3]) {
      const shown = read(n)
      await vi.advanceTimersByTimeAsync(1_500)
      expect(shown.data).toBe('fresh')
    }
    const shown = read(4)
    await vi.advanceTimersByTimeAsync(0)
    expect(shown.data).toBe('fresh')
    client.clear()
  })

  test('is tried again when there is reason to, and syncing then begins', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const hanging = hang()
    const engine = startEngine()
    await vi.advanceTimersByTimeAsync(3_000)
    hanging.mockRestore()
    vi.useRealTimers()
    await engine.syncNow()
    await engine.recordAnswer(fact())
    await engine.syncNow()
    await synced(engine)
    expect(server.recorded(uid)).toEqual([1])
  })

  test('that the browser has closed is opened again, and the write is made', async () => {
    const name = `closed-${uid}`
    const db = createDatabase(name, 1, (opened) => void opened.createObjectStore('s'))
    const put = (value: string) => db.run(['s'], 'readwrite', (tx) => done(tx.objectStore('s').put(value, 1)))
    await put('before')
    const lost = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
      throw new DOMException('the connection is closing', 'InvalidStateError')
    })
    await put('after')
    expect(lost).toHaveBeenCalledTimes(2)
    expect(await db.run(['s'], 'readonly', (tx) => done(tx.objectStore('s').get(1)))).toBe('after')
  })

  test('that its engine has closed is not opened again by work that comes late', async () => {
    const engine = startEngine()
    await engine.waiting()
    engine.close()
    indexedDB = new IDBFactory()
    await expect(engine.waiting()).rejects.toThrow(StorageError)
    expect(await indexedDB.databases()).toEqual([])
  })
  test('whose database another tab deletes starts anew', async () => {
    const name = `deleted-${uid}`
    const db = createDatabase(name, 1, (opened) => void opened.createObjectStore('s'))
    await db.run(['s'], 'readwrite', (tx) => done(tx.objectStore('s').put('gone', 1)))
    const request = indexedDB.deleteDatabase(name)
    await new Promise((resolve, reject) => {
      request.onsuccess = resolve
      request.onblocked = reject
    })
    expect(await db.run(['s'], 'readonly', (tx) => done(tx.objectStore('s').getAllKeys()))).toEqual([])
  })
})

describe('a damaged row', () => {
  const damage = (change: (op: WaitingOp) => object) =>
    openRecord().run(['ops'], 'readwrite', async (tx) => {
      const [first]: WaitingOp[] = await done(tx.objectStore('ops').getAll())
      if (first) tx.objectStore('ops').put(change(first))
    })

  test.each<[string, (op: WaitingOp) => object]>([
    ['no payload', ({ owner, seq, opId }) => ({ owner, seq, opId, acked: 0 })],
    ['no id', ({ owner, seq, payload }) => ({ owner, seq, payload, acked: 0 })],
    ['an id that is none', (op) => ({ ...op, opId: 'x' })],
    ['a clock that is none', (op) => ({ ...op, clientAt: Number.NaN })],
    ['no direction', (op) => ({ ...op, ctx: null })],
    ['no stream', (op) => ({ ...op, stream: '' })],
    ['a payload without a question', (op) => ({ ...op, payload: { spentMs: 5 } })],
  ])('among the waiting answers (%s) is set aside and told, and the others go up', async (_, change) => {
    online = false
    const first = startEngine()
    for (const n of [1, 2]) await first.recordAnswer(fact(n))
    await first.syncNow()
    first.close()
    await damage(change)
    online = true
    sent.length = 0
    const engine = startEngine()
    await engine.syncNow()
    await expect.poll(() => engine.status()).toMatchObject({ state: 'synced', waiting: 0, dead: 1 })
    expect(server.recorded(uid)).toEqual([2])
    expect(await engine.dead()).toMatchObject([{ code: 'damaged', msg: '这条记录已损坏，无法上传', seq: 1 }])
    expect(sent.flatMap(({ ops }) => ops.map((op) => op.seq))).toEqual([2])
  })

  test('that appears while the page is open blocks nothing either', async () => {
    online = false
    const engine = startEngine()
    for (const n of [1, 2]) await engine.recordAnswer(fact(n))
    await damage(({ owner, seq, opId }) => ({ owner, seq, opId, acked: 0 }))
    online = true
    await engine.syncNow()
    expect(server.recorded(uid)).toEqual([2])
  })

  test('of the cache is fetched again, and the good copy takes its place', async () => {
    const owner = `u:${uid}`
    const store = cacheStore(owner)
    const client = createQueryClient(owner)
    const query = { queryKey: ['chapter'], queryFn: () => Promise.resolve('fresh'), meta: { keep: 'device' as const } }
    for (const garbage of ['{"state":{"data":"ol', '"text"', 'null', '{}', '']) {
      client.clear()
      await set('q-["chapter"]', garbage, store)
      expect(await client.fetchQuery(query)).toBe('fresh')
      await expect.poll(() => get<string>('q-["chapter"]', store)).toContain('"data":"fresh"')
    }
    client.clear()
  })
})

test('a failed refetch leaves the good copy, also at the second start without a network', async () => {
  const owner = `u:${uid}`
  let network: () => Promise<string> = () => Promise.resolve('good')
  const query = { queryKey: ['chapter'], queryFn: () => network(), meta: { keep: 'device' as const } }
  const first = createQueryClient(owner)
  await first.fetchQuery(query)
  await expect.poll(() => get<string>('q-["chapter"]', cacheStore(owner))).toContain('good')
  network = () => Promise.reject(new OfflineError('offline'))
  await expect(first.fetchQuery({ ...query, staleTime: 0 })).rejects.toThrow('offline')
  first.clear()
  for (const start of [1, 2]) {
    const client = createQueryClient(owner)
    expect([start, await client.fetchQuery(query)]).toEqual([start, 'good'])
    await expect(client.fetchQuery({ ...query, staleTime: 0 })).rejects.toThrow('offline')
    client.clear()
  }
})

test('an answer that arrives after the logout does not fill the purged cache again', async () => {
  const leaving = `u:${uid}`
  const staying = `u:${uid}-stays`
  const { promise, resolve } = Promise.withResolvers<string>()
  const clients = [leaving, staying].map((owner) => createQueryClient(owner))
  const query = { queryKey: ['chapter'], queryFn: () => promise, meta: { keep: 'device' as const } }
  const reads = clients.map((client) => client.fetchQuery(query))
  const engine = startEngine()
  await engine.logout('keep')
  resolve('late')
  await Promise.all(reads)
  await expect.poll(() => get('q-["chapter"]', cacheStore(staying))).toContain('late')
  const names = (await indexedDB.databases()).map(({ name }) => name)
  expect(names).toContain(`jk-cache:${staying}`)
  expect(names).not.toContain(`jk-cache:${leaving}`)
  for (const client of clients) client.clear()
})

describe('a rescue file', () => {
  const facts = fc.array(
    fc.record({
      n: fc.integer({ min: 1, max: 3 }),
      text: fc.string({ unit: 'grapheme', maxLength: 40 }),
      at: fc.integer({ min: 0, max: NOW }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  const waitingOps = async (list: { n: number; text: string; at: number }[]): Promise<WaitingOp[]> => {
    indexedDB = new IDBFactory()
    const db = openRecord()
    for (const { n, text, at } of list) {
      const { place, right, ...payload } = fact(n)
      await createWrite(db).answer(
        `u:${uid}`,
        { kind: 'answer', payload: { ...payload, response: { kind: 'blank', texts: [text] } }, place, right },
        { ctx: { sg_key: 'jg', area: '0', key: 'jg' }, at },
      )
    }
    return createRecord(db).waiting(`u:${uid}`)
  }

  test('gives back exactly what was put into it', async () => {
    await fc.assert(
      fc.asyncProperty(facts, async (list) => {
        const ops = await waitingOps(list)
        const rescued = await readRescue(`u:${uid}`, await (await writeRescue(`u:${uid}`, ops)).text())
        // But not how its device measures time: another one's would say something else by the same figures.
        expect(rescued).toEqual(ops.map(({ measured: _measured, ...op }) => op))
      }),
      { numRuns: 50 },
    )
  })

  test('in which any one character was changed, or the end is missing, is refused', async () => {
    const ops = await waitingOps([{ n: 1, text: '军', at: NOW }])
    const file = await (await writeRescue(`u:${uid}`, ops)).text()
    await fc.assert(
      fc.asyncProperty(fc.nat(file.length - 1), fc.constantFrom('0', 'x', '"', ''), async (at, char) => {
        fc.pre(file[at] !== char)
        const changed = file.slice(0, at) + char + file.slice(at + 1)
        await expect(readRescue(`u:${uid}`, changed)).rejects.toBeInstanceOf(RescueError)
        await expect(readRescue(`u:${uid}`, file.slice(0, at))).rejects.toBeInstanceOf(RescueError)
      }),
      { numRuns: 200 },
    )
  })

  test('of another student is refused, and says so', async () => {
    const file = await (await writeRescue('u:other', await waitingOps([{ n: 1, text: '', at: NOW }]))).text()
    await expect(readRescue(`u:${uid}`, file)).rejects.toThrow('备份文件属于另一个账号')
  })

  test('taken in twice, and after everything was synced, adds nothing', async () => {
    online = false
    const engine = startEngine()
    await engine.recordAnswer(fact())
    const file = await (await engine.exportWaiting()).text()
    expect(await engine.importRescue(file)).toBe(0)
    online = true
    await engine.syncNow()
    await synced(engine)
    expect(await engine.importRescue(file)).toBe(0)
    expect(server.recorded(uid)).toEqual([1])
  })
})
