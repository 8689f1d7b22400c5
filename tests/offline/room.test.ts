import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDatabase, done, StorageError } from '#src/offline/device/idb.ts'
import { ROOM_DB } from '#src/offline/device/names.ts'
import { dropSlices, MARGIN_BYTES, missingRoom, restoreMargin } from '#src/offline/device/room.ts'

const MB = 1024 ** 2
beforeEach(() => (indexedDB = new IDBFactory()))
afterEach(() => vi.restoreAllMocks())

/** A device that takes so many megabytes, and then says what a browser says. */
function takes(slices: number, error: DOMException): void {
  let left = slices
  const real = Reflect.get(IDBObjectStore.prototype, 'add')
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function put(this: IDBObjectStore, value: unknown) {
    if (left-- <= 0) throw error
    return Reflect.apply(real, this, [value])
  })
}

test('what cannot be written is found by writing, whatever the browser says of a quota, and nothing of it stays', async () => {
  takes(3, new DOMException('', 'QuotaExceededError'))
  expect(await missingRoom(5 * MB)).toBe(2 * MB)
  expect(await missingRoom(0)).toBe(0)
  await expect.poll(async () => (await indexedDB.databases()).map(({ name }) => name)).toEqual([])
})

test('nothing is missing on a device that takes it all', async () => {
  expect(await missingRoom(3 * MB)).toBe(0)
})

test.each([
  ['a quota', new DOMException('', 'QuotaExceededError')],
  ['large values on a full disk (Chromium)', new DOMException('Failed to write blobs (IOError)', 'DataError')],
  [
    'small values on a full disk (Chromium)',
    new DOMException('Connection is closing because of: IO error: x.log: FILE_ERROR_NO_SPACE', 'UnknownError'),
  ],
  ['a full disk (SQLite)', new DOMException('database or disk is full', 'UnknownError')],
  ['a new database on a full disk (WebKit)', new DOMException('Unable to open database file on disk', 'UnknownError')],
  ['Cache Storage on a full disk (WebKit)', new TypeError('Failed writing data to the file system')],
  ['Cache Storage on a full disk (Firefox)', new DOMException('', 'NS_ERROR_FILE_NO_DEVICE_SPACE')],
])('a write that fails by %s is a full device, for which room is made', async (_, error) => {
  const db = createDatabase('x', 1, (made) => void made.createObjectStore('s'))
  const write = db.run(['s'], 'readwrite', () => Promise.reject(error))
  await expect(write).rejects.toEqual(expect.any(StorageError))
  await expect(write).rejects.toMatchObject({ kind: 'quota' })
  db.close()
})

test('a device that has no room even to begin a try takes nothing, whatever the browser says of it', async () => {
  vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
    throw new DOMException('Operation failed', 'UnknownError')
  })
  expect(await missingRoom(2 * MB)).toBe(2 * MB)
})

test('a try that ends in the middle for another reason tells of no missing room', async () => {
  takes(1, new DOMException('', 'DataError'))
  await expect(missingRoom(2 * MB)).rejects.toThrow('本地存储不可用')
})

describe('a write that is aborted without a reason once all of it was asked for', () => {
  /** Ends writes the way WebKit does on a full disk. @param times how many of the writes to come end so */
  function ended(times: number) {
    const db = createDatabase('x', 1, (made) => void made.createObjectStore('s'))
    let left = times
    const body = vi.fn<(tx: IDBTransaction) => Promise<IDBValidKey>>(async (tx) => {
      const key = await done(tx.objectStore('s').put('value', 1))
      if (left-- > 0) queueMicrotask(() => queueMicrotask(() => tx.abort()))
      return key
    })
    const open = () => db.run(['s'], 'readonly', (tx) => done(tx.objectStore('s').count()))
    return { body, open, write: () => db.run(['s'], 'readwrite', body).finally(db.close) }
  }

  test('is made once more', async () => {
    const { body, write } = ended(1)
    expect(await write()).toBe(1)
    expect(body).toHaveBeenCalledTimes(2)
  })

  test('is a full device when that ends so as well', async () => {
    const { body, write } = ended(5)
    await expect(write()).rejects.toMatchObject({ kind: 'quota' })
    expect(body).toHaveBeenCalledTimes(2)
  })

  test('is none when the first time the connection was lost', async () => {
    const { write, open } = ended(5)
    await open()
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
      throw new DOMException('the connection is closing', 'InvalidStateError')
    })
    await expect(write()).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

test('parts are freed until the margin can be written, or none is left', async () => {
  const missing = [9, 4, 0]
  const freed: number[] = []
  const free = async (bytes: number) => freed.push(bytes)
  await restoreMargin(async (bytes) => (bytes === MARGIN_BYTES ? (missing.shift() ?? 0) : -1), free)
  expect(freed).toEqual([9, 4])
  await restoreMargin(
    async () => 7,
    async () => 0,
  )
})

test('what a killed page has left of a try is given up for an answer', async () => {
  expect(await dropSlices()).toBe(false)
  const db = createDatabase(ROOM_DB, 1, (made) => void made.createObjectStore('slices'))
  await db.run(['slices'], 'readwrite', async (tx) => void tx.objectStore('slices').put('x', 1))
  // Firefox may not tell which databases there are.
  const told = vi.spyOn(IDBFactory.prototype, 'databases').mockRejectedValue(new DOMException('', 'UnknownError'))
  expect(await dropSlices()).toBe(true)
  told.mockRestore()
  expect(await indexedDB.databases()).toEqual([])
  db.close()
})
