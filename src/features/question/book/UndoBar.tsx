import { useCallback, useEffect, useState } from 'react'
import { feedback } from '#src/ui/feedback.ts'
import classes from './Book.module.css'

const SHOWN_MS = 8_000

/** Something that was done, and how it is undone. */
export interface Acted {
  text: string
  /** What is being written. */
  kept: Promise<unknown>
  undo: () => Promise<unknown>
}

const keep = (work: Promise<unknown>, then: () => void): void =>
  void work.then(then, () => feedback.toast('未保存：本机存储写入失败，请再试一次'))

/** @param onDone the control that was used may be gone: where the focus goes */
export function useUndo(onDone: () => void) {
  const [acted, setActed] = useState<Acted | null>(null)
  useEffect(() => {
    if (!acted) return
    const timer = setTimeout(() => setActed(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [acted])
  const offer = useCallback(
    (next: Acted) =>
      keep(next.kept, () => {
        setActed(next)
        onDone()
      }),
    [onDone],
  )
  const undo = () => {
    setActed(null)
    if (acted) keep(acted.undo(), onDone)
  }
  return { acted, offer, undo }
}

/** Says what was done, with 撤销; it goes by itself. */
export function UndoBar({ undo: { acted, undo } }: { undo: ReturnType<typeof useUndo> }) {
  return (
    <div role="status" className={classes.undo}>
      {acted && (
        <p>
          {acted.text}
          <button type="button" onClick={undo}>
            撤销
          </button>
        </p>
      )}
    </div>
  )
}
