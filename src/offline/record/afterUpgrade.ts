import { type Database, done, StorageError } from '../device/idb.ts'
import { refoldKey } from '../device/rows.ts'

/**
 * The record of an owner whose ops an upgrade of the database has kept without their effect: nothing is read or written before
 * that is made again. Costs every other page one look at a key. Once it is closed, what comes late is refused: it would open the
 * database again, for nobody.
 * @param fold `upkeep.tend`, over the database itself.
 */
export function afterUpgrade(db: Database, owner: string, fold: () => Promise<void>): Database {
  let ready: Promise<void> | null = null
  let closed = false
  const refuseLate = (): void => {
    if (closed) throw new StorageError('unavailable', new Error('closed'))
  }
  const look = async (): Promise<void> => {
    const kept = await db.run(['meta'], 'readonly', (tx) => done(tx.objectStore('meta').getKey(refoldKey(owner))))
    // A piece of the app that does not come must not keep the student from studying: the next page folds.
    if (kept !== undefined) await fold().catch(() => {})
  }
  const looked = (): Promise<void> =>
    look().catch((error: unknown) => {
      ready = null
      throw error
    })
  return {
    close: () => {
      closed = true
      db.close()
    },
    run: async (...args) => {
      refuseLate()
      await (ready ??= looked())
      refuseLate()
      return db.run(...args)
    },
  }
}
