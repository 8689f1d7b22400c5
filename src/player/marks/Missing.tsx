import { clsx } from 'clsx'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import classes from '../tools/Tools.module.css'

/** Stands where a sheet would open. Without a network on the very first visit there is none. */
export function Missing({ onClose }: { onClose: () => void }) {
  return (
    <p role="alert" className={clsx(common.wrap, classes.unkept)}>
      还没有加载完整，联网后再打开。
      <Button small look="light" onClick={onClose}>
        知道了
      </Button>
    </p>
  )
}
