import classes from './Skeleton.module.css'

interface SkeletonProps {
  /** px, from above. */
  heights?: readonly number[]
  /** Makes it as wide as a question instead of a list. */
  narrow?: true
  says?: string
}

/** The shape of a screen while it comes. */
export function Skeleton({ heights = [40, 96, 96, 96], narrow, says = '正在加载...' }: SkeletonProps) {
  return (
    <div className={classes.skeleton} data-narrow={narrow} role="status">
      <p>{says}</p>
      {heights.map((height, i) => (
        // Shapes have no identity but their place.
        <i key={i} style={{ height }} />
      ))}
    </div>
  )
}
