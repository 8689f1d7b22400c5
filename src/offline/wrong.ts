import { done } from './idb.ts'
import { ofOwner, openRecord, type StateRow } from './rows.ts'

/** The questions that this student has ever answered wrongly. Reads every state: for a list that was asked for, never a start. */
export async function wrongNos(owner: string): Promise<Set<string>> {
  const db = openRecord()
  try {
    const rows = await db.run(['states'], 'readonly', (tx) =>
      done<StateRow[]>(tx.objectStore('states').getAll(ofOwner(owner))),
    )
    return new Set(rows.filter(({ view }) => (view?.wrong ?? 0) > 0).map(({ questionNo }) => questionNo))
  } finally {
    db.close()
  }
}
