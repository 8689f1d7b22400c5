import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { databaseNames, dropDatabase } from '#src/offline/device/databases.ts'
import { createDatabase, done } from '#src/offline/device/idb.ts'
import { hasLessons } from '#src/offline/index.ts'
import { MEDIA_DB, RECORD_DB } from '#src/offline/device/names.ts'

beforeEach(() => (indexedDB = new IDBFactory()))
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const make = (name: string) => createDatabase(name, 1, (made) => void made.createObjectStore('s'))
const put = (db: ReturnType<typeof make>) => db.run(['s'], 'readwrite', (tx) => done(tx.objectStore('s').put('x', 1)))

test('lessons may be there unless the browser tells that there are none', async () => {
  const record = make(RECORD_DB)
  await put(record)
  expect(await databaseNames()).toEqual([RECORD_DB])
  expect(await hasLessons()).toBe(false)
  const db = make(MEDIA_DB)
  await put(db)
  db.close()
  record.close()
  expect((await databaseNames())?.toSorted()).toEqual([MEDIA_DB, RECORD_DB])
  expect(await hasLessons()).toBe(true)
})

test.each<[string, () => unknown]>([
  [
    'fails since a disk was full, as Firefox does',
    () => vi.spyOn(IDBFactory.prototype, 'databases').mockRejectedValue(new DOMException('', 'UnknownError')),
  ],
  [
    'tells none, or a part without the record, as WebKit does on a full disk',
    () => vi.spyOn(IDBFactory.prototype, 'databases').mockResolvedValue([{ name: 'jk-packs', version: 1 }]),
  ],
  ['never tells', () => vi.stubGlobal('indexedDB', { open: () => {} })],
  ['has no databases', () => vi.stubGlobal('indexedDB', undefined)],
])('of a browser that %s nobody knows which databases there are, and lessons may be there', async (_, refuse) => {
  refuse()
  expect(await databaseNames()).toBeNull()
  expect(await hasLessons()).toBe(true)
})

test('a database that was deleted whole is told as gone, and what has it open begins anew', async () => {
  expect(await dropDatabase('x')).toBe(false)
  const db = make('x')
  await put(db)
  expect(await dropDatabase('x')).toBe(true)
  expect(await db.run(['s'], 'readonly', (tx) => done(tx.objectStore('s').count()))).toBe(0)
  db.close()
})

test('a database that another page holds open is not told as gone', async () => {
  const db = make('x')
  await put(db)
  db.close()
  const held = await done(indexedDB.open('x'))
  expect(await dropDatabase('x')).toBe(false)
  held.close()
})

test('a deletion that the browser does not answer is given up after three seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(IDBFactory.prototype, 'deleteDatabase').mockImplementation(() => new IDBOpenDBRequest())
  const dropped = dropDatabase('x')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await dropped).toBe(false)
})
