import { useCallback } from 'react'
import { type DeadOp, offline } from '#src/offline/index.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import { Button } from '#src/ui/Button.tsx'
import classes from './Paper.module.css'

/** Of this sitting, from this device. */
const refusalOf = async (id: string): Promise<DeadOp | null> =>
  (await offline.dead()).find(({ kind, payload }) => kind === 'handIn' && payload.attemptId === id) ?? null

interface RefusedHandInProps {
  sittingId: string
  /** It is being handed in. */
  busy: boolean
  onAgain: (refused: DeadOp) => void
}

/** Says that the server did not take the hand-in, why, and that nothing is lost; nothing when it did. */
export function RefusedHandIn({ sittingId, busy, onAgain }: RefusedHandInProps) {
  const { data: refused } = useRecord(useCallback(() => refusalOf(sittingId), [sittingId]))
  if (!refused) return null
  return (
    <div role="status">
      <p className={classes.warm}>这次交卷没有被接受：{refused.msg}。答案都在本机，可以再交一次。</p>
      <Button busy={busy} onClick={() => onAgain(refused)}>
        再次交卷
      </Button>
    </div>
  )
}
