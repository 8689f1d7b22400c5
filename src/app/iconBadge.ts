import { serverNow } from '#src/offline/device/serverClock.ts'
import { offline } from '#src/offline/index.ts'
import { readFigures } from '#src/offline/record/figures.ts'

const SOON_MS = 1_000

/** Shows a number on the app's icon, where there is such a thing; several changes at once are one. */
export function createBadge(count: () => Promise<number>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const icon = 'setAppBadge' in navigator ? navigator : null
  const show = () =>
    void count()
      // 0 takes it away. A browser that refuses does so until the app is installed.
      .then((number) => icon?.setAppBadge(number))
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

/**
 * Shows how many reviews the plan asks of today, not all that is due: who was away for months has 40 to do, not thousands.
 * @returns ends it
 */
export function followReviews(): () => void {
  const badge = createBadge(async () => (await readFigures(offline, serverNow())).plan[0]?.planned ?? 0)
  badge.soon()
  const stops = [offline.onChange(badge.soon), offline.onLogout(badge.clear)]
  return () => stops.forEach((stop) => stop())
}
