import { v7 as uuidv7 } from 'uuid'
import { thingOf } from '#src/domain/things.ts'
import { thingRow } from './fold.ts'
import { foldMoved, touchedBy } from './foldThings.ts'
import type { Database } from './idb.ts'
import { putOp, type Written } from './record.ts'
import { type Act, FOLD, streamOf, type WaitingOp } from './rows.ts'

/** Writing what is no single answer: several ops at once, and ops about no question. */
export const createActs = (db: Database) => ({
  /**
   * Writes ops, their effect and the resume draft together, or none of it. Nothing is written, and no ids are given back, when
   * one of them hands in what is handed in already: in another tab, say.
   */
  addAll: (owner: string, acts: readonly Act[], written: Written): Promise<{ opIds: string[]; touched: string[] }> =>
    db.run([...FOLD, 'meta', 'drafts'], 'readwrite', async (tx) => {
      if (await isHandedIn(tx, owner, acts)) return { opIds: [], touched: [] }
      const ops: WaitingOp[] = []
      for (const act of acts) {
        const opId = act.opId ?? uuidv7()
        ops.push(await putOp(tx, owner, { ...act, opId }, streamOfAct(act, opId), written))
      }
      if (written.draft) tx.objectStore('drafts').put({ owner, ...written.draft })
      await foldMoved(tx, owner, { added: ops })
      return { opIds: ops.map(({ opId }) => opId), touched: ops.map(touchedBy) }
    }),
})

async function isHandedIn(tx: IDBTransaction, owner: string, acts: readonly Act[]): Promise<boolean> {
  const handIn = acts.find(({ kind }) => kind === 'handIn')
  return handIn?.kind === 'handIn' && (await thingRow(tx, owner, 'attempt', handIn.payload.attemptId)).view !== null
}

function streamOfAct(act: Act, opId: string): string {
  if ('place' in act) return streamOf(act.payload.questionNo)
  const { kind, id } = thingOf({ ...act, opId })
  return `${kind}:${id}`
}
