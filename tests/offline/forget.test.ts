import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import { forgetOwner } from '#src/offline/record/forget.ts'
import { done } from '#src/offline/device/idb.ts'
import { createLater } from '#src/offline/afterFirst.ts'
import { createRecord } from '#src/offline/record/record.ts'
import { ALL, openRecord } from '#src/offline/device/rows.ts'
import { createWrite } from '#src/offline/record/write/write.ts'
import { ALL_ACTS } from '#tests/support/acts.ts'

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  // Its names are its properties, as in a browser.
  const storage = new Proxy(
    { getItem: (key: string) => stored.get(key) ?? null, removeItem: (key: string) => stored.delete(key) },
    {
      ownKeys: () => [...stored.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  )
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true })
  return () => Reflect.deleteProperty(globalThis, 'localStorage')
})

/** All that a student does, some of it answered for and some refused. */
async function study(owner: string): Promise<void> {
  const db = openRecord()
  const written = { ctx: { sg_key: 'jg', area: '0', key: 'jg' }, at: 1_000, draft: { key: 'L_c1', value: { at: 1 } } }
  await createWrite(db).all(owner, ALL_ACTS, written)
  await createRecord(db).device()
  await db.run([...ALL], 'readwrite', async (tx) => {
    const [op] = await done(tx.objectStore('ops').getAll(IDBKeyRange.bound([owner], [owner, []])))
    tx.objectStore('dead').put({ ...op, opId: `dead ${owner}`, code: 'gone', msg: '', diedAt: 1 })
    tx.objectStore('receipts').put({ opId: `receipt ${owner}`, owner, at: 1 })
    tx.objectStore('meta').put(7, `cursor:${owner}`)
    tx.objectStore('meta').put(true, `refold:${owner}`)
  })
  db.close()
  for (const name of ['jk-last:', 'jk-lesson:', 'jk-visitor-left:']) stored.set(name + owner, 'L_c1/20/第1章')
}

/** Every store with what of it names the owner. */
async function left(owner: string): Promise<Record<string, number>> {
  const db = openRecord()
  const rows = await db.run([...ALL], 'readonly', (tx) =>
    Promise.all(
      ALL.map(async (name) => {
        const store = tx.objectStore(name)
        const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())])
        return keys.filter((key, i) => JSON.stringify([key, values[i]]).includes(`${owner}"`)).length
      }),
    ),
  )
  db.close()
  return Object.fromEntries(ALL.map((name, i) => [name, rows[i] ?? 0]))
}

test('of a student whose account is closed nothing stays in any store; another student’s record is as it was', async () => {
  await study('u:goes')
  await study('u:stays')
  const before = await left('u:stays')
  for (const name of ALL) expect([name, (await left('u:goes'))[name]]).not.toEqual([name, 0])
  await forgetOwner('u:goes')
  expect(await left('u:goes')).toEqual(Object.fromEntries(ALL.map((name) => [name, 0])))
  expect(await left('u:stays')).toEqual(before)
  expect([...stored.keys()].toSorted()).toEqual(['jk-last:u:stays', 'jk-lesson:u:stays', 'jk-visitor-left:u:stays'])
  const db = openRecord()
  expect(await createLater(db).device()).not.toBeNull()
  db.close()
})
