import { createStore, get, set } from 'idb-keyval'

let store: ReturnType<typeof createStore> | undefined
const leftStore = () => (store ??= createStore('jk-left', 'left'))

/** Called by the page before it deletes an owner's caches. */
export const markLeft = (owner: string, now: number): Promise<void> => set(owner, now, leftStore()).catch(() => {})

/** When this owner last logged out here, epoch ms; 0: never. Answers to what was asked before then must not be kept. */
export const leftAt = async (owner: string): Promise<number> =>
  (await get<number>(owner, leftStore()).catch(() => 0)) ?? 0
