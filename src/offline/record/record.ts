import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import type { DayTotals, StudyState, Thing, ThingChange } from '#src/contract/study.ts'
import { addDay, NO_TIME } from '#src/domain/study/days.ts'
import { type Database, done } from '../device/idb.ts'
import {
  type Counters,
  type DeadOp,
  type Draft,
  lastSeq,
  numberIn,
  ofOwner,
  type StateRow,
  type ThingRow,
  type Waiting,
  type WaitingOp,
} from '../device/rows.ts'
import { endedBatches } from '../drafts/practice.ts'
import { createSums } from './sums.ts'

const Batch = v.object({ mode: v.string(), deal: v.object({ id: v.string() }) })
/** Of a batch that is handed in as a whole: which it is, and how far. */
function batchIn(draft: Draft | undefined): { id: string; mode: string } | null {
  const found = v.safeParse(Batch, draft?.value)
  return found.success ? { id: found.output.deal.id, mode: found.output.mode } : null
}
const storedDraft = (tx: IDBTransaction, owner: string, key: string): Promise<Draft | undefined> =>
  done<Draft | undefined>(tx.objectStore('drafts').get([owner, key]))

/** So many handed-in batches are remembered for one key. */
const ENDED = 8
const endedAt = async (tx: IDBTransaction, owner: string, key: string): Promise<string[]> =>
  endedBatches.read((await storedDraft(tx, owner, endedBatches.key(key)))?.value) ?? []

/** Whether the batch of this draft is handed in already: in another tab, say. */
export async function isHandedIn(tx: IDBTransaction, owner: string, draft: Draft): Promise<boolean> {
  const batch = batchIn(draft)
  if (!batch) return false
  const stored = batchIn(await storedDraft(tx, owner, draft.key))
  return stored?.id === batch.id ? stored.mode === 'review' : (await endedAt(tx, owner, draft.key)).includes(batch.id)
}

/** What a student's device knows of their studying, as screens read it; write.ts writes it. Each method is one transaction. */
export const createRecord = (db: Database) => ({
  ...reads(db),
  ...drafts(db),
  ...lists(db),
  ...createSums(db),
  /** This installation. Evicted together with the ops, so a new one starts a sequence of its own. */
  device: (): Promise<string> =>
    db.run(['meta'], 'readwrite', async (tx) => {
      const known: string | undefined = await done(tx.objectStore('meta').get('device'))
      const device = known ?? uuidv7()
      if (!known) tx.objectStore('meta').put(device, 'device')
      return device
    }),
})
export type StudyRecord = ReturnType<typeof createRecord>

/** One of the lists that a student keeps: due for review, error book by chapter and by age, collections, notes. */
export type Shelf = 'due' | 'book' | 'missed' | 'collected' | 'noted'
export interface ShelfRange {
  /** `due`: days; `book`: a chapter as both; `missed`, `collected`, `noted`: epoch ms. Both ends are in it. */
  from?: IDBValidKey
  to?: IDBValidKey
  /** The highest first. */
  backwards?: boolean
  limit?: number
  /** Only these. */
  where?: ((state: StudyState) => boolean) | undefined
}

/** Lists come after all other keys. */
const AFTER_ALL: IDBValidKey = []

const reads = (db: Database) => ({
  states: (owner: string, questionNos: readonly string[]): Promise<Map<string, StudyState>> =>
    db.run(['states'], 'readonly', async (tx) => {
      const states = tx.objectStore('states')
      const rows = await Promise.all(questionNos.map((no) => done<StateRow | undefined>(states.get([owner, no]))))
      return new Map(rows.flatMap((row) => (row?.view ? [[row.questionNo, row.view] as const] : [])))
    }),
  /** States on a shelf, in the shelf's order; reads no further than to the last one that it gives. */
  shelf: (owner: string, name: Shelf, range: ShelfRange = {}): Promise<StudyState[]> =>
    db.run(['states'], 'readonly', (tx) => readShelf(tx, owner, name, range)),
  /** Numbers of what is on a shelf up to a place of it, in its order: keys only, no row is read. */
  shelfNumbers: (owner: string, name: Shelf, to: IDBValidKey = AFTER_ALL): Promise<string[]> =>
    db.run(['states'], 'readonly', async (tx) => {
      const range = IDBKeyRange.bound([owner, -Infinity], [owner, to])
      return (await done(tx.objectStore('states').index(name).getAllKeys(range))).map(numberIn)
    }),
  counters: (owner: string, chapterNos: readonly string[]): Promise<Map<string, Counters>> =>
    db.run(['sums'], 'readonly', async (tx) => {
      const nos = [...chapterNos].sort()
      const [first, last] = [nos.at(0), nos.at(-1)]
      if (first === undefined || last === undefined) return new Map()
      // One read however many chapters: one by one, a screen of two hundred costs more than the answers it counts.
      const range = IDBKeyRange.bound([owner, first], [owner, last])
      const rows: Counters[] = await done(tx.objectStore('sums').getAll(range))
      const asked = new Set(nos)
      return new Map(rows.filter((row) => asked.has(row.chapterNo)).map((row) => [row.chapterNo, row]))
    }),
  /** Days by their number, folders, settings, sittings, reports; those of one kind. */
  things: <K extends ThingChange['kind']>(owner: string, kind: K): Promise<Map<string, Thing<K>>> =>
    db.run(['things'], 'readonly', async (tx) => {
      const range = IDBKeyRange.bound([owner, kind], [owner, kind, []])
      const rows: ThingRow[] = await done(tx.objectStore('things').getAll(range))
      // Rows are stored under their own kind.
      return new Map(rows.flatMap((row) => (bodyOf(row) ? [[row.id, bodyOf(row) as Thing<K>] as const] : [])))
    }),
})

