import classes from './StudySkeleton.module.css'

/** The shape of the library list while it comes. */
export function LibrarySkeleton() {
  return (
    <div className={classes.skeleton} role="status">
      <p>正在加载...</p>
      <i style={{ width: '30%', height: 32 }} />
      <i style={{ height: 260 }} />
      <i style={{ height: 260 }} />
    </div>
  )
}
