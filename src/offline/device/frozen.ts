import { expectFrost, type Frost } from './idb.ts'

/**
 * A page that is kept for the way back is stopped wherever it stands. In WebKit a transaction it has open then holds its stores
 * against every other page for good: so it is given up, and done again should the page come back. So is the making of a database,
 * also before the page has heard of it: WebKit shows its transaction at the request before it tells of it.
 */
export function letGoWhenFrozen(): () => void {
  if (typeof window === 'undefined') return () => {}
  const open = new Set<IDBTransaction>()
  const asked = new Set<IDBOpenDBRequest>()
  const stopped = new WeakSet<IDBTransaction | IDBOpenDBRequest>()
  const giveUp = (tx: IDBTransaction, what: IDBTransaction | IDBOpenDBRequest): void => {
    try {
      tx.abort()
      stopped.add(what)
    } catch {
      // It is being committed, which needs nobody.
    }
  }
  const frost: Frost = {
    thaw: null,
    begun: (tx) => {
      open.add(tx)
      const over = () => open.delete(tx)
      tx.addEventListener('complete', over)
      tx.addEventListener('abort', over)
    },
    asked: (request) => {
      asked.add(request)
      const heard = () => asked.delete(request)
      request.addEventListener('success', heard)
      request.addEventListener('error', heard)
    },
    stopped: (what) => stopped.has(what),
  }
  const freeze = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return
    frost.thaw = new Promise((resolve) =>
      window.addEventListener(
        'pageshow',
        () => {
          frost.thaw = null
          resolve()
        },
        { once: true },
      ),
    )
    for (const tx of open) giveUp(tx, tx)
    for (const request of asked) if (request.transaction) giveUp(request.transaction, request)
  }
  expectFrost(frost)
  window.addEventListener('pagehide', freeze)
  return () => {
    window.removeEventListener('pagehide', freeze)
    expectFrost(null)
  }
}
