import type { Caller } from '#src/api/transport.ts'
import type { Scope } from '#src/contract/scalar.ts'
import type { StudyState, Thing, ThingChange } from '#src/contract/study.ts'
import { wordsOf } from '#src/domain/app/failureWords.ts'
import type { Detail } from '#src/domain/study/sums.ts'
import { afterUpgrade } from './record/afterUpgrade.ts'
import type { Send } from './sync/drain.ts'
import { createWitness, lost, lostIsTold } from './device/evicted.ts'
import { type Database, StorageError } from './device/idb.ts'
import type { AnyDraftKey, DraftOf, DraftPrefix } from './drafts/kind.ts'
import type { Later } from './afterFirst.ts'
import type { Ledger, VisitorRecord } from './record/ledger.ts'
import { ANONYMOUS } from './device/names.ts'
import { persist } from './device/persist.ts'
import { createRecord, type Shelf, type ShelfRange, type StudyRecord } from './record/record.ts'
import {
  type Act,
  answerAct,
  type AnswerFact,
  type Counters,
  type DeadOp,
  type Draft,
  type WaitingOp,
} from './device/rows.ts'
import { createStatus } from './status.ts'
import { purgeCaches, withSpace } from './device/storage.ts'
import type { createSync, Ended, SyncParts } from './sync/sync.ts'
import { createTabs } from './tabs.ts'
import type { createWrite } from './record/write/write.ts'

export interface EngineParts {
  db: Database
  owner: string
  loggedIn: () => boolean
  scope: () => Scope
  send: Send
  /** A worker asks the server as this one; without it the page does all of it. */
  caller?: () => Caller
  now: () => number
  /** ms by a clock that only goes forward while the page is open; else that of `now`. */
  steady?: () => number
  /** By how much the server's clock is known to be ahead, ms. */
  skew?: () => number
  random: () => number
}
/** What the halves of an engine share. */
interface Inside extends EngineParts {
  record: StudyRecord
  later: () => Promise<Later>
  status: ReturnType<typeof createStatus>
  tabs: ReturnType<typeof createTabs>
  witness: ReturnType<typeof createWitness>
}

const LOGOUT_SYNC_MS = 5_000
/** Storage that failed at the start is asked again after so long. */
const BEGIN_AGAIN_MS = 30_000

/** The offline engine: record, outbox and sync of one owner behind one door. */
export function createEngine(parts: EngineParts) {
  const { owner, now } = parts
  const tend = async () => (await import('./afterFirst.ts')).createLater(parts.db).tend(owner, now())
  const db = afterUpgrade(parts.db, owner, tend)
  const record = createRecord(db)
  const witness = createWitness(owner)
  const looked = () => witness.look(() => record.count(owner))
  const status = createStatus(
    owner,
    async () => {
      const { waiting, dead } = await looked()
      return { waiting, dead }
    },
    now,
  )
  const tabs = createTabs(owner, now)
  tabs.onForeignChange(() => void status.recount())
  const later = async () => (await import('./afterFirst.ts')).createLater(db)
  const inside = { ...parts, db, record, later, status, tabs, witness }
  const syncing = createSyncing(inside)
  return {
    owner,
    start: syncing.start,
    syncNow: syncing.now,
    ...reading(inside),
    ...writing(inside, syncing),
    ...moving(inside, syncing),
    ...leaving(inside, syncing),
    /** Our server answered something: ops that wait for a network need not wait longer. */
    reached: (): void => {
      if (status.get().state === 'offline') void syncing.now()
    },
    status: status.get,
    onStatus: status.onChange,
    onChange: tabs.onChange,
    /** How many ops were cleared from this device before they were sent; 0 once the student has been told. */
    lost: (): Promise<number> => looked().then(() => lost(owner)),
    lostIsTold: (): void => lostIsTold(owner),
    /** Another tab of this student logged out. */
    onLogout: tabs.onLogout,
    close: (): void => {
      syncing.stop()
      tabs.close()
      db.close()
    },
  }
}
export type Engine = ReturnType<typeof createEngine>

