import { clsx } from 'clsx'
import common from '../common.module.css'
import classes from './Skeleton.module.css'

interface SkeletonProps {
  /** px, from above. */
  heights?: readonly number[]
  /** Makes it as wide as a question instead of a list. */
  narrow?: true
  says?: string
}

/** The shape of a screen while it comes: its title, and what is below it. */
export const Skeleton = ({ heights = [40, 96, 96, 96], narrow, says }: SkeletonProps) => (
  <Shapes heights={heights} spoken={2} className={clsx(classes.skeleton, narrow && classes.narrow)} says={says} />
)

interface ShapesProps {
  /** px, from above. */
  heights: readonly number[]
  className?: string | undefined
  says?: string | undefined
  /** The row of the shape whose place the words share: they take no room of their own. */
  spoken?: number
}

/** Grey shapes of what comes, and the words for who does not see them. */
export function Shapes({ heights, className, says = '正在加载...', spoken = 1 }: ShapesProps) {
  const gridArea = `${spoken} / 1`
  return (
    <div className={clsx(common.stack, className)} role="status">
      <p className={clsx(common.quiet, classes.words)} style={{ gridArea }}>
        {says}
      </p>
      {heights.map((height, i) => (
        // Shapes have no identity but their place.
        <i key={i} className={classes.shape} style={{ height, gridArea: i === spoken - 1 ? gridArea : undefined }} />
      ))}
    </div>
  )
}
