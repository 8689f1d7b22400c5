import type { VipOpen } from '#src/contract/vip.ts'
import { daysLeft, SOON_DAYS } from '#src/domain/money/vip.ts'
import { timeText } from '#src/ui/dates.ts'

const KIND_NAMES: Record<VipOpen['kind'], string> = {
  set: '题集',
  exam: '模拟考试',
  course: '课程',
  package: '套餐',
  library: '题库',
  function: '功能',
}
const UNITS: Partial<Record<VipOpen['kind'], string>> = { set: '套', exam: '场', course: '门', package: '个' }

/** What is promised, and what there is of it now. */
export function unlockText({ kind, no, title, count }: VipOpen): string {
  if (no !== null || kind === 'function') return `${KIND_NAMES[kind]}：${title}`
  const all = `全部标有 VIP 的${KIND_NAMES[kind]}`
  if (count === 0) return `${all}（暂未上架，上架后可用）`
  // What an older page has kept does not say.
  return count ? `${all}（现有 ${count} ${UNITS[kind]}）` : all
}

interface Owned {
  open: boolean
  until: number | null
}
/** Until when one has it, or had it; with the days that are left when these are few. */
export function untilText({ open, until }: Owned, now: number): string {
  if (until === null) return '长期有效'
  if (!open || until <= now) return `已于 ${timeText(until)} 到期`
  const days = daysLeft(until, now)
  return `有效期至 ${timeText(until)}${days <= SOON_DAYS ? `，还有 ${days} 天到期` : ''}`
}
/** It is over, or nearly. */
export const isEnding = ({ open, until }: Owned, now: number): boolean =>
  until !== null && (!open || daysLeft(until, now) <= SOON_DAYS)
