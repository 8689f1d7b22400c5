import type { Database } from '#src/offline/device/idb.ts'

class Killed extends Error {}

/** A phone whose battery dies at the n-th thing that is waited for: what was under way then may have happened. */
export function dying(after: number) {
  let left = after
  const mortal = async <T>(work: () => Promise<T>): Promise<T> => {
    if (left-- <= 0) throw new Killed()
    const result = await work()
    if (left < 0) throw new Killed()
    return result
  }
  return {
    mortal,
    /** The device's own storage, as mortal. */
    mortalDb: (db: Database): Database => ({
      ...db,
      run: (stores, mode, body) => mortal(() => db.run(stores, mode, body)),
    }),
    died: () => left < 0,
  }
}
