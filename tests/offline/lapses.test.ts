import 'fake-indexeddb/auto'
import { set } from 'idb-keyval'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dayOf } from '#src/domain/time/day.ts'
import type { StudyState } from '#src/contract/study.ts'
import { fold } from '#src/domain/study/study.ts'
import { cacheStore } from '#src/offline/device/cacheStore.ts'
import { done } from '#src/offline/device/idb.ts'
import { openRecord, type StateRow } from '#src/offline/device/rows.ts'
import type { AnyDraftKey, DraftOf } from '#src/offline/drafts/kind.ts'
import { type Figures, readFigures } from '#src/offline/record/figures.ts'
import { createRecord } from '#src/offline/record/record.ts'
import { keepDealt } from '#src/offline/record/reviews.ts'
import { type Deltas, putSums } from '#src/offline/record/sums.ts'
import { putView } from '#src/offline/record/write/fold.ts'
import { answer } from '#tests/support/facts.ts'

/** 防遗忘 on a device: what was never wrong, within its share of the day, from records of any length. */
const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 21, 4)
const TODAY = dayOf(NOW)
const place = { chapterNo: 'c1', libraryNo: 'L', type: 'single' as const, points: [] }
let owner = ''
let devices = 0
let db = openRecord()
beforeEach(() => {
  owner = `u:s${devices++}`
  db = openRecord()
})
afterEach(() => {
  vi.restoreAllMocks()
  db.close()
})

const no = (n: number): string => `q${String(n).padStart(5, '0')}`
const view = (n: number, ago: number, right: boolean): StudyState =>
  fold(no(n), [answer({ questionNo: no(n), at: NOW - ago * DAY, right, spentMs: 30_000 })], place)

/** Writes states as the engine does. */
async function put(views: readonly StudyState[]): Promise<void> {
  await db.run(['states', 'sums'], 'readwrite', async (tx) => {
    const deltas: Deltas = new Map()
    for (const each of views) putView(tx, { owner, questionNo: each.questionNo, base: null, view: null }, each, deltas)
    await putSums(tx, owner, deltas)
  })
}
const setting = (name: string, value: number) =>
  db.run(['things'], 'readwrite', async (tx) => {
    const body = { at: NOW, opId: 'o', value }
    tx.objectStore('things').put({
      owner,
      kind: 'setting',
      id: name,
      base: null,
      view: { kind: 'setting', id: name, body },
    })
  })
const device = () => {
  const record = createRecord(db)
  return {
    owner,
    allCounters: () => record.allCounters(owner),
    things: <K extends Parameters<typeof record.things>[1]>(kind: K) => record.things(owner, kind),
    states: (nos: readonly string[]) => record.states(owner, nos),
    loadDraft: (key: AnyDraftKey) => record.loadDraft(owner, key),
    saveDraft: <V>(draft: DraftOf<V>) => record.saveDraft(owner, draft),
    addAll: async <V>(_: readonly unknown[], draft?: DraftOf<V>) => {
      if (draft) await record.saveDraft(owner, draft)
      return []
    },
  }
}
const figures = (days = 0): Promise<Figures> => readFigures(device(), NOW + days * DAY)
const chosen = async (days = 0): Promise<string[]> => [...(await figures(days)).lapses.keys()].toSorted()
/** Rows of states that are read while something is done, but for single ones. */
async function rowsRead(work: () => Promise<unknown>): Promise<number[]> {
  const read: number[] = []
  const { getAll } = IDBObjectStore.prototype
  vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(function count(this: IDBObjectStore, ...args) {
    const request = getAll.apply(this, args)
    if (this.name === 'states') request.addEventListener('success', () => read.push(request.result.length))
    return request
  })
  await work()
  vi.restoreAllMocks()
  return read
}

test('whoever has set no share reviews what is due, and no row of their record is read for more', async () => {
  await put([...Array(50).keys()].map((n) => view(n, 60, n % 5 !== 0)))
  const read = await rowsRead(async () => {
    const { plan, lapses, room } = await figures()
    expect(plan[0]).toMatchObject({ due: 10, planned: 10, lapses: 0 })
    expect([lapses.size, room.count]).toEqual([0, 40])
  })
  expect(read).toEqual([])
  expect(await device().loadDraft('lapses' as AnyDraftKey)).toBeUndefined()
})

