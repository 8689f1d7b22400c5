import type { Change } from '#src/contract/study.ts'
import { done } from '../device/idb.ts'
import { cursorOf, lastSeq, ofOwner } from '../device/rows.ts'

interface Answer {
  changes: readonly Change[]
  more: boolean
  cursor: number
}
interface Came {
  owner: string
  nos: Set<string>
  /** The cursor behind the last of them. */
  cursor: number
  /** The number of this device's last op, when the first of them came and ever since. */
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
    if (cursor > 0) return came?.owner === owner && came.cursor === cursor && came.seq === last
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
    took(owner: string, before: number, { changes, more, cursor }: Answer): void {
      // Once somebody else was seen to write, nothing is known for sure.
      if (!alone || !more) return void (came = null)
      const nos = (before > 0 && came?.nos) || new Set<string>()
      for (const change of changes) if (change.kind === 'state') nos.add(change.state.questionNo)
      came = { owner, nos, cursor, seq }
    },
  }
}
