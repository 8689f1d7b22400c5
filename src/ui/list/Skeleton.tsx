import classes from './Listing.module.css'

/** The shape of a screen while it comes. */
export function Skeleton() {
  return (
    <div className={classes.skeleton} role="status">
      <p>正在加载...</p>
      {[40, 96, 96, 96].map((height, i) => (
        // Shapes have no identity but their place.
        <i key={i} style={{ height }} />
      ))}
    </div>
  )
}
