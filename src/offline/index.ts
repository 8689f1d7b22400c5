import { call, observeCalls } from '#src/api/client.ts'
import type { study } from '#src/contract/study.ts'
import { SYNC_ADDRESS, SYNC_TIMEOUT_MS } from '#src/contract/sync.ts'
import { session } from '#src/session/session.ts'
import { writeMirror } from '#src/session/mirror.ts'
import { heardServer, skewMs } from './device/serverClock.ts'
import { databaseNames } from './device/databases.ts'
import { letGoWhenFrozen } from './device/frozen.ts'
import type { AnyDraftKey } from './drafts/kind.ts'
import { createEngine } from './engine.ts'
import { StorageError } from './device/idb.ts'
import { MEDIA_DB, SYNC_TAG } from './device/names.ts'
import { openRecord } from './device/rows.ts'
import { hearWorker, letWorkerWrite, mended, onTear } from './device/tornLog.ts'

export { answerAct } from './device/rows.ts'
export type { Act, AnswerFact, Counters, DeadOp, WaitingOp } from './device/rows.ts'
export type { Ledger, VisitorRecord } from './record/ledger.ts'
export type { SyncStatus } from './status.ts'

// Before the first transaction: a visitor's page, and one that is left at once, would hold the record against all later ones.
letGoWhenFrozen()

/** The engine of this page. Its owner is fixed for the page's life: login reloads, logout replaces the location. */
export const offline = createEngine({
  db: openRecord(),
  owner: session.owner(),
  loggedIn: session.loggedIn,
  scope: session.scope,
  send: async (input) => {
    const answer = await call<typeof study.sync>(SYNC_ADDRESS, input, { timeoutMs: SYNC_TIMEOUT_MS })
    heardServer(answer.serverNow)
    return answer
  },
  caller: () => ({ token: session.get().token, owner: session.owner(), scope: session.scope() }),
  now: () => Date.now(),
  steady: () => performance.now(),
  skew: skewMs,
  random: Math.random,
})

/** Starts syncing: at start, when the page is seen, when the network or the server is back, after writes, by the clock. */
export function startOffline(): () => void {
  const mirror = () =>
    void writeMirror({ owner: session.owner(), uid: session.get().uid, token: session.get().token }).catch(() => {})
  mirror()
  // A repair that finds no room is tried again before the student's next act, and at the next start.
  const mend = () => void mended().catch(() => {})
  mend()
  const stops = [
    offline.start(),
    onTear(mend),
    session.subscribe(mirror),
    // A call that got through says more than navigator.onLine ever does.
    observeCalls({ reached: (answered) => answered && offline.reached() }),
  ]
  void hearWorker()
  const wake = () => void offline.syncNow()
  const turned = () => (document.hidden ? askBackgroundSync() : wake())
  window.addEventListener('online', wake)
  // Without a network a try shows that there is none, and the mark says so.
  window.addEventListener('offline', wake)
  document.addEventListener('visibilitychange', turned)
  return () => {
    for (const stop of stops) stop()
    window.removeEventListener('online', wake)
    window.removeEventListener('offline', wake)
    document.removeEventListener('visibilitychange', turned)
  }
}

let refused = false
/** Asks, at the start of a page, whether the browser keeps a record at all. One that hangs, is full, or is another release's is one. */
export async function keepsRecords(): Promise<boolean> {
  // Under no key, for only whether the record can be read counts.
  refused = await offline.loadDraft('' as AnyDraftKey).then(
    () => false,
    (error: unknown) => error instanceof StorageError && error.kind === 'unavailable',
  )
  return !refused
}
/** From its start this page could keep no record: to wait until an answer is saved would be to wait for ever. */
export const recordsAreRefused = (): boolean => refused

/** Whether a lesson was ever downloaded here, or may have been: where the browser does not tell. */
export const hasLessons = async (): Promise<boolean> => (await databaseNames())?.includes(MEDIA_DB) ?? true

interface SyncRegistration extends ServiceWorkerRegistration {
  readonly sync?: { register: (tag: string) => Promise<void> }
}

/** Where there is Background Sync, the worker sends what still waits after the page is gone. */
function askBackgroundSync(): void {
  if (offline.status().waiting === 0 || !('serviceWorker' in navigator)) return
  void askWhenReady().catch(() => {})
}
async function askWhenReady(): Promise<void> {
  const registration: SyncRegistration = await navigator.serviceWorker.ready
  await letWorkerWrite().catch(() => {})
  await registration.sync?.register(SYNC_TAG)
}
