import { clsx } from 'clsx'
import { useCallback } from 'react'
import { useRecord } from '#src/offline/useRecord.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import type { SheetPolicy } from './engine/sheetPolicy.ts'
import { refusalsOf } from './engine/refusals.ts'
import outcome from './Outcome.module.css'

interface RefusedHandInProps extends Pick<SheetPolicy, 'marked'> {
  /** The sitting's. */
  id: string
  /** It is being handed in. */
  busy: boolean
  onAgain: () => void
}

/** Says that the server did not take the hand-in, why, and that nothing is lost; nothing when it did. */
export function RefusedHandIn({ marked, id, busy, onAgain }: RefusedHandInProps) {
  const { data } = useRecord(useCallback(() => refusalsOf(marked, id), [marked, id]))
  const [refused] = data ?? []
  if (!refused) return null
  return (
    <div role="status" className={common.stack}>
      <p className={clsx(common.warm, outcome.warning)}>
        这次交卷没有成功：{refused.msg}。答案都在这台设备上，可以再交一次。
      </p>
      <Button busy={busy} onClick={onAgain}>
        再次交卷
      </Button>
    </div>
  )
}
