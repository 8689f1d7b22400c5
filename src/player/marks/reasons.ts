import type { OpPayload, ReportStatus } from '#src/contract/study.ts'

/** Kinds of 纠错, as students read them. */
export const REASON_NAMES: Record<OpPayload<'report'>['reason'], string> = {
  answer: '答案有误',
  stem: '题干有误',
  analysis: '解析有误',
  picture: '图片问题',
  other: '其他',
}
/** What becomes of one. */
export const STATUS_NAMES: Record<ReportStatus, string> = { received: '已收到', fixed: '已修正', declined: '不采纳' }
/** As the contract has it. */
export const REPORT_MAX = 500
