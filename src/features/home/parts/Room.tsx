import classes from './Room.module.css'

/** The shape of what is on, while it comes. */
export const Room = () => (
  <div className={classes.room} role="status">
    <p>正在加载...</p>
    <i />
    <i />
  </div>
)
