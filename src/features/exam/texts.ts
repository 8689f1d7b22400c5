import type { ExamFlag, ExamMode } from '#src/contract/sitting.ts'
import type { ExamKind, Unranked, Window } from '#src/contract/exam.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { type ExamState, RANKED_LEAST } from '#src/domain/paper/exam.ts'
import type { Outcome } from '#src/domain/paper/examReport.ts'
import { clockText, timeText } from '#src/ui/dates.ts'

export const KIND_NAMES: Record<ExamKind, string> = { mock: '模考', past: '真题' }
export const STATE_NAMES: Record<ExamState, string> = { coming: '未开始', running: '进行中', over: '已结束' }
/**
 * 5月16日 09:00–12:00, or over several days; of those that began on a day before, only the end matters.
 * @param now epoch ms by the server's clock.
 */
export function windowText(window: Window | null, now: number): string {
  if (!window) return '随时可考'
  if (dayOf(window.from) < dayOf(now) && now < window.to) return `即日起至 ${timeText(window.to)}`
  const sameDay = dayOf(window.from) === dayOf(window.to)
  return sameDay
    ? `${timeText(window.from)}–${clockText(window.to)}`
    : `${timeText(window.from)} 至 ${timeText(window.to)}`
}

const UNITS = [
  [86_400, '天'],
  [3_600, '小时'],
  [60, '分'],
  [1, '秒'],
] as const

/** How long until then, in its two largest units. */
export function countdownText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const largest = UNITS.findIndex(([size]) => seconds >= size)
  const from = largest < 0 ? 2 : Math.min(2, largest)
  return UNITS.slice(from, from + 2)
    .map(([size, unit], i) => `${Math.floor((i === 0 ? seconds : seconds % (UNITS[from]?.[0] ?? 1)) / size)} ${unit}`)
    .join(' ')
}

export const FLAG_TEXTS: Record<ExamFlag, [name: string, why: string]> = {
  late: ['离线交卷', '按封卷时间计，上传较晚'],
  clock: ['时钟不一致', '设备时钟与考试计时相差超过一分钟，不计入排名'],
  over: ['超时', '用时超过规定，不计入排名'],
}
/** 45 秒, 3 分 20 秒, 1 小时 5 分 */
export const tookText = (ms: number): string => (ms < 59_000 ? `${Math.round(ms / 1000)} 秒` : countdownText(ms))
export const MODE_NAMES: Record<ExamMode, [name: string, about: string]> = {
  exam: ['真实', '计时不停，到时自动交卷'],
  practice: ['练习', '离开时暂停；不计入排名，之后再考也不计入'],
}

export const UNRANKED_TEXTS: Record<Unranked, string> = {
  practice: '练习方式作答，不计入排名。',
  again: '排名只看第一次作答，练习也算一次；这次不是第一次。',
  after: '第一次打开试卷时考试已经结束，不计入排名。',
  clock: '设备时钟与考试计时相差超过一分钟，不计入排名。',
  over: '用时超过规定，不计入排名。',
  edited: '答卷与交卷时封存的不一致，不计入排名。',
  closed: '上传时排名已截止，不计入排名。',
}
/** Instead of places among few. */
export const FEW_TEXT = `参加排名的满 ${RANKED_LEAST} 人后，显示名次、平均分和得分分布。`
/** Beside a name in the ranking. */
export const LATE_TEXT: [name: string, why: string] = ['离线交卷', '答卷在封卷一分钟以后才上传']
/** By a sign as well as in words: never by colour alone. */
export const OUTCOME_TEXTS: Record<Outcome, [sign: string, name: string]> = {
  right: ['✓', '答对'],
  partial: ['½', '部分答对'],
  wrong: ['✗', '答错'],
  blank: ['–', '未答'],
  self: ['评', '待自评'],
}
/** 873 per mille is 87.3%. */
export const beatenText = (perMille: number): string => `${perMille / 10}%`