/** Brings the sync to life when storage answers, and ends it. */
function createSyncing({ db, record, status, tabs, loggedIn, ...parts }: Inside) {
  const { owner, now } = parts
  let sync: ReturnType<typeof createSync> | null = null
  let begin = (): Promise<void> => Promise.resolve()
  let starting = begin()
  /** Begins at once what storage refused at the start: it takes writes again. Null where nothing was refused. */
  let beginAgain: (() => void) | null = null
  let purged = false
  tabs.onBeat(() => sync?.heardBeat())

  let came = 0
  const onSettled: SyncParts['onSettled'] = (questions, settled) => {
    const { more, left = 0 } = settled
    came += settled.came
    if (left > 0) status.set({ fetched: came / (came + left) })
    // Before anybody is told to read: nobody does while it comes.
    else if (status.get().fetched !== null) status.set({ fetched: null })
    tabs.settled(questions, more)
  }
  const onEnd = (drained: Ended): void => {
    came = 0
    if (status.get().fetched !== null) status.set({ fetched: null })
    tabs.flush()
    void status.ended(drained)
    if (purged || drained.to !== 'done') return
    purged = true
    // Nothing waits and nobody does: the time for upkeep.
    void parts
      .later()
      .then((later) => later.purge(owner, now()).then(status.recount))
      .catch(() => {})
  }
  const stop = (): void => {
    sync?.stop()
    sync = null
  }
  const start = (): (() => void) => {
    void status.recount()
    if (owner === ANONYMOUS) return () => {}
    let stopped = false
    begin = async () => {
      const { createSync, createLater } = await import('./afterFirst.ts')
      const rest = createLater(db)
      // Side by side: at a start every step waits for what is being drawn.
      const [device] = await Promise.all([record.device(), rest.tend(owner, now())])
      if (stopped || sync) return
      const locks = typeof navigator === 'undefined' ? null : (navigator.locks ?? null)
      const onStart = () => status.set({ state: 'syncing' })
      const onSilence = (silent: boolean) => status.set({ state: silent ? 'unanswered' : 'syncing' })
      sync = createSync({
        ...parts,
        record: rest,
        device,
        locks,
        onStart,
        onSilence,
        onSettled,
        onEnd,
        beat: tabs.beat,
      })
    }
    let again: ReturnType<typeof setTimeout> | undefined
    const tryToBegin = (): void => {
      clearTimeout(again)
      beginAgain = null
      starting = begin()
      // Without storage there is nothing to send; the screens say so when they write.
      starting.then(syncNow, (error: unknown) => {
        const state = error instanceof StorageError && error.kind !== 'version' ? 'unwritten' : 'error'
        status.set({ state, lastError: wordsOf(error, '没有加载完整，联网后再同步') })
        // What waits would stay until somebody comes back to the page.
        if (stopped) return
        beginAgain = tryToBegin
        again = setTimeout(tryToBegin, BEGIN_AGAIN_MS)
      })
    }
    tryToBegin()
    return () => {
      stopped = true
      beginAgain = null
      clearTimeout(again)
      stop()
    }
  }
  /** Tries at once, if somebody is logged in; resolves when the try has ended. */
  const syncNow = async (): Promise<void> => {
    // Storage that failed at the start may answer now.
    await starting.catch(() => (starting = begin())).catch(() => {})
    if (!sync) return
    if (loggedIn()) await sync.now()
    else status.set({ state: 'needs-auth' })
  }
  return { start, now: syncNow, wrote: (): void => (sync ? sync.wrote() : beginAgain?.()), stop }
}
type Syncing = ReturnType<typeof createSyncing>

const reading = ({ owner, record, later, status, now, skew = () => 0 }: Inside) => ({
  states: (questionNos: readonly string[]): Promise<Map<string, StudyState>> => record.states(owner, questionNos),
  /** Only of questions that were ever answered: others may be collected, or have a note. */
  answered: async (questionNos: readonly string[]): Promise<Map<string, StudyState>> =>
    new Map([...(await record.states(owner, questionNos))].filter(([, { times }]) => times > 0)),
  counters: (chapterNos: readonly string[]): Promise<Map<string, Counters>> => record.counters(owner, chapterNos),
  allCounters: (detail?: Detail): Promise<Counters[]> => record.allCounters(owner, detail),
  shelf: (name: Shelf, range?: ShelfRange): Promise<StudyState[]> => record.shelf(owner, name, range),
  shelfNumbers: (name: Shelf, to?: IDBValidKey): Promise<string[]> => record.shelfNumbers(owner, name, to),
  things: <K extends ThingChange['kind']>(kind: K): Promise<Map<string, Thing<K>>> => record.things(owner, kind),
  loadDraft: (key: AnyDraftKey): Promise<unknown> => record.loadDraft(owner, key),
  drafts: (prefix: DraftPrefix): Promise<Draft[]> => record.drafts(owner, `${prefix}:`),
  waiting: (): Promise<WaitingOp[]> => record.waiting(owner),
  dead: (): Promise<DeadOp[]> => record.dead(owner),
  /** For the sheet behind the mark. */
  ledger: (): Promise<Ledger> => later().then(({ ledger }) => ledger(owner, now(), skew())),
  /** The student has read why these were refused. */
  seen: (opIds: readonly string[]): Promise<void> => later().then(({ seen }) => seen(opIds, now())),
  dismiss: (opId: string): Promise<void> => record.dismiss(opId).then(status.recount),
})

