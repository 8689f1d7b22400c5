import classes from './StudySkeleton.module.css'

/** The shape of a question while it comes. */
export function StudySkeleton({ says = '正在加载...' }: { says?: string }) {
  return (
    <div className={classes.skeleton} role="status">
      <p>{says}</p>
      <i style={{ width: '40%' }} />
      <i style={{ height: 72 }} />
      {['A', 'B', 'C', 'D'].map((letter) => (
        <i key={letter} style={{ height: 54 }} />
      ))}
    </div>
  )
}
