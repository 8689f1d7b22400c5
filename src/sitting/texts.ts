import type { Score } from '#src/domain/marking.ts'
import { marksText } from '#src/domain/paper.ts'

export const scoreText = ({ score, full }: { score: Score; full: Score }): string =>
  `${marksText(score)}/${marksText(full)} 分`
/** How the report of a sitting is headed. */
export const reportName = (trial: boolean): string => (trial ? '试做报告' : '成绩报告')
export const minutesText = (ms: number): string => `${Math.max(1, Math.round(ms / 60_000))} 分钟`
