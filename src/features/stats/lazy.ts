import { lazy } from 'react'

const later = () => import('./later.ts')
export const StatsOpener = lazy(() => later().then((m) => ({ default: m.StatsOpener })))
export const TodayPanel = lazy(() => later().then((m) => ({ default: m.TodayPanel })))
