import type { Change } from '#src/contract/study.ts'
import { done } from '../device/idb.ts'
import { ofOwner } from '../device/rows.ts'

/**
 * A long record that comes to a device without any: what is known of the rows that are there. To look for a row that cannot be
 * there, once a question, takes as long as all else that is done with a page of changes.
 */
export function createFilling() {
  let came: { owner: string; nos: Set<string> } | null = null
  return {
    /**
     * Tells of a question whether it has no row for sure.
     * @param cursor that of the call whose answer is taken in
     */
    async look(tx: IDBTransaction, owner: string, cursor: number): Promise<(questionNo: string) => boolean> {
      const nos = cursor === 0 ? new Set<string>() : came?.owner === owner ? came.nos : null
      // Where there are as many rows as have come, nobody has written others, here or in another tab.
      if (!nos || (await done(tx.objectStore('states').count(ofOwner(owner)))) !== nos.size) return () => false
      return (questionNo) => !nos.has(questionNo)
    },
    /** An answer has been taken in, and is on disk. */
    took(owner: string, cursor: number, { changes, more }: { changes: readonly Change[]; more: boolean }): void {
      if (cursor === 0) came = { owner, nos: new Set() }
      if (came?.owner !== owner) return
      for (const change of changes) if (change.kind === 'state') came.nos.add(change.state.questionNo)
      if (!more) came = null
    },
  }
}