function writing(inside: Inside, syncing: Syncing) {
  const { db, owner, record, status, tabs, witness, scope, now, steady = now, skew = () => 0 } = inside
  let askedToPersist = false
  let writer: ReturnType<typeof createWrite> | null = null
  /** Screens on which something is done have it already; to import it again takes Chrome another task, 5 ms on a slow phone. */
  const write = async () => (writer ??= (await import('./record/write/write.ts')).createWrite(db))
  const kept = (touched: string[]): void => {
    witness.added(touched.length)
    status.added(touched.length)
    tabs.changed(touched)
    syncing.wrote()
    if (!askedToPersist) void persist()
    askedToPersist = true
  }
  const written = (draft: Draft | undefined) => ({ ctx: scope(), at: now(), steady: steady(), skewMs: skew(), draft })
  /**
   * Keeps things that the student did, all of them or none. Resolves with their op ids when they are on disk, with the draft
   * that resumes the batch after them: the only way to say "saved". No ids: it hands in what is handed in already, and nothing
   * was written.
   * @throws StorageError when the device could not keep it.
   */
  const addAll = async <V>(acts: readonly Act[], draft?: DraftOf<V>): Promise<string[]> => {
    const { all } = await write()
    const { opIds, touched } = await withSpace(owner, () => all(owner, acts, written(draft)))
    if (opIds.length > 0) kept(touched)
    return opIds
  }
  return {
    addAll,
    /** Fetches what writing takes, while there is a network. */
    prepare: (): Promise<void> =>
      write().then(
        () => {},
        () => {},
      ),
    /** The same of one. */
    add: async <V>(act: Act, draft?: DraftOf<V>): Promise<string> => (await addAll([act], draft))[0] ?? '',
    /** The same of an answer, the quickest way. */
    recordAnswer: async <V>(fact: AnswerFact, draft?: DraftOf<V>): Promise<string> => {
      const { answer } = await write()
      const opId = await withSpace(owner, () => answer(owner, answerAct(fact), written(draft)))
      kept([fact.questionNo])
      return opId
    },
    saveDraft: <V>(draft: DraftOf<V>): Promise<void> => withSpace(owner, () => record.saveDraft(owner, draft)),
    /** Nothing is given up for it, and behind a torn log nothing is written. */
    dropDraft: (key: AnyDraftKey): Promise<void> => withSpace(owner, () => record.dropDraft(owner, key), 0, true),
  }
}

/** Comes with the sheet that offers it (app/sync/SyncSheet.tsx). */
const rescue = () => import('./record/rescue.ts')

function moving({ owner, record, later, status, tabs, now }: Inside, syncing: Syncing) {
  const moved = async (count: number): Promise<number> => {
    tabs.changedAll()
    await status.recount()
    void syncing.now()
    return count
  }
  return {
    /** Null when there is nothing, or nobody to give it to. */
    visitorRecord: async (): Promise<VisitorRecord | null> => {
      if (owner === ANONYMOUS || (await record.count(ANONYMOUS)).waiting === 0) return null
      const { tend, visitor } = await later()
      await tend(ANONYMOUS, now())
      return visitor()
    },
    /** 合并到账号: what the visitor did becomes this student's. */
    adoptVisitor: async (): Promise<number> => {
      const { tend, adopt } = await later()
      await tend(ANONYMOUS, now())
      return withSpace(owner, () => adopt(owner)).then(moved)
    },
    exportWaiting: async (): Promise<Blob> => (await rescue()).writeRescue(owner, await record.waiting(owner)),
    importRescue: async (text: string): Promise<number> => {
      const { restore } = await later()
      const ops = await (await rescue()).readRescue(owner, text)
      return withSpace(owner, () => restore(owner, ops)).then(moved)
    },
  }
}

const leaving = ({ owner, later, status, tabs, now }: Inside, syncing: Syncing) => ({
  /** Tries to send what waits, for 5 s at most; what is left then stays. */
  sendSoon: async (): Promise<void> => {
    await Promise.race([syncing.now(), new Promise((resolve) => setTimeout(resolve, LOGOUT_SYNC_MS))])
    await status.recount()
  },
  /**
   * The device's half of logging out. `keep` keeps the ops for this student's next login; `discard` deletes them. Caches of
   * the owner go in both cases.
   */
  logout: async (waiting: 'keep' | 'discard'): Promise<void> => {
    syncing.stop()
    if (waiting === 'discard') await (await later()).discard(owner)
    await purgeCaches(owner, now())
    tabs.logout()
  },
})
