import { type Database, done } from './idb.ts'
import { refoldKey } from './rows.ts'

/**
 * The record of an owner whose ops an upgrade of the database has kept without their effect: nothing is read or written before
 * that is made again. Costs every other page one look at a key.
 * @param fold `upkeep.tend`, over the database itself.
 */
export function afterUpgrade(db: Database, owner: string, fold: () => Promise<void>): Database {
  let ready: Promise<void> | null = null
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
    close: db.close,
    run: async (...args) => {
      await (ready ??= looked())
      return db.run(...args)
    },
  }
}
