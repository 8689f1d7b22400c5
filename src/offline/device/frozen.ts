import { expectFrost, type Frost } from './idb.ts'

/** Our server answers it with `Clear-Site-Data: "cache"` (server/http/static.ts), which takes away the pages that are kept. */
const LET_GO = '/let_go'

/**
 * A page that is kept for the way back is stopped wherever it stands. In WebKit a transaction it has open then holds its stores
 * against every other page for good: so it is given up, and done again should the page come back. So is the making of a database,
 * also before the page has heard of it: WebKit shows its transaction at the request before it tells of it. A making that
 * is being committed cannot be given up, and WebKit waits for its page all the same: the next page has that one taken away.
 */
export function letGoWhenFrozen(): () => void {
  if (typeof window === 'undefined') return () => {}
  const open = new Set<IDBTransaction>()
  const asked = new Set<IDBOpenDBRequest>()
  let isFreeing = false
  const stopped = new WeakSet<IDBTransaction | IDBOpenDBRequest>()
  const giveUp = (tx: IDBTransaction, what: IDBTransaction | IDBOpenDBRequest): void => {
    try {
      tx.abort()
      stopped.add(what)
    } catch {
      // It is being committed.
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
    held: () => {
      if (isFreeing) return
      isFreeing = true
      fetch(LET_GO, { cache: 'no-store' }).catch(() => (isFreeing = false))
    },
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
