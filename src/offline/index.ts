import { call, observeCalls } from '#src/api/client.ts'
import { study } from '#src/contract/study.ts'
import { session } from '#src/session/session.ts'
import { writeMirror } from '#src/session/mirror.ts'
import { createEngine } from './engine.ts'
import { openRecord } from './record.ts'

export { StorageError } from './idb.ts'
export { RescueError } from './rescue.ts'
export type { AnswerFact, Counters, DeadOp, WaitingOp } from './record.ts'
export type { SyncStatus } from './engine.ts'

/** The engine of this page. Its owner is fixed for the page's life: login reloads, logout replaces the location. */
export const offline = createEngine({
  db: openRecord(),
  owner: session.owner(),
  loggedIn: session.loggedIn,
  scope: session.scope,
  send: (input) => call(study.sync, input, { timeoutMs: 20_000 }),
  now: Date.now,
  random: Math.random,
})

/** Starts syncing: at start, when the page is seen, when the network or the server is back, after writes, by the clock. */
export function startOffline(): () => void {
  const mirror = () =>
    void writeMirror({ owner: session.owner(), uid: session.get().uid, token: session.get().token }).catch(() => {})
  mirror()
  const stops = [
    offline.start(),
    session.subscribe(mirror),
    // A call that got through says more than navigator.onLine ever does.
    observeCalls({ reached: (answered) => answered && offline.reached() }),
  ]
  const wake = () => void offline.syncNow()
  const seen = () => document.visibilityState === 'visible' && wake()
  window.addEventListener('online', wake)
  document.addEventListener('visibilitychange', seen)
  return () => {
    for (const stop of stops) stop()
    window.removeEventListener('online', wake)
    document.removeEventListener('visibilitychange', seen)
  }
}
