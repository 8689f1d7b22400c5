import { delMany, keys } from 'idb-keyval'
import { cacheStore } from './cacheStore.ts'
import { type Database, done } from './idb.ts'
import { KEPT, PAD } from './names.ts'
import { field } from './outbox.ts'
import { type Draft, ofOwner, type StateRow } from './rows.ts'

/** Kept bodies of questions that are on no list any more, and drawings of papers handed in: so many stay while there is room. */
const BODIES = 200
const PADS = 20
const SHELVES = ['book', 'collected', 'noted'] as const

/** Frees what is needed no more, the oldest first; all of it when space is short. False: there was nothing. */
export async function freeSpare(db: Database, owner: string, short = false): Promise<boolean> {
  const bodies = await freeBodies(db, owner, short ? 0 : BODIES)
  const pads = await freePads(db, owner, short ? 0 : PADS)
  return bodies + pads > 0
}

async function freeBodies(db: Database, owner: string, most: number): Promise<number> {
  const store = cacheStore(owner)
  const kept = (await keys<string>(store)).filter((key) => key.startsWith(KEPT)).map((key) => key.slice(KEPT.length))
  if (kept.length <= most) return 0
  const spare = await db.run(['states'], 'readonly', async (tx) => {
    const states = tx.objectStore('states')
    const listed = await Promise.all(SHELVES.map((name) => done(states.index(name).getAllKeys(ofOwner(owner)))))
    const needed = new Set(listed.flat().map((key) => (Array.isArray(key) ? key[1] : null)))
    const nos = kept.filter((no) => !needed.has(no))
    if (nos.length <= most) return []
    const rows = await Promise.all(nos.map((no) => done<StateRow | undefined>(states.get([owner, no]))))
    // One that nothing is known of may be about to be written.
    return nos.map((no, i) => ({ no, at: rows[i]?.view?.lastAt ?? Infinity }))
  })
  const old = spare.sort((a, b) => a.at - b.at).slice(0, Math.max(0, spare.length - most))
  const gone = old.filter(({ at }) => at < Infinity).map(({ no }) => KEPT + no)
  await delMany(gone, store)
  return gone.length
}

const freePads = (db: Database, owner: string, most: number): Promise<number> =>
  db.run(['drafts'], 'readwrite', async (tx) => {
    const drafts = tx.objectStore('drafts')
    const range = IDBKeyRange.bound([owner, PAD], [owner, `${PAD}\uffff`])
    const found = (await done(drafts.getAllKeys(range))).flatMap((key) => {
      const name: unknown = Array.isArray(key) ? key[1] : null
      return typeof name === 'string' ? [name] : []
    })
    const batches = await Promise.all(
      found.map((key) => done<Draft | undefined>(drafts.get([owner, key.slice(PAD.length)]))),
    )
    const left = found.filter((_, i) => !batches[i])
    // Their keys end in ids that sort by time.
    const ended = found.filter((_, i) => isHandedIn(batches[i])).sort()
    const gone = [...left, ...ended.slice(0, Math.max(0, ended.length - most))]
    for (const key of gone) drafts.delete([owner, key])
    return gone.length
  })

const isHandedIn = (draft: Draft | undefined): boolean => field(draft?.value, 'mode') === 'review'
