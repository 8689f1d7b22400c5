import { afterEach, expect, test, vi } from 'vitest'
import { errorList } from '#src/features/question/lists/lists.ts'
import { createQueryClient } from '#src/offline/device/cache.ts'
import { putView } from '#src/offline/record/write/fold.ts'
import { type Deltas, putSums } from '#src/offline/record/sums.ts'
import { offline } from '#src/offline/index.ts'
import { FOLD, openRecord } from '#src/offline/device/rows.ts'
import { session } from '#src/session/session.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { blankState } from '#src/domain/study/study.ts'
import { placeIn } from '#tests/support/states.ts'

const DAY = 86_400_000
const CHAPTERS = 8
const EACH = 100
afterEach(() => vi.restoreAllMocks())

/** A book of many chapters; the newest misses are spread over all of them. */
async function fill(): Promise<void> {
  const db = openRecord()
  await db.run([...FOLD], 'readwrite', async (tx) => {
    const deltas: Deltas = new Map()
    for (let i = 0; i < CHAPTERS * EACH; i++) {
      const since = Date.now() - 2 * DAY - i * 60_000
      const view = {
        ...blankState(`X_q${i}`, placeIn('X', `X_c${i % CHAPTERS}`)),
        times: 1,
        wrong: 1,
        lastAt: since,
        book: { rights: 0, since, from: 'library' as const, out: false },
      }
      putView(tx, { owner: offline.owner, questionNo: view.questionNo, base: null, view: null }, view, deltas)
    }
    await putSums(tx, offline.owner, deltas)
  })
  db.close()
}

test('错题练习 of a long book reads the newest misses, and not the book', async () => {
  prepareDevice()
  await fill()
  const size = session.get().chapterCount
  const read = vi.spyOn(IDBCursor.prototype, 'continue')
  const client = createQueryClient(session.owner())
  const pick = (no: string) => errorList(client, { no, mode: 'answer', consolidate: false, part: {} }).pick()
  expect(await pick('all')).toEqual(Array.from({ length: size }, (_, i) => `X_q${i}`))
  expect(read.mock.calls.length).toBeLessThanOrEqual(size)
  read.mockClear()
  expect(await pick('X_c3')).toEqual(Array.from({ length: size }, (_, i) => `X_q${3 + i * CHAPTERS}`))
  expect(read.mock.calls.length).toBeLessThanOrEqual(EACH)
})
