import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { CourseHead } from '#src/contract/course.ts'
import { CoverPicture } from '#src/ui/CoverPicture.tsx'
import common from '#src/ui/common.module.css'
import { priceText } from '#src/ui/list/Badges.tsx'
import classes from './Offers.module.css'
import { tileLook } from './tileLook.ts'

/** A course among others: its cover, what it is about and what it costs. */
export function CourseCard({ course }: { course: CourseHead }) {
  const { no, title, cover, kind, lessons, price, open, byVip } = course
  return (
    <Link to="/course/course_detail/$no" params={{ no }} className={clsx(tileLook, classes.course)}>
      <CoverPicture of={cover} className={classes.cover} />
      <span className={clsx(common.column, classes.about)}>
        <strong className={classes.title}>{title}</strong>
        <small className={clsx(common.between, common.caption)}>
          <span>
            {kind === 'video' ? '视频' : '音频'} · {lessons.length} 课时
          </span>
          <span className={price > 0 ? clsx(common.strong, common.warm) : undefined}>
            {price > 0 && open ? (byVip ? 'VIP 已解锁' : '已拥有') : priceText(price)}
          </span>
        </small>
      </span>
    </Link>
  )
}
