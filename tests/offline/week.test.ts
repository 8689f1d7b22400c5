import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import type { StudyState, Thing } from '#src/contract/study.ts'
import { mondayOf } from '#src/domain/study/stats.ts'
import { blankState } from '#src/domain/study/study.ts'
import { WEEK_DAYS } from '#src/domain/study/week.ts'
import { dayOf, startOf } from '#src/domain/time/day.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { createRecord } from '#src/offline/record/record.ts'
import { readWeek } from '#src/offline/record/week.ts'

const OWNER = 'u:s1'
const MONDAY = mondayOf(dayOf(Date.UTC(2026, 10, 25)))
const [BEGIN, END] = [startOf(MONDAY), startOf(MONDAY + WEEK_DAYS)]
const OTHERS = 5_000

const missed = (questionNo: string, since: number, change: Partial<StudyState> = {}): StudyState => ({
  ...blankState(questionNo, { chapterNo: 'c', libraryNo: 'l', type: 'single', points: ['p'] }),
  times: 1,
  wrong: 1,
  book: { rights: 0, since, from: 'library', out: false },
  ...change,
})
const sitting = (handedAt: number | null): Thing<'exam'> => ({
  exam: 'X',
  rev: 'r',
  mode: 'exam',
  startedAt: BEGIN,
  handedAt,
  handIn: '',
  hash: '',
  answered: 1,
  elapsedMs: 1,
  spentMs: 1,
  flags: [],
})

async function fill(db: ReturnType<typeof openRecord>): Promise<void> {
  await db.run(['states', 'things'], 'readwrite', async (tx) => {
    const put = (view: StudyState, owner = OWNER) =>
      void tx.objectStore('states').put({ owner, questionNo: view.questionNo, base: view, view })
    put(missed('first', BEGIN))
    put(missed('last', END - 1))
    put(missed('mastered', BEGIN + 1, { book: { rights: 3, since: BEGIN + 1, from: 'set', out: true } }))
    put(missed('before', BEGIN - 1))
    put(missed('after', END))
    put(missed('by hand', BEGIN + 2, { wrong: 0, book: { rights: 0, since: BEGIN + 2, from: 'hand', out: false } }))
    put(missed('of another student', BEGIN + 3), 'u:s2')
    for (let i = 0; i < OTHERS; i++) put(missed(`old${i}`, BEGIN - 1_000 * (i + 1)))
    const exams = { late: sitting(END - 1), early: sitting(BEGIN), gone: sitting(END), open: sitting(null) }
    for (const [id, body] of Object.entries(exams)) {
      const view = { kind: 'exam', id, body }
      tx.objectStore('things').put({ owner: OWNER, kind: 'exam', id, base: view, view })
    }
  })
}

test('a week is read by an index: what was missed from its Monday to its Sunday in Beijing, and what was handed in', async () => {
  const db = openRecord()
  await fill(db)
  const record = createRecord(db)
  const { getAll } = IDBIndex.prototype
  const read: number[] = []
  vi.spyOn(IDBIndex.prototype, 'getAll').mockImplementation(function count(this: IDBIndex, ...args) {
    const request = getAll.apply(this, args)
    request.addEventListener('success', () => read.push(request.result.length))
    return request
  })
  const scans = vi.spyOn(IDBObjectStore.prototype, 'openCursor')
  const week = await readWeek(
    { shelf: (name, range) => record.shelf(OWNER, name, range), things: (kind) => record.things(OWNER, kind) },
    MONDAY,
  )
  expect(week.missed.map(({ questionNo }) => questionNo)).toEqual(['first', 'mastered', 'last'])
  expect(week.exams.map(({ id }) => id)).toEqual(['early', 'late'])
  expect(week.papers).toBe(0)
  // However long the record is.
  expect(read).toEqual([4])
  expect(scans).not.toHaveBeenCalled()
  db.close()
})
