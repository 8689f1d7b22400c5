import type { CourseHead, CourseKind } from '#src/contract/course.ts'
import { lengthText } from '#src/domain/course/lengths.ts'

export const KIND_NAMES: Record<CourseKind, string> = { video: '视频', audio: '音频' }
/** What anybody may have of a course. */
export const TRIAL_NAMES: Record<CourseKind, string> = { video: '试看', audio: '试听' }

/** How long it is one's own. */
export const daysText = (days: number | null): string => (days === null ? '购买后长期有效' : `购买后 ${days} 天内有效`)

export const factsOf = ({ lessons, seconds, trials, open, kind }: CourseHead): string[] => [
  `${lessons.length} 课时`,
  lengthText([seconds]),
  ...(!open && trials > 0 ? [`可${TRIAL_NAMES[kind]} ${trials} 课时`] : []),
]
