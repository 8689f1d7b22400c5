import type { Database } from '../device/idb.ts'
import { readFigures } from './figures.ts'
import { createRecord } from './record.ts'

/**
 * Counts what the plan asks of today, not all that is due: who was away for months has 40 to do, not thousands. It reads what the panel
 * of today reads: the index of 6,900 questions takes the browser 100 ms, behind each answer.
 */
export const createPlanned = (db: Database) => ({
  plannedToday: async (owner: string, now: number): Promise<number> => {
    const record = createRecord(db)
    const { plan } = await readFigures(
      {
        owner,
        allCounters: (detail) => record.allCounters(owner, detail),
        things: (kind) => record.things(owner, kind),
        states: (nos) => record.states(owner, nos),
        loadDraft: (key) => record.loadDraft(owner, key),
        // What comes back of the never wrong is chosen where it is shown.
        saveDraft: () => Promise.resolve(),
      },
      now,
    )
    return plan[0]?.planned ?? 0
  },
})

const SOON_MS = 1_000

/** Shows on the app's icon how many reviews are for today, where there is such a thing; several changes at once are one. */
export function createBadge(count: () => Promise<number>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const icon = typeof navigator !== 'undefined' && 'setAppBadge' in navigator ? navigator : null
  const show = () =>
    void count()
      // 0 takes it away. A browser that refuses does so until the app is installed.
      .then((planned) => icon?.setAppBadge(planned))
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