test('what is said to be for today is what is due and the share beside it, until it is answered', async () => {
  await put([...Array(100).keys()].map((n) => view(n, 60, n % 2 === 0)))
  await setting('lapseShare', 10)
  const { plan, lapses, room, backlog } = await figures()
  // A tenth of 20 minutes, at half a minute each.
  expect([lapses.size, room.count, backlog.later]).toEqual([4, 36, 14])
  expect(plan[0]).toMatchObject({ planned: 40, lapses: 4 })
  expect([...lapses.keys()].every((each) => Number(each.slice(1)) % 2 === 0)).toBe(true)
  // A batch of a part of the book leaves them for the next one.
  await keepDealt(device(), TODAY, new Map([1, 3, 5].map((n) => [no(n), 30_000])))
  expect((await figures()).plan[0]).toMatchObject({ planned: 40, lapses: 4 })
  await keepDealt(device(), TODAY, new Map([...lapses, ...[1, 3, 5].map((n) => [no(n), 30_000] as const)]))
  expect((await figures()).plan[0]).toMatchObject({ planned: 40, lapses: 4 })
  const [first = '', second = ''] = lapses.keys()
  const again = (each: string, right: boolean) => {
    const facts = [60, 0].map((ago, i) =>
      answer({ opId: `${i}`, questionNo: each, at: NOW - ago * DAY, right: i === 0 || right }),
    )
    return fold(each, facts, place)
  }
  // One is right again, one is wrong: on this device or another, neither is asked once more.
  await put([again(first, true), again(second, false)])
  const after = await figures()
  expect([...after.lapses.keys()]).toEqual([...lapses.keys()].slice(2))
  expect(after.plan[0]).toMatchObject({ lapses: 2 })
  expect((after.plan[0]?.planned ?? 0) + 2).toBeLessThanOrEqual(40)
})

test('a day’s choice stays, also for another page, and another share of it makes another', async () => {
  await put([...Array(100).keys()].map((n) => view(n, 60, true)))
  await setting('lapseShare', 20)
  await setting('minutesADay', 20)
  const eight = await chosen()
  expect(eight).toHaveLength(8)
  expect(await rowsRead(() => figures())).toEqual([])
  expect(await chosen()).toEqual(eight)
  await keepDealt(device(), TODAY, new Map(eight.slice(0, 3).map((each) => [each, 30_000])))
  // Questions that were dealt take their part of whatever the share is now.
  await setting('lapseShare', 10)
  const four = await chosen()
  expect(four).toHaveLength(4)
  expect(four).toEqual(expect.arrayContaining(eight.slice(0, 3)))
  await setting('lapseShare', 0)
  expect(await chosen()).toEqual([])
})

test('a record that comes to a new device after its first look is looked at the same day, and answers of the day are no such thing', async () => {
  await setting('lapseShare', 10)
  expect(await chosen()).toEqual([])
  await put([...Array(100).keys()].map((n) => view(n, 60, true)))
  expect(await chosen()).toHaveLength(4)
  await put([200, 201].map((n) => view(n, 0, true)))
  await db.run(['things'], 'readwrite', async (tx) => {
    const body = { answered: 2, right: 2, spentMs: 60_000 }
    tx.objectStore('things').put({
      owner,
      kind: 'day',
      id: String(TODAY),
      base: { kind: 'day', id: String(TODAY), body },
      view: null,
    })
  })
  expect(await rowsRead(() => figures())).toEqual([])
})

test('of a long record a part is looked at each day, in pages, and the best of a whole round are kept', async () => {
  const count = 2_000
  // All are fresh but for three, each in another part of the record.
  const faded = [100, 900, 1_900]
  await put([...Array(count).keys()].map((n) => view(n, faded.includes(n) ? 200 : 1, true)))
  await setting('lapseShare', 10)
  expect(await rowsRead(() => figures())).toEqual([200, 200, 200])
  expect(await chosen()).toEqual([no(100)])
  expect(await rowsRead(() => figures(1))).toEqual([200, 200, 200])
  expect(await chosen(1)).toEqual([no(100), no(900)])
  await figures(2)
  // The last part is smaller; the next day begins anew.
  expect((await rowsRead(() => figures(3))).reduce((sum, rows) => sum + rows, 0)).toBe(count - 3 * 600)
  expect(await chosen(3)).toEqual(faded.map(no))
  expect(await rowsRead(() => figures(4))).toEqual([200, 200, 200])
  // Nothing of it is in the states themselves.
  const row: StateRow = await db.run(['states'], 'readonly', (tx) => done(tx.objectStore('states').get([owner, no(5)])))
  expect(Object.keys(row).toSorted()).toEqual(['base', 'owner', 'questionNo', 'view'])
})

test('what most students missed comes first, as far as this device has kept how they answered', async () => {
  await put([...Array(40).keys()].map((n) => view(n, 6, true)))
  await setting('lapseShare', 10)
  expect(await chosen()).toEqual([])
  const hash = JSON.stringify(['all', '', '', 'question/stats', { no: 'c1' }])
  const data = [{ no: no(7), students: 50, right: 30 }]
  await set(`q-${hash}`, JSON.stringify({ buster: '1', state: { data } }), cacheStore(owner))
  expect(await chosen(1)).toEqual([no(7)])
})

test('a device that cannot keep its choice makes the same one again', async () => {
  await put([...Array(100).keys()].map((n) => view(n, 60, true)))
  await setting('lapseShare', 10)
  const full = { ...device(), saveDraft: () => Promise.reject(new Error('full')) }
  const once = [...(await readFigures(full, NOW)).lapses.keys()]
  expect(once).toHaveLength(4)
  expect([...(await readFigures(full, NOW)).lapses.keys()]).toEqual(once)
})
