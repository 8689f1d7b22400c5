import type { Change } from '#src/contract/study.ts'
import { done } from '../device/idb.ts'
import { cursorOf, lastSeq, ofOwner } from '../device/rows.ts'

interface Came {
  owner: string
  nos: Set<string>
  /** That of the last op of this device when the last of them came. */
  seq: number
}

/**
 * A long record that comes to a device without any: what is known of the rows that are there. To look for a row that cannot be
 * there, once a question, takes as long as all else that is done with a page of changes.
 */
export function createFilling() {
  let came: Came | null = null
  /** Both are as they were for the answer that was looked at last. */
  let [alone, seq] = [false, 0]
  /** Rows are written by answers of the server, which move the cursor, and by ops, which move the seq; here or in another tab. */
  const isAlone = async (tx: IDBTransaction, owner: string, cursor: number): Promise<boolean> => {
    const [known, last] = await Promise.all([cursorOf(tx, owner), lastSeq(tx, owner)])
    seq = last
    if (known !== cursor) return false
    if (cursor > 0) return came?.owner === owner && came.seq === last
    return (await done(tx.objectStore('states').count(ofOwner(owner)))) === 0
  }
  return {
    /**
     * Tells of a question whether it has no row for sure.
     * @param cursor that of the call whose answer is taken in
     */
    async look(tx: IDBTransaction, owner: string, cursor: number): Promise<(questionNo: string) => boolean> {
      alone = await isAlone(tx, owner, cursor)
      if (!alone) return () => false
      const nos = cursor === 0 ? null : came?.nos
      return (questionNo) => !nos?.has(questionNo)
    },
    /** An answer has been taken in, and is on disk. */
    took(owner: string, cursor: number, { changes, more }: { changes: readonly Change[]; more: boolean }): void {
      if (cursor === 0) came = alone ? { owner, nos: new Set(), seq } : null
      if (came?.owner !== owner) return
      for (const change of changes) if (change.kind === 'state') came.nos.add(change.state.questionNo)
      if (!more) came = null
    },
  }
}
