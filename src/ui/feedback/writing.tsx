import { clsx } from 'clsx'
import { type ReactNode, useEffect, useState } from 'react'
import { unkeptWords } from '#src/domain/app/failureWords.ts'
import { Button } from '../Button.tsx'
import common from '../common.module.css'
import classes from './writing.module.css'

interface Writing {
  write: (work: () => Promise<unknown>, name?: string) => Promise<void>
  /** Says what the device could not keep, until it is kept. */
  unkept: ReactNode
}

/** What a student does is written to the device: what it could not keep can be tried again. */
export function useWriting(className = clsx(common.wrap, classes.unkept)): Writing {
  const [failed, setFailed] = useState<{ name: string; work: () => Promise<unknown>; error: unknown } | null>(null)
  // What was kept says nothing of another thing that was not.
  const write: Writing['write'] = (work, name = '') =>
    work().then(
      () => setFailed((old) => (old?.work === work ? null : old)),
      (error: unknown) => setFailed({ name, work, error }),
    )
  const unkept = failed && (
    <div role="alert" className={className}>
      {failed.name}未保存：{unkeptWords(failed.error)}。
      <Button small look="light" tone="danger" onClick={() => void write(failed.work, failed.name)}>
        重试
      </Button>
    </div>
  )
  return { write, unkept }
}

/** Something that can be done and undone. */
export interface Act {
  /** What is said once it is done. */
  text: string
  act: () => Promise<unknown>
  undo: () => Promise<unknown>
}

interface Undoing {
  perform: (act: Act) => void
  bar: ReactNode
}

/**
 * Does things and offers 撤销, the last one first.
 * @param lastsMs how long it is offered; null: as long as the screen is there, because there is no other way back
 * @param onDone the control that was used may be gone: where the focus goes
 */
export function useUndo(lastsMs: number | null, onDone?: () => void): Undoing {
  const { write, unkept } = useWriting()
  const [done, setDone] = useState<readonly Act[]>([])
  const last = done.at(-1)
  useEffect(() => {
    if (!last || lastsMs === null) return
    const timer = setTimeout(() => setDone([]), lastsMs)
    return () => clearTimeout(timer)
  }, [last, lastsMs])
  const change = (work: () => Promise<unknown>, next: (old: readonly Act[]) => readonly Act[]): void =>
    void write(async () => {
      await work()
      setDone(next)
      onDone?.()
    })
  const bar = (
    <>
      {unkept}
      <div role="status" className={classes.undo}>
        {last && (
          <p className={clsx(common.row, classes.done)}>
            {last.text}
            <button
              type="button"
              className={classes.act}
              onClick={() => change(last.undo, (old) => old.filter((each) => each !== last))}
            >
              撤销
            </button>
          </p>
        )}
      </div>
    </>
  )
  return { perform: (act) => change(act.act, (old) => [...old, act]), bar }
}
