import { IconCloudOff } from '@tabler/icons-react'
import classes from './PriceNote.module.css'

/** Beside prices of which nobody can say whether they still hold. */
export function PriceNote({ of }: { of: string }) {
  return (
    <p className={classes.note} role="status">
      <IconCloudOff size={18} aria-hidden="true" />
      <span>这里是上次看到的{of}，价格以联网为准</span>
    </p>
  )
}
