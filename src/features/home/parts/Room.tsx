import { Shapes } from '#src/ui/list/Skeleton.tsx'
import classes from '../HomePage.module.css'

/** The shape of what is on, while it comes. */
export const Room = () => <Shapes heights={[132, 132]} className={classes.room} />
