import classes from './Meter.module.css'

/** Draws a share of a whole, whose figure stands beside it. @param part 0 … 1 */
export const Meter = ({ part }: { part: number }) => (
  <div className={classes.meter} style={{ backgroundSize: `${part * 100}% 100%` }} aria-hidden="true" />
)
