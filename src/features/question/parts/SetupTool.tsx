import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import type { PlayerState } from '#src/player/playerState.ts'
import common from '#src/ui/common.module.css'
import { mayDrop } from '../mayDrop.ts'
import { choiceOf, describe, loadSetup, resetSetup } from '../setup.ts'
import { SetupSheet, WaySheet } from './SetupSheet.tsx'
import classes from './Setup.module.css'

export interface SetupToolProps {
  /** A chapter or a library; null: a list of the student's own, of which only the way can be chosen. */
  no: string | null
  /** The order of the list is not to be chosen. */
  ordered?: boolean | undefined
  state: PlayerState
  /** Gives up what there is for a batch of so many, as the set-up says now. */
  onNew: (size: number | null) => void
  onTimeUp: () => void
}

/** The way to 练习设置, and in one line what this batch was chosen by and how long it still lasts. */
export function SetupTool({ no, ordered, state, onNew, onTimeUp }: SetupToolProps) {
  const [open, setOpen] = useState(false)
  const limitMs = state.deal?.limitMs ?? 0
  // A batch that was left may have been chosen otherwise than the next one will be.
  const [setup] = useState(() => loadSetup(no ?? ''))
  const own = no === null ? '' : (state.deal?.choice ?? '')
  const text = own && (own === choiceOf(setup) ? describe(setup) : '上次的设置')
  const renew = (size: number | null) => {
    setOpen(false)
    onNew(size)
  }
  const reset = async () => {
    if (!(await mayDrop(state))) return
    resetSetup(setup.of)
    onNew(null)
  }
  return (
    <>
      <div className={clsx(common.row, common.grow, common.caption, classes.line)}>
        <button
          type="button"
          className={clsx(common.row, classes.tool, classes.what)}
          data-plain={!text || undefined}
          aria-label={`练习设置 ${text}`}
          onClick={() => setOpen(true)}
        >
          <IconAdjustmentsHorizontal className={common.fixed} size={20} aria-hidden="true" />
          <span className={clsx(common.ellipsis, classes.name)}>{text || '练习设置'}</span>
        </button>
        {limitMs > 0 && <Clock limitMs={limitMs} usedMs={state.usedMs ?? 0} onTimeUp={onTimeUp} />}
        {text && (
          <button
            type="button"
            className={clsx(common.fixed, common.accent, classes.tool)}
            onClick={() => void reset()}
          >
            恢复默认
          </button>
        )}
      </div>
      {open &&
        (no === null ? (
          <WaySheet ordered={ordered} before={state} onStart={() => renew(null)} onClose={() => setOpen(false)} />
        ) : (
          <SetupSheet no={no} before={state} onStart={renew} onClose={() => setOpen(false)} />
        ))}
    </>
  )
}

const SECOND_MS = 1_000

/** Time on this batch, not counting while the page is hidden; from where it was left. */
function Clock({ limitMs, usedMs, onTimeUp }: { limitMs: number; usedMs: number; onTimeUp: () => void }) {
  const [left, setLeft] = useState(() => Math.max(0, Math.ceil((limitMs - usedMs) / SECOND_MS)))
  const up = left === 0
  useEffect(() => {
    if (up) return onTimeUp()
    const timer = setInterval(() => {
      if (document.visibilityState !== 'hidden') setLeft((old) => Math.max(0, old - 1))
    }, SECOND_MS)
    return () => clearInterval(timer)
  }, [up, onTimeUp])
  return (
    <time className={clsx(common.fixed, common.figures)} role="timer" aria-label={up ? '时间到' : '剩余时间'}>
      {up ? '时间到，答完这题就结束' : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`}
    </time>
  )
}
