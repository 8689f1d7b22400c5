import { Link } from '@tanstack/react-router'
import type { CourseHead } from '#src/contract/course.ts'
import { priceText } from '#src/ui/list/Badges.tsx'
import classes from './Offers.module.css'

/** A course among others: its cover, what it is about and what it costs. */
export function CourseCard({ course }: { course: CourseHead }) {
  const { no, title, cover, kind, lessons, price, open, byVip } = course
  return (
    <Link to="/course/course_detail/$no" params={{ no }} className={classes.course}>
      <img src={cover.src} width={cover.width} height={cover.height} alt="" loading="lazy" decoding="async" />
      <span className={classes.about}>
        <strong>{title}</strong>
        <small>
          <span>
            {kind === 'video' ? '视频' : '音频'} · {lessons.length} 课时
          </span>
          <span data-paid={price > 0 || undefined}>
            {price > 0 && open ? (byVip ? 'VIP 已解锁' : '已拥有') : priceText(price)}
          </span>
        </small>
      </span>
    </Link>
  )
}
