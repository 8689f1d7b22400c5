import { clsx } from 'clsx'
import common from '#src/ui/common.module.css'
import classes from './Offers.module.css'

/** The look of a card that leads to what the page offers. */
export const tileLook = clsx(common.column, common.card, common.link, classes.tile)
