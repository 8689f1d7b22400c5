import { useEffect, useState } from 'react'
import { type DeadOp, offline } from '#src/offline/index.ts'
import { Button } from '#src/ui/Button.tsx'
import classes from '../Paper.module.css'

/** Of this sitting, from this device. */
const refusalOf = async (id: string): Promise<DeadOp | null> =>
  (await offline.dead()).find(({ kind, payload }) => kind === 'handIn' && payload.attemptId === id) ?? null

interface RefusedHandInProps {
  sittingId: string
  /** Resolves when it is handed in anew, on this device. */
  onAgain: (refused: DeadOp) => Promise<void>
}

/** Says that the server did not take the hand-in, why, and that nothing is lost; nothing when it did. */
export function RefusedHandIn({ sittingId, onAgain }: RefusedHandInProps) {
  const [refused, setRefused] = useState<DeadOp | null>(null)
  useEffect(() => {
    let current = true
    const look = () =>
      void refusalOf(sittingId).then(
        (found) => current && setRefused(found),
        () => {},
      )
    look()
    const stop = offline.onChange(look)
    return () => {
      current = false
      stop()
    }
  }, [sittingId])
  if (!refused) return null
  const again = async () => {
    await onAgain(refused)
    setRefused(null)
  }
  return (
    <div role="status">
      <p className={classes.warm}>这次交卷没有被接受：{refused.msg}。答案都在本机，可以再交一次。</p>
      <Button onClick={() => void again()}>再次交卷</Button>
    </div>
  )
}
