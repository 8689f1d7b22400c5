/** What home and 题库 show of the statistics after their first paint. */
export { StatsOpener } from './StatsOpener.tsx'
export { TodayPanel } from './TodayPanel.tsx'
