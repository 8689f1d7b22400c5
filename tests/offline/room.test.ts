import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDatabase, StorageError } from '#src/offline/idb.ts'
import { ROOM_DB } from '#src/offline/names.ts'
import { dropSlices, MARGIN_BYTES, missingRoom, restoreMargin } from '#src/offline/room.ts'

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
])('a write that fails by %s is a full device, for which room is made', async (_, error) => {
  const db = createDatabase('x', 1, (made) => void made.createObjectStore('s'))
  const write = db.run(['s'], 'readwrite', () => Promise.reject(error))
  await expect(write).rejects.toEqual(expect.any(StorageError))
  await expect(write).rejects.toMatchObject({ kind: 'quota' })
  db.close()
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
  expect(await dropSlices()).toBe(true)
  expect(await indexedDB.databases()).toEqual([])
  db.close()
})
