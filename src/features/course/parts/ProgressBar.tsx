import { clsx } from 'clsx'
import common from '#src/ui/common.module.css'
import classes from '../Courses.module.css'

/** Never 100 before it is whole, never 0 once it is begun. */
export const percentOf = (share: number): number =>
  share >= 1 ? 100 : Math.min(99, Math.max(share > 0 ? 1 : 0, Math.round(share * 100)))

/** @param share 0 … 1 */
export function ProgressBar({ share }: { share: number }) {
  const percent = percentOf(share)
  return (
    <span className={clsx(common.row, common.caption, common.figures)}>
      <i className={clsx(common.grow, classes.bar)} aria-hidden="true" style={{ '--share': `${percent}%` }} />
      <span className={common.fixed}>{percent === 100 ? '已学完' : `已学 ${percent}%`}</span>
    </span>
  )
}
