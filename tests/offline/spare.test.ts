import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { blankState } from '#src/domain/study/study.ts'
import type { StudyState } from '#src/contract/study.ts'
import { putView } from '#src/offline/record/write/fold.ts'
import type { Deltas } from '#src/offline/record/sums.ts'
import type { Database } from '#src/offline/device/idb.ts'
import { keepQuestions, keptQuestions } from '#src/offline/downloads/keptQuestions.ts'
import { createRecord } from '#src/offline/record/record.ts'
import { FOLD, openRecord } from '#src/offline/device/rows.ts'
import { freeSpare } from '#src/offline/record/unusedFiles.ts'
import { withSpace } from '#src/offline/device/storage.ts'
import { StorageError } from '#src/offline/device/idb.ts'
import { single } from '#tests/support/questions.ts'
import { placeIn } from '#tests/support/states.ts'

const DAY = 86_400_000
let people = 0
let owner: string
let db: Database
beforeEach(() => {
  owner = `u:spare${++people}`
  db = openRecord()
  return () => db.close()
})

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `q${from + i}`)
const keep = (nos: readonly string[]) =>
  keepQuestions(
    owner,
    nos.map((no) => ({ question: single(no), chapterNo: 'L_c1', libraryNo: 'L', retired: false })),
  )
const kept = async (nos: readonly string[]) => [...(await keptQuestions(owner, nos)).keys()]
/** As the record shows them. */
const know = (nos: readonly string[], more: (i: number) => Partial<StudyState>) =>
  db.run([...FOLD], 'readwrite', async (tx) => {
    const deltas: Deltas = new Map()
    for (const [i, no] of nos.entries()) {
      const view = { ...blankState(no, placeIn()), times: 1, lastAt: (i + 1) * DAY, ...more(i) }
      putView(tx, { owner, questionNo: no, base: null, view: null }, view, deltas)
    }
  })
const listed: Partial<StudyState>[] = [
  { book: { rights: 0, since: DAY, from: 'library', out: false } },
  { book: { rights: 2, since: DAY, from: 'library', out: true } },
  { collected: [{ opId: 'a', at: DAY, folder: '' }] },
  { notes: [{ opId: 'a', at: DAY, text: '注' }] },
]

test('bodies of questions on no list leave beyond 200, the oldest first; what is on a list or about to be written stays', async () => {
  const lists = numbers(1, 4)
  const spare = numbers(100, 303)
  await keep([...lists, ...spare, 'q900'])
  await know(lists, (i) => listed[i] ?? {})
  await know(spare, () => ({}))
  expect(await freeSpare(db, owner)).toBe(true)
  expect(await kept([...lists, 'q900'])).toEqual([...lists, 'q900'])
  expect(await kept(spare)).toEqual(numbers(105, 303))
  expect(await freeSpare(db, owner)).toBe(false)
})

test('when the device is full all of them leave, before a chapter that was opened does', async () => {
  const spare = numbers(1, 3)
  await keep([...spare, 'q9'])
  await know(spare, () => ({}))
  await know(['q9'], () => listed[2] ?? {})
  const write = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new StorageError('quota'))
    .mockResolvedValue('on disk')
  expect(await withSpace(owner, write)).toBe('on disk')
  expect(await kept([...spare, 'q9'])).toEqual(['q9'])
})

test('drawings outlive their batch; beyond 200 the oldest leave, and on a full device none', async () => {
  const record = createRecord(db)
  const numbered = numbers(1, 202)
  // The newest has the lowest number, and one that is damaged has no time.
  for (const [i, no] of numbered.entries())
    await record.saveDraft(owner, { key: `pad:${no}`, value: { at: 1000 - i, strokes: [] } })
  await record.saveDraft(owner, { key: 'pad:q900', value: { strokes: [] } })
  await record.saveDraft(owner, { key: 'batch:L_c1', value: { mode: 'practice' } })
  expect(await freeSpare(db, owner)).toBe(true)
  const pads = async () => new Set((await record.drafts(owner, 'pad:')).map(({ key }) => key.slice(4)))
  expect(await pads()).toEqual(new Set(numbers(1, 200)))
  expect(await freeSpare(db, owner)).toBe(false)
  expect(await freeSpare(db, owner, true)).toBe(false)
  expect(await pads()).toEqual(new Set(numbers(1, 200)))
  expect(await record.drafts(owner, 'batch:')).toHaveLength(1)
})
