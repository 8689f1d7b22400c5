import { type LessonNote, newestNotes } from '#src/domain/course/lessonNotes.ts'
import { done } from '#src/offline/device/idb.ts'
import { numberIn, ofOwner, openRecord, type StateRow, type ThingRow } from '#src/offline/device/rows.ts'
import type { Own } from './engine.ts'

interface OwnMarks extends Pick<Own, 'notes' | 'wrong'> {
  lessonNotes: readonly LessonNote[]
}
export const NO_MARKS: OwnMarks = { notes: new Map(), wrong: new Set(), lessonNotes: [] }

/**
 * Reads what a student has of their own on questions: the texts of notes, and the numbers of errors. These numbers are the keys
 * of their shelf, so that an error book of any length is known without one of its rows. What the student took out of the book by hand
 * is not due, and no error any more. Notes on lessons come with them, the newest first.
 */
export async function ownOnDevice(owner: string): Promise<OwnMarks> {
  const db = openRecord()
  const range = ofOwner(owner)
  try {
    return await db.run(['states', 'things'], 'readonly', async (tx) => {
      const states = tx.objectStore('states')
      const [due, noted, things] = await Promise.all([
        done(states.index('due').getAllKeys(range)),
        done<StateRow[]>(states.index('noted').getAll(range)),
        done<ThingRow[]>(
          tx.objectStore('things').getAll(IDBKeyRange.bound([owner, 'lessonNote'], [owner, 'lessonNote', []])),
        ),
      ])
      const notes = noted.map(
        ({ questionNo, view }) => [questionNo, (view?.notes ?? []).map(({ text }) => text).join('\n')] as const,
      )
      const onLessons = things.flatMap(({ id, view }) =>
        view?.kind === 'lessonNote' ? [[id, view.body] as const] : [],
      )
      return {
        notes: new Map(notes),
        wrong: new Set(due.map(numberIn)),
        lessonNotes: newestNotes(new Map(onLessons)),
      }
    })
  } finally {
    db.close()
  }
}
