import { delMany, keys } from 'idb-keyval'
import { cacheStore } from '../device/cacheStore.ts'
import { type Database, done } from '../device/idb.ts'
import { KEPT, PAD } from '../device/names.ts'
import { field } from '../sync/outbox.ts'
import { type Draft, ofOwner, type StateRow } from '../device/rows.ts'

/** Kept bodies of questions that are on no list any more, and drawings: so many stay while there is room. */
const BODIES = 200
const PADS = 200
const SHELVES = ['book', 'collected', 'noted'] as const

/** Frees what is needed no more, the oldest first. When space is short: all bodies, no drawing, which no server has. */
export async function freeSpare(db: Database, owner: string, short = false): Promise<boolean> {
  const bodies = await freeBodies(db, owner, short ? 0 : BODIES)
  const pads = short ? 0 : await freePads(db, owner)
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

const freePads = (db: Database, owner: string): Promise<number> =>
  db.run(['drafts'], 'readwrite', async (tx) => {
    const drafts = tx.objectStore('drafts')
    const range = IDBKeyRange.bound([owner, PAD], [owner, `${PAD}\uffff`])
    const over = (await done(drafts.count(range))) - PADS
    if (over <= 0) return 0
    const pads = await done<(Draft & { owner: string })[]>(drafts.getAll(range))
    const oldestFirst = pads.sort((a, b) => drawnAt(a) - drawnAt(b))
    for (const { key } of oldestFirst.slice(0, over)) drafts.delete([owner, key])
    return over
  })

const drawnAt = ({ value }: Draft): number => Number(field(value, 'at')) || 0
