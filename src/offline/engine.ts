import type { Scope } from '#src/contract/scalar.ts'
import type { StudyState } from '#src/contract/study.ts'
import type { Drained, Send } from './drain.ts'
import type { Database } from './idb.ts'
import { ANONYMOUS, CHANNEL } from './names.ts'
import { createRecord } from './record.ts'
import type { AnswerFact, Counters, DeadOp, Draft, WaitingOp } from './rows.ts'
import { readRescue, writeRescue } from './rescue.ts'
import { persist, purgeCaches, withSpace } from './storage.ts'
import { createSync } from './sync.ts'

/** What the one small mark in the header says. */
export interface SyncStatus {
  state: 'synced' | 'waiting' | 'syncing' | 'offline' | 'needs-auth' | 'error' | 'visitor'
  /** Ops on this device that the server has not answered for. */
  waiting: number
  /** Ops that the server refused; listed with reasons. */
  dead: number
  /** Of the last try, in Chinese; '' when it went well. */
  lastError: string
  /** Epoch ms; null before the first time. */
  lastSyncedAt: number | null
}
export interface EngineParts {
  db: Database
  owner: string
  loggedIn: () => boolean
  scope: () => Scope
  send: Send
  now: () => number
  random: () => number
}
type Message =
  | { type: 'changed'; owner: string; questions: string[] }
  | { type: 'beat'; owner: string }
  | { type: 'logout'; owner: string }
/** Which questions' states changed; null: any. */
export type ChangeListener = (questions: readonly string[] | null) => void

const LOGOUT_SYNC_MS = 5_000

