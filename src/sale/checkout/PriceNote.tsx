import { IconCloudOff } from '@tabler/icons-react'
import { clsx } from 'clsx'
import common from '#src/ui/common.module.css'
import classes from '../Sale.module.css'

/** Beside prices of which nobody can say whether they still hold. */
export function PriceNote({ of }: { of: string }) {
  return (
    <p className={clsx(common.row, common.small, classes.note)} role="status">
      <IconCloudOff className={common.fixed} size={18} aria-hidden="true" />
      <span>这里是上次看到的{of}，价格以联网为准</span>
    </p>
  )
}
