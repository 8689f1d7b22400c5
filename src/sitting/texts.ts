import type { PartialRule, Score } from '#src/domain/question/rules.ts'
import { marksText } from '#src/domain/paper/paper.ts'

export const scoreText = ({ score, full }: { score: Score; full: Score }): string =>
  `${marksText(score)}/${marksText(full)} 分`
/** How the report of a sitting is headed. */
export const reportName = (trial: boolean): string => (trial ? '试做报告' : '成绩报告')
export const minutesText = (ms: number): string => `${Math.max(1, Math.round(ms / 60_000))} 分钟`
/** Printed on the paper of an exam, too. */
export const PARTIAL_TEXTS: Record<PartialRule, string> = {
  none: '多选题全对才得分',
  half: '多选题少选得一半，错选不得分',
  'per-option': '多选题少选按选对的比例得分，错选不得分',
}
