import { DEVICE_KEYS } from '#src/device/keys.ts'
import { onDisk } from '#tests/support/drafts.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEngine } from '#src/offline/engine.ts'
import { createDatabase, done, StorageError } from '#src/offline/device/idb.ts'
import { LOG_DB } from '#src/offline/device/names.ts'
import { openMedia } from '#src/offline/downloads/lessons/media.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { onGivenUp, withSpace } from '#src/offline/device/storage.ts'
import { hearWorker, isTorn, letWorkerWrite, mended, onTear } from '#src/offline/device/tornLog.ts'
import { forbidWorkerWrites, mayWorkerWrite } from '#src/offline/device/workerWrites.ts'
import { memoryCaches } from '#tests/support/cacheStorage.ts'

/** As Chromium says that a disk is full. */
const FULL = new DOMException('Connection is closing because of: IO error: x.log: FILE_ERROR_NO_SPACE', 'UnknownError')
const UNOPENED = new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError')

let kept: Map<string, string>
let memory: ReturnType<typeof memoryCaches>
beforeEach(() => {
  indexedDB = new IDBFactory()
  kept = new Map([['a', 'a']])
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  vi.stubGlobal('location', new URL('https://lijian.test'))
  memory = memoryCaches()
  vi.stubGlobal('caches', memory)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** A disk on which no cache finds room, until one of these is deleted. */
function full(frees: string): void {
  let isFull = true
  vi.stubGlobal('caches', {
    ...memory,
    open: async (name: string) => {
      const cache = await memory.open(name)
      const put = async () => {
        if (isFull) throw new DOMException('Entry was not found.', 'NotFoundError')
      }
      return { ...cache, put }
    },
    delete: async (name: string) => {
      if (name === frees) isFull = false
      return memory.delete(name)
    },
  })
}
/** What is put into the database that mends, in characters. */
function watched(): () => number {
  let all = 0
  const real = Reflect.get(IDBObjectStore.prototype, 'put')
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function put(this: IDBObjectStore, ...given: unknown[]) {
    if (this.transaction.db.name === LOG_DB) all += String(given[0]).length
    return Reflect.apply(real, this, given)
  })
  return () => all
}
const fail = (error: DOMException): never => {
  throw error
}
async function meet(error: DOMException): Promise<void> {
  const db = createDatabase('x', 1, (made) => void made.createObjectStore('s'))
  await expect(db.run(['s'], 'readwrite', async () => fail(error))).rejects.toThrow('存储')
  db.close()
}
const MB = 1024 ** 2

test.each([
  ['was full while something was written', FULL],
  ['had no room for what opening writes', UNOPENED],
])('a disk that %s is remembered over a start, and told', async (_, error) => {
  const told = vi.fn<() => void>()
  const stop = onTear(told)
  await meet(new DOMException('', 'QuotaExceededError'))
  expect(isTorn()).toBe(false)
  await meet(error)
  stop()
  expect(told).toHaveBeenCalled()
  expect(kept.get(DEVICE_KEYS.torn)).toBe('1')
})

test.each([
  ['SQLite', new DOMException('database or disk is full', 'UnknownError')],
  ['a new database in WebKit', new DOMException('Unable to open database file on disk', 'UnknownError')],
  ['Cache Storage in Firefox', new DOMException('', 'NS_ERROR_FILE_NO_DEVICE_SPACE')],
])('a disk that is full by the word of %s has torn no log', async (_, error) => {
  await meet(error)
  expect(isTorn()).toBe(false)
})

test('after a full disk an answer is kept once two logs are written full, and the next one at once', async () => {
  const written = watched()
  await meet(FULL)
  expect(await withSpace('anon', async () => 'kept')).toBe('kept')
  // Chromium begins a new one after 4 MB.
  expect(written()).toBeGreaterThan(8 * MB)
  expect(isTorn()).toBe(false)
  const before = written()
  expect(await withSpace('anon', async () => 'kept')).toBe('kept')
  expect(written()).toBe(before)
  await expect.poll(async () => (await indexedDB.databases()).map(({ name }) => name)).toEqual(['x'])
})

test('while there is no room to mend nothing is written to any database, and the answer is told as unsaved', async () => {
  // As on every page, the record is there: only then does a list of databases say that there are no lessons.
  await openRecord().run(['meta'], 'readonly', () => Promise.resolve())
  full('nothing')
  await meet(FULL)
  const put = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const opened = vi.spyOn(indexedDB, 'open')
  const write = vi.fn<() => Promise<string>>(async () => 'kept')
  await expect(withSpace('anon', write)).rejects.toMatchObject({ kind: 'quota' })
  // What can be fetched again as well.
  await expect(withSpace('anon', write, 1)).rejects.toEqual(expect.any(StorageError))
  expect(write).not.toHaveBeenCalled()
  expect(put).not.toHaveBeenCalled()
  expect(opened).not.toHaveBeenCalled()
  expect(isTorn()).toBe(true)
})

test('a draft is not deleted behind a tear, and nothing is given up for it', async () => {
  const engine = createEngine({
    db: openRecord(),
    owner: 'anon',
    loggedIn: () => false,
    scope: () => ({ sg_key: 'jg', area: '0', key: 'jg' }),
    send: () => Promise.reject(new Error('nobody')),
    now: () => 0,
    random: () => 0.5,
  })
  await engine.saveDraft({ key: onDisk('one'), value: 1 })
  await memory.open('doc-v1')
  full('doc-v1')
  await meet(FULL)
  await expect(engine.dropDraft(onDisk('one'))).rejects.toThrow('存储空间不足')
  expect(await engine.loadDraft(onDisk('one'))).toBe(1)
  expect(await memory.keys()).toEqual(['doc-v1'])
  await memory.delete('doc-v1')
  vi.stubGlobal('caches', memory)
  await engine.dropDraft(onDisk('one'))
  expect(await engine.loadDraft(onDisk('one'))).toBeUndefined()
  engine.close()
})

test('the worker may write from when a page let it until a full disk was met, and again when that is mended', async () => {
  expect(await mayWorkerWrite()).toBe(false)
  await letWorkerWrite()
  expect(await mayWorkerWrite()).toBe(true)
  await meet(FULL)
  await expect.poll(mayWorkerWrite).toBe(false)
  await letWorkerWrite()
  expect(await mayWorkerWrite()).toBe(false)
  await mended()
  await letWorkerWrite()
  expect(await mayWorkerWrite()).toBe(true)
})

test('a full disk that the worker met is one for the next page, once', async () => {
  await hearWorker()
  expect(isTorn()).toBe(false)
  await letWorkerWrite()
  await hearWorker()
  expect(isTorn()).toBe(false)
  await forbidWorkerWrites()
  await hearWorker()
  expect(isTorn()).toBe(true)
  await mended()
  await hearWorker()
  expect(isTorn()).toBe(false)
})

test('room is made for it from caches, which are no databases', async () => {
  await memory.open('doc-v1')
  full('doc-v1')
  await meet(FULL)
  const write = vi.fn<() => Promise<string>>(async () => 'kept')
  await expect(withSpace('anon', write, 1)).rejects.toThrow('存储空间不足')
  expect(await withSpace('anon', write)).toBe('kept')
  expect(await memory.keys()).toEqual([])
})

test.each(['that it is there', 'nothing of databases'])(
  'a lesson makes room for it last, when the browser tells %s',
  async (tells) => {
    const media = openMedia()
    await media.run(['lessons', 'parts'], 'readwrite', async (tx) => {
      await done(tx.objectStore('lessons').put({ owner: 'anon', lesson: 'L1', title: '第1课' }))
      await done(
        tx
          .objectStore('parts')
          .put({ owner: 'anon', lesson: 'L1', rev: 'r', file: '1.mp3', n: 0, data: new ArrayBuffer(8) }),
      )
    })
    media.close()
    full('nothing')
    await meet(FULL)
    if (tells === 'nothing of databases')
      vi.spyOn(IDBFactory.prototype, 'databases').mockRejectedValue(new DOMException('', 'UnknownError'))
    const stop = onGivenUp(() => vi.stubGlobal('caches', memory))
    expect(await withSpace('anon', async () => 'kept')).toBe('kept')
    stop()
  },
)

test('two that ask at once mend once', async () => {
  const written = watched()
  await meet(FULL)
  await Promise.all([mended(), mended()])
  expect(written()).toBeLessThan(12 * MB)
  const db = createDatabase('x', 1, () => {})
  expect(await db.run(['s'], 'readonly', (tx) => done(tx.objectStore('s').count()))).toBe(0)
  db.close()
})
