import { clsx } from 'clsx'
import { useLayoutEffect, useRef, useState } from 'react'
import common from '#src/ui/common.module.css'
import { useBackCloses } from '#src/ui/dialog/useBackCloses.ts'
import type { Stroke } from '#src/offline/drafts/player.ts'
import { visible } from './strokes.ts'
import actions from '../Actions.module.css'
import classes from './Tools.module.css'
import { usePen } from './usePen.ts'

const ACTION = clsx(common.strong, actions.action)

interface PadProps {
  strokes: readonly Stroke[]
  onDraw: (change: (old: readonly Stroke[]) => Stroke[]) => void
  onClose: () => void
}

/** 草稿纸: a clear sheet over the question, which scrolls with the page under two fingers or the wheel. */
export function Pad({ strokes, onDraw, onClose }: PadProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [kind, setKind] = useState<'pen' | 'eraser'>('pen')
  useBackCloses(onClose)
  // Closed while it is still in the document: only then does the browser give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current
    if (element && !element.open) element.showModal()
    return () => element?.close()
  }, [])
  usePen(canvas, kind, strokes, (stroke) => onDraw((old) => [...old, stroke]))
  return (
    <dialog
      ref={dialog}
      className={classes.pad}
      aria-label="草稿纸"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <canvas ref={canvas} className={classes.canvas} />
      <div className={clsx(common.row, classes.padBar)} role="toolbar" aria-label="草稿纸工具">
        <button type="button" className={ACTION} aria-pressed={kind === 'pen'} onClick={() => setKind('pen')}>
          笔
        </button>
        <button type="button" className={ACTION} aria-pressed={kind === 'eraser'} onClick={() => setKind('eraser')}>
          橡皮
        </button>
        <button
          type="button"
          className={ACTION}
          disabled={strokes.length === 0}
          onClick={() => onDraw((old) => old.slice(0, -1))}
        >
          撤销
        </button>
        <button
          type="button"
          className={ACTION}
          disabled={visible(strokes).length === 0}
          onClick={() => onDraw((old) => [...old, { kind: 'wipe', points: [] }])}
        >
          清空
        </button>
        <button type="button" className={ACTION} onClick={onClose}>
          收起
        </button>
      </div>
    </dialog>
  )
}
