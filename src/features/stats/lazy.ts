import { optional } from '#src/ui/optional.ts'

const later = () => import('./afterFirst.ts')
export const StatsOpener = optional(() => later().then((m) => m.StatsOpener))
export const TodayPanel = optional(() => later().then((m) => m.TodayPanel))
