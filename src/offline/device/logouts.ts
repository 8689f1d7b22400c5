import { createStore, get, set } from 'idb-keyval'

let store: ReturnType<typeof createStore> | undefined
const leftStore = () => (store ??= createStore('jk-left', 'left'))

/** Called by the page before it deletes an owner's caches. */
export async function markLeft(owner: string, now: number): Promise<void> {
  try {
    await set(owner, now, leftStore())
  } catch {
    // A browser that refuses it keeps no answers, either.
  }
}

/** When this owner last logged out here, epoch ms; 0: never. Answers to what was asked before then must not be kept. */
export async function leftAt(owner: string): Promise<number> {
  try {
    return (await get<number>(owner, leftStore())) ?? 0
  } catch {
    return 0
  }
}
