import classes from './Meter.module.css'

/** How much of a whole; the figure stands beside it. @param part 0 … 1 */
export const Meter = ({ part }: { part: number }) => (
  <span className={classes.meter} aria-hidden="true">
    <i className={classes.bar} style={{ width: `${part * 100}%` }} />
  </span>
)
