import { expectFrost, type Frost } from './idb.ts'

/**
 * A page that is kept for the way back is stopped wherever it stands. In WebKit a transaction it has open then holds its stores
 * against every other page for good: so it is given up, and done again should the page come back.
 */
export function letGoWhenFrozen(): () => void {
  if (typeof window === 'undefined') return () => {}
  const open = new Set<IDBTransaction>()
  const stopped = new WeakSet<IDBTransaction>()
  const frost: Frost = {
    thaw: null,
    begun: (tx) => {
      open.add(tx)
      const over = () => open.delete(tx)
      tx.addEventListener('complete', over)
      tx.addEventListener('abort', over)
    },
    stopped: (tx) => stopped.has(tx),
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
    for (const tx of open)
      try {
        tx.abort()
        stopped.add(tx)
      } catch {
        // It is being committed, which needs nobody.
      }
  }
  expectFrost(frost)
  window.addEventListener('pagehide', freeze)
  return () => {
    window.removeEventListener('pagehide', freeze)
    expectFrost(null)
  }
}
