import type { Own } from './engine.ts'
import { done } from '#src/offline/idb.ts'
import { numberIn, ofOwner, openRecord, type StateRow } from '#src/offline/rows.ts'

/**
 * Reads what a student has of their own on questions: the texts of notes, and the numbers of errors. These numbers are the keys
 * of their shelf, so that an error book of any length is known without one of its rows. What the student took out of the book by hand
 * is not due, and no error any more.
 */
export async function ownOnDevice(owner: string): Promise<Pick<Own, 'notes' | 'wrong'>> {
  const db = openRecord()
  const range = ofOwner(owner)
  try {
    return await db.run(['states'], 'readonly', async (tx) => {
      const states = tx.objectStore('states')
      const [due, noted] = await Promise.all([
        done(states.index('due').getAllKeys(range)),
        done<StateRow[]>(states.index('noted').getAll(range)),
      ])
      const notes = noted.map(
        ({ questionNo, view }) => [questionNo, (view?.notes ?? []).map(({ text }) => text).join('\n')] as const,
      )
      return { notes: new Map(notes), wrong: new Set(due.map(numberIn)) }
    })
  } finally {
    db.close()
  }
}
