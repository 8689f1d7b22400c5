import { Link } from '@tanstack/react-router'
import type { ExamHead } from '#src/contract/exam.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { examState } from '#src/domain/paper/exam.ts'
import { Badges } from '#src/ui/list/Badges.tsx'
import common from '#src/ui/common.module.css'
import { clockText, timeText } from '#src/ui/dates.ts'
import listing from '#src/ui/list/Listing.module.css'
import { tileLook } from './tileLook.ts'

/** A mock exam that one can still apply for or enter. */
export function ExamCard({ exam, now }: { exam: ExamHead; now: number }) {
  const running = examState(exam, now) === 'running'
  return (
    <Link to="/exam/exam_detail/$examId" params={{ examId: exam.no }} className={tileLook}>
      <Badges kind={exam.kind === 'mock' ? '模考' : '真题'} of={exam}>
        <span className={listing.badge}>{running ? '进行中' : '未开始'}</span>
        {exam.applied && <span className={listing.badge}>已报名</span>}
      </Badges>
      <strong className={common.subheading}>{exam.title}</strong>
      <span className={listing.facts}>
        <span>{whenText(exam)}</span>
        <span>{exam.minutes} 分钟</span>
        {exam.applyCount > 0 && <span>{exam.applyCount} 人报名</span>}
      </span>
    </Link>
  )
}

function whenText({ window }: ExamHead): string {
  if (!window) return '随时可考'
  const sameDay = dayOf(window.from) === dayOf(window.to)
  return sameDay
    ? `${timeText(window.from)}–${clockText(window.to)}`
    : `${timeText(window.from)} 至 ${timeText(window.to)}`
}
