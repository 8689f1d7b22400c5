import { dueByDay } from '#src/domain/study/stats.ts'
import { dayOf } from '#src/domain/time/day.ts'
import type { Database } from '../device/idb.ts'
import { createSums } from './sums.ts'

/**
 * Counts what is due by the sums of chapters: the index of 6,900 questions takes the browser 100 ms, behind each answer, in which no
 * other request to the record comes through.
 */
export const createDue = (db: Database) => ({
  dueCount: async (owner: string, now: number): Promise<number> => {
    const due = dueByDay(await createSums(db).allCounters(owner))
    return [...due].reduce((sum, [day, count]) => (day <= dayOf(now) ? sum + count : sum), 0)
  },
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
