import type { StudyState } from '#src/contract/study.ts'
import { done } from '../device/idb.ts'
import { ofOwner, openRecord, type StateRow } from '../device/rows.ts'

/** A page is read and used up in a few milliseconds on a slow phone. */
const PAGE = 500

/** How many states there may be. */
export async function countStates(owner: string): Promise<number> {
  const db = openRecord()
  return db.run(['states'], 'readonly', (tx) => done(tx.objectStore('states').count(ofOwner(owner)))).finally(db.close)
}

/**
 * All that a student's record knows of questions, page by page: a long record holds up no tap, and is never in memory twice.
 * @param from the question behind which it begins, in the order of their numbers
 */
export async function* statePages(owner: string, size = PAGE, from?: string): AsyncGenerator<StudyState[]> {
  const db = openRecord()
  try {
    for (let after: IDBValidKey = from === undefined ? [owner] : [owner, from]; ;) {
      const range = IDBKeyRange.bound(after, [owner, []], true)
      const rows: StateRow[] = await db.run(['states'], 'readonly', (tx) =>
        done(tx.objectStore('states').getAll(range, size)),
      )
      yield rows.flatMap(({ view }) => (view ? [view] : []))
      const last = rows.at(-1)
      if (!last || rows.length < size) return
      after = [owner, last.questionNo]
    }
  } finally {
    db.close()
  }
}
