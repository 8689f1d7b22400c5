import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { dayOf } from '#src/domain/time/day.ts'
import { fold } from '#src/domain/study/study.ts'
import { contributions, plus, type Sums } from '#src/domain/study/sums.ts'
import { readFigures } from '#src/offline/record/figures.ts'
import { createRecord } from '#src/offline/record/record.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { answer } from '#tests/support/facts.ts'

const OWNER = 'u:s1'
const QUESTIONS = 20_000
const CHAPTERS = 80
const DAYS = 200
const NOW = Date.UTC(2026, 10, 21, 4)

/** A student's record of so many answered questions, as the engine writes it. */
async function fill(db: ReturnType<typeof openRecord>): Promise<void> {
  const sums = Array.from({ length: CHAPTERS }, (): Sums => ({}))
  await db.run(['states', 'sums', 'things'], 'readwrite', async (tx) => {
    for (let i = 0; i < QUESTIONS; i++) {
      const c = i % CHAPTERS
      const place = { chapterNo: `c${c}`, libraryNo: 'L', type: 'single' as const, points: [`p${c % 30}`] }
      const questionNo = `q${i}`
      const view = fold(
        questionNo,
        [answer({ questionNo, at: NOW - (i % DAYS) * 86_400_000, right: i % 3 !== 0 })],
        place,
      )
      tx.objectStore('states').put({ owner: OWNER, questionNo, base: view, view })
      sums[c] = plus(sums[c] ?? {}, contributions(view))
    }
    for (const [c, each] of sums.entries())
      tx.objectStore('sums').put({ owner: OWNER, chapterNo: `c${c}`, libraryNo: 'L', sums: each })
    for (let ago = 0; ago < DAYS; ago++) {
      const id = String(dayOf(NOW) - ago)
      const body = { answered: 100, right: 66, spentMs: 100_000 }
      tx.objectStore('things').put({ owner: OWNER, kind: 'day', id, base: { kind: 'day', id, body }, view: null })
    }
  })
}

test('figures of 20,000 answered questions are read from a row a chapter and a row a day', async () => {
  const db = openRecord()
  await fill(db)
  const read = new Map<string, number>()
  const { getAll } = IDBObjectStore.prototype
  const others = (['openCursor', 'count'] as const).map((name) => vi.spyOn(IDBObjectStore.prototype, name))
  const index = (['get', 'getAll', 'openCursor', 'count'] as const).map((name) => vi.spyOn(IDBIndex.prototype, name))
  vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(function count(this: IDBObjectStore, ...args) {
    const request = getAll.apply(this, args)
    request.addEventListener('success', () => read.set(this.name, (read.get(this.name) ?? 0) + request.result.length))
    return request
  })
  const record = createRecord(db)
  const figures = await readFigures(
    {
      owner: OWNER,
      saveDraft: (draft) => record.saveDraft(OWNER, draft),
      allCounters: () => record.allCounters(OWNER),
      things: (kind) => record.things(OWNER, kind),
      states: (nos) => record.states(OWNER, nos),
      loadDraft: (key) => record.loadDraft(OWNER, key),
    },
    NOW,
  )
  expect(figures.all).toMatchObject({ done: QUESTIONS, answered: QUESTIONS })
  expect(figures.plan).toHaveLength(14)
  expect(Object.fromEntries(read)).toEqual({ sums: CHAPTERS, things: DAYS })
  for (const spy of [...others, ...index]) expect(spy).not.toHaveBeenCalled()
  db.close()
  vi.restoreAllMocks()
})
