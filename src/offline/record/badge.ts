import { dayOf } from '#src/domain/time/day.ts'
import { type Database, done } from '../device/idb.ts'

/** Counts by the index: it costs what is due, not what there is. */
export const createDue = (db: Database) => ({
  dueCount: (owner: string, now: number): Promise<number> =>
    db.run(['states'], 'readonly', (tx) =>
      done(
        tx
          .objectStore('states')
          .index('due')
          .count(IDBKeyRange.bound([owner, -Infinity], [owner, dayOf(now)])),
      ),
    ),
})

const SOON_MS = 1_000

/** Shows on the app's icon how many reviews are due, where there is such a thing; several changes at once are one. */
export function createBadge(count: () => Promise<number>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const icon = typeof navigator !== 'undefined' && 'setAppBadge' in navigator ? navigator : null
  const show = () =>
    void count()
      // 0 takes it away. A browser that refuses does so until the app is installed.
      .then((due) => icon?.setAppBadge(due))
      .catch(() => {})
  return {
    soon: (): void => {
      clearTimeout(timer)
      if (icon) timer = setTimeout(show, SOON_MS)
    },
    /** Whoever comes next to this device has reviews of their own. */
    clear: (): void => {
      clearTimeout(timer)
      void icon?.clearAppBadge().catch(() => {})
    },
  }
}