/** The offline engine: record, outbox and sync of one owner behind one door. */
export function createEngine({ db, owner, loggedIn, scope, send, now, random }: EngineParts) {
  const record = createRecord(db)
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL)
  const changeListeners = new Set<ChangeListener>()
  const statusListeners = new Set<() => void>()
  const logoutListeners = new Set<() => void>()
  let status: SyncStatus = {
    state: owner === ANONYMOUS ? 'visitor' : 'synced',
    waiting: 0,
    dead: 0,
    lastError: '',
    lastSyncedAt: null,
  }
  let sync: ReturnType<typeof createSync> | null = null
  let begin = (): Promise<void> => Promise.resolve()
  let starting = begin()
  let askedToPersist = false
  let closed = false

  const setStatus = (patch: Partial<SyncStatus>): void => {
    status = { ...status, ...patch }
    for (const listener of statusListeners) listener()
  }
  const tell = (message: Message): void => {
    if (!closed) channel?.postMessage(message)
  }
  const changed = (questions: readonly string[] | null): void => {
    for (const listener of changeListeners) listener(questions)
  }
  const recount = async (): Promise<void> => {
    const counted = await record.count(owner).catch(() => null)
    if (counted)
      setStatus({ ...counted, ...(counted.waiting > 0 && status.state === 'synced' && { state: 'waiting' as const }) })
  }

  if (channel)
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.owner !== owner) return
      if (data.type === 'beat') sync?.heardBeat()
      else if (data.type === 'logout') for (const listener of logoutListeners) listener()
      else {
        changed(data.questions)
        void recount()
      }
    }

  const ended = (drained: Drained): void => {
    void recount().then(() => {
      if (drained.to === 'done')
        return setStatus({ state: status.waiting > 0 ? 'waiting' : 'synced', lastError: '', lastSyncedAt: now() })
      if (drained.to === 'hold') return setStatus({ state: 'needs-auth', lastError: '登录已过期，重新登录后继续同步' })
      if (drained.to === 'refused') return setStatus({ state: 'error', lastError: drained.error.message })
      return setStatus({ state: drained.why === 'offline' ? 'offline' : 'error', lastError: drained.error.message })
    })
  }

  const start = (): (() => void) => {
    void recount()
    if (owner === ANONYMOUS) return () => {}
    let stopped = false
    begin = async () => {
      const device = await record.device()
      await record.tend(owner, now())
      if (stopped || sync) return
      const settled = (questions: string[]) => {
        changed(questions)
        tell({ type: 'changed', owner, questions })
      }
      const locks = typeof navigator === 'undefined' ? null : (navigator.locks ?? null)
      const onStart = () => setStatus({ state: 'syncing' })
      sync = createSync({
        record,
        owner,
        device,
        send,
        now,
        random,
        locks,
        onStart,
        onSettled: settled,
        onEnd: ended,
        beat: () => tell({ type: 'beat', owner }),
      })
    }
    starting = begin()
    // Without storage there is nothing to send; the screens say so when they write.
    starting.then(syncNow, () => setStatus({ state: 'error', lastError: '本机存储不可用' }))
    return () => {
      stopped = true
      sync?.stop()
      sync = null
    }
  }

  /** Tries at once, if somebody is logged in; resolves when the try has ended. */
  const syncNow = async (): Promise<void> => {
    // Storage that failed at the start may answer now.
    await starting.catch(() => (starting = begin())).catch(() => {})
    if (!sync) return
    if (loggedIn()) await sync.now()
    else setStatus({ state: 'needs-auth' })
  }

  /**
   * Keeps an answer. Resolves when it is on disk, with the draft that resumes the batch after it: the only way to say "saved".
   * @throws StorageError when the device could not keep it.
   */
  const recordAnswer = async (fact: AnswerFact, draft?: Draft): Promise<void> => {
    await withSpace(owner, () => record.add(owner, fact, scope(), draft))
    setStatus({ waiting: status.waiting + 1, ...(status.state === 'synced' && { state: 'waiting' as const }) })
    changed([fact.questionNo])
    tell({ type: 'changed', owner, questions: [fact.questionNo] })
    sync?.wrote()
    if (!askedToPersist) void persist()
    askedToPersist = true
  }

  return {
    owner,
    start,
    syncNow,
    recordAnswer,
    /** Our server answered something: ops that wait for a network need not wait longer. */
    reached: (): void => {
      if (status.state === 'offline') void syncNow()
    },
    states: (questionNos: readonly string[]): Promise<Map<string, StudyState>> => record.states(owner, questionNos),
    counters: (chapterNos: readonly string[]): Promise<Map<string, Counters>> => record.counters(owner, chapterNos),
    loadDraft: (key: string): Promise<unknown> => record.loadDraft(owner, key),
    saveDraft: (draft: Draft): Promise<void> => withSpace(owner, () => record.saveDraft(owner, draft)),
    dropDraft: (key: string): Promise<void> => record.dropDraft(owner, key),

    status: (): SyncStatus => status,
    onStatus: (listener: () => void): (() => void) => listen(statusListeners, listener),
    onChange: (listener: ChangeListener): (() => void) => listen(changeListeners, listener),
    /** Another tab of this student logged out. */
    onLogout: (listener: () => void): (() => void) => listen(logoutListeners, listener),
    waiting: (): Promise<WaitingOp[]> => record.waiting(owner),
    dead: (): Promise<DeadOp[]> => record.dead(owner),
    dismiss: (opId: string): Promise<void> => record.dismiss(opId).then(recount),

    /** A visitor's answers on this device. */
    visitorWaiting: async (): Promise<number> => (await record.count(ANONYMOUS)).waiting,
    /** 合并到账号: the visitor's answers become this student's. */
    adoptVisitor: async (): Promise<number> => {
      const adopted = await withSpace(owner, () => record.adopt(owner))
      changed(null)
      await recount()
      void syncNow()
      return adopted
    },

    exportWaiting: async (): Promise<Blob> => writeRescue(owner, await record.waiting(owner)),
    importRescue: async (text: string): Promise<number> => {
      const missing = await record.restore(owner, await readRescue(owner, text))
      changed(null)
      await recount()
      void syncNow()
      return missing
    },

    /** Tries to send what waits, for 5 s at most; what is left then stays. */
    sendSoon: async (): Promise<void> => {
      await Promise.race([syncNow(), new Promise((resolve) => setTimeout(resolve, LOGOUT_SYNC_MS))])
      await recount()
    },
    /**
     * The device's half of logging out. `keep` keeps the ops for this student's next login; `discard` deletes them. Caches of
     * the owner go in both cases.
     */
    logout: async (waiting: 'keep' | 'discard'): Promise<void> => {
      sync?.stop()
      sync = null
      if (waiting === 'discard') await record.discard(owner)
      await purgeCaches(owner)
      tell({ type: 'logout', owner })
    },
    close: (): void => {
      closed = true
      sync?.stop()
      channel?.close()
      db.close()
    },
  }
}
export type Engine = ReturnType<typeof createEngine>

function listen<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
