import classes from '../Courses.module.css'

/** Never 100 before it is whole, never 0 once it is begun. */
export const percentOf = (share: number): number =>
  share >= 1 ? 100 : Math.min(99, Math.max(share > 0 ? 1 : 0, Math.round(share * 100)))

/** @param share 0 … 1 */
export function ProgressBar({ share }: { share: number }) {
  const percent = percentOf(share)
  return (
    <span className={classes.progress}>
      <i aria-hidden="true" style={{ '--share': `${percent}%` }} />
      <span>{percent === 100 ? '已学完' : `已学 ${percent}%`}</span>
    </span>
  )
}
