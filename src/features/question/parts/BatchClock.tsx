import { clsx } from 'clsx'
import { useCallback, useEffect, useState } from 'react'
import { openPart, summary } from '#src/player/playerState.ts'
import type { PlayerHandle } from '#src/player/usePlayer.ts'
import common from '#src/ui/common.module.css'

const SECOND_MS = 1_000

interface BatchClockProps extends Pick<PlayerHandle, 'state' | 'stopwatch'> {
  onTimeUp: () => void
}

/** Shows how much time a batch still has, or how long the student has been answering one without a limit. */
export function BatchClock({ state, stopwatch, onTimeUp }: BatchClockProps) {
  const limitMs = state.deal?.limitMs ?? 0
  if (limitMs > 0)
    return <Left limitMs={limitMs} usedMs={state.usedMs ?? 0} isHeld={stopwatch.isHeld} onTimeUp={onTimeUp} />
  const { spentMs } = summary(state)
  // The state's own time replaces the seconds that were counted here.
  const isOpen = openPart(state) !== null
  return <Spent key={`${state.at} ${spentMs}`} spentMs={spentMs} isOpen={isOpen} isRunning={stopwatch.isRunning} />
}

const text = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** Calls it every second, but not while the page is hidden. */
function useSeconds(runs: boolean, count: () => void): void {
  useEffect(() => {
    if (!runs) return
    const timer = setInterval(() => document.visibilityState !== 'hidden' && count(), SECOND_MS)
    return () => clearInterval(timer)
  }, [runs, count])
}

/** Adds up what 用时 will say at the end: the time until each answer. It stands still on a question that is marked already. */
function Spent({ spentMs, isOpen, isRunning }: { spentMs: number; isOpen: boolean; isRunning: () => boolean }) {
  const [seconds, setSeconds] = useState(() => Math.floor(spentMs / SECOND_MS))
  const count = useCallback(() => setSeconds((old) => old + (isRunning() ? 1 : 0)), [isRunning])
  useSeconds(isOpen, count)
  return (
    <time className={clsx(common.fixed, common.note, common.figures)} role="timer" aria-label={`已用 ${text(seconds)}`}>
      {text(seconds)}
    </time>
  )
}

interface LeftProps {
  limitMs: number
  usedMs: number
  isHeld: () => boolean
  onTimeUp: () => void
}

/** Time on this batch from where it was left. */
function Left({ limitMs, usedMs, isHeld, onTimeUp }: LeftProps) {
  const [left, setLeft] = useState(() => Math.max(0, Math.ceil((limitMs - usedMs) / SECOND_MS)))
  const count = useCallback(() => setLeft((old) => Math.max(0, old - (isHeld() ? 0 : 1))), [isHeld])
  const up = left === 0
  useSeconds(!up, count)
  useEffect(() => {
    if (up) onTimeUp()
  }, [up, onTimeUp])
  return (
    <time
      className={clsx(common.fixed, common.small, common.strong, common.figures, left < LAST_S && common.wrong)}
      role="timer"
      aria-label={up ? '时间到' : '剩余时间'}
    >
      {up ? '时间到' : text(left)}
    </time>
  )
}
/** The end is near. */
const LAST_S = 60