/** A day that only counts what waits has no base. A clock that was set may take off more than there was. */
function bodyOf({ kind, base, view, pending }: ThingRow): Thing<ThingChange['kind']> | null {
  if (kind !== 'day') return view?.body ?? null
  const { answered, right, spentMs }: DayTotals = addDay(
    base?.kind === 'day' ? base.body : undefined,
    pending ?? NO_TIME,
  )
  return { answered: Math.max(0, answered), right: Math.max(0, right), spentMs: Math.max(0, spentMs) }
}

async function readShelf(
  tx: IDBTransaction,
  owner: string,
  name: Shelf,
  { from = -Infinity, to = AFTER_ALL, backwards = false, limit = Infinity, where }: ShelfRange,
): Promise<StudyState[]> {
  const index = tx.objectStore('states').index(name)
  const range = IDBKeyRange.bound([owner, from], [owner, to])
  // At once, where no row has to be looked at to know whether it is wanted: one by one, 20,000 take ten times as long.
  if (!where && (!backwards || limit === Infinity)) {
    const found = await readRows(index, range, limit)
    return backwards ? found.reverse() : found
  }
  return new Promise((resolve, reject) => {
    const found: StudyState[] = []
    const request = index.openCursor(range, backwards ? 'prev' : 'next')
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      const cursor = request.result
      if (!cursor || found.length >= limit) return resolve(found)
      const { view }: StateRow = cursor.value
      if (view && (where?.(view) ?? true)) found.push(view)
      cursor.continue()
    }
  })
}

async function readRows(index: IDBIndex, range: IDBKeyRange, limit: number): Promise<StudyState[]> {
  if (limit === 0) return []
  // No limit is none given; of a shelf's rows each has a view.
  const rows: StateRow[] = await done(index.getAll(range, limit === Infinity ? undefined : limit))
  return rows.flatMap(({ view }) => (view ? [view] : []))
}

const lists = (db: Database) => ({
  waiting: (owner: string): Promise<WaitingOp[]> =>
    db.run(['ops'], 'readonly', (tx) => done(tx.objectStore('ops').getAll(ofOwner(owner)))),
  dead: (owner: string): Promise<DeadOp[]> =>
    db.run(['dead'], 'readonly', (tx) => done(tx.objectStore('dead').index('owner').getAll(owner))),
  dismiss: (opId: string): Promise<void> =>
    db.run(['dead'], 'readwrite', async (tx) => void tx.objectStore('dead').delete(opId)),
  /** `seq`: given out last. */
  count: (owner: string): Promise<Waiting & { seq: number }> =>
    db.run(['ops', 'dead', 'meta'], 'readonly', async (tx) => ({
      waiting: await done(tx.objectStore('ops').index('acked').count([owner, 0])),
      dead: await done(tx.objectStore('dead').index('owner').count(owner)),
      seq: await lastSeq(tx, owner),
    })),
})

const drafts = (db: Database) => ({
  loadDraft: (owner: string, key: string): Promise<unknown> =>
    db.run(['drafts'], 'readonly', async (tx) => (await storedDraft(tx, owner, key))?.value),
  /** Those whose keys begin so. */
  drafts: (owner: string, prefix: string): Promise<Draft[]> =>
    db.run(['drafts'], 'readonly', (tx) =>
      done(tx.objectStore('drafts').getAll(IDBKeyRange.bound([owner, prefix], [owner, `${prefix}\uffff`]))),
    ),
  /** An exam that is open in another tab never takes the place of what was handed in of it, nor of what came after. */
  saveDraft: (owner: string, draft: Draft): Promise<void> =>
    db.run(['drafts'], 'readwrite', async (tx) => {
      if (batchIn(draft)?.mode === 'exam' && (await isHandedIn(tx, owner, draft))) return
      tx.objectStore('drafts').put({ owner, ...draft })
    }),
  dropDraft: (owner: string, key: string): Promise<void> =>
    db.run(['drafts'], 'readwrite', async (tx) => {
      const drafts = tx.objectStore('drafts')
      const left = batchIn(await storedDraft(tx, owner, key))
      drafts.delete([owner, key])
      if (left?.mode !== 'review') return
      const ended = [left.id, ...(await endedAt(tx, owner, key))].slice(0, ENDED)
      drafts.put({ owner, key: endedBatches.key(key), value: ended })
    }),
})
