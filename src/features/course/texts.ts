import type { CourseHead, CourseKind } from '#src/contract/course.ts'

export const KIND_NAMES: Record<CourseKind, string> = { video: '视频课', audio: '音频课' }

const two = (n: number): string => String(n).padStart(2, '0')

/** 3:05, 1:02:03 */
export function clockText(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds % 60)]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** 3 小时 20 分钟; of what is shorter than an hour the minutes alone, one at least. */
export function lengthText(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return `${minutes} 分钟`
  return minutes % 60 === 0 ? `${hours} 小时` : `${hours} 小时 ${minutes % 60} 分钟`
}

/** How long it is one's own. */
export const daysText = (days: number | null): string => (days === null ? '购买后长期有效' : `购买后 ${days} 天内有效`)

export const factsOf = ({ lessons, seconds, trials, open }: CourseHead): string[] => [
  `${lessons.length} 课时`,
  lengthText(seconds),
  ...(!open && trials > 0 ? [`可试看 ${trials} 课时`] : []),
]
