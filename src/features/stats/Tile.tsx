import { clsx } from 'clsx'
import common from '#src/ui/common.module.css'
import classes from './Tile.module.css'

interface TileProps {
  name: string
  value: string
  /** The figure is seen beside it. */
  note?: string | null
}

/** It shows one figure of a list of them. */
export const Tile = ({ name, value, note }: TileProps) => (
  <div className={clsx(common.sunken, classes.tile)}>
    <dt className={common.caption}>{name}</dt>
    <dd className={clsx(common.heading, common.strong, common.figures)}>
      {value}
      {note && <small className={clsx(common.caption, classes.below)}>{note}</small>}
    </dd>
  </div>
)
