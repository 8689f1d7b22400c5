import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import { openPart, type PlayerState, summary } from '#src/player/playerState.ts'
import common from '#src/ui/common.module.css'

const SECOND_MS = 1_000

interface BatchClockProps {
  state: PlayerState
  onTimeUp: () => void
}

/** Shows how much time a batch still has, or how long the student has been answering one without a limit. */
export function BatchClock({ state, onTimeUp }: BatchClockProps) {
  const limitMs = state.deal?.limitMs ?? 0
  if (limitMs > 0) return <Left limitMs={limitMs} usedMs={state.usedMs ?? 0} onTimeUp={onTimeUp} />
  const { spentMs } = summary(state)
  // The state's own time replaces the seconds that were counted here.
  return <Spent key={`${state.at} ${spentMs}`} spentMs={spentMs} runs={openPart(state) !== null} />
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
function Spent({ spentMs, runs }: { spentMs: number; runs: boolean }) {
  const [seconds, setSeconds] = useState(() => Math.floor(spentMs / SECOND_MS))
  const [count] = useState(() => () => setSeconds((old) => old + 1))
  useSeconds(runs, count)
  return (
    <time className={clsx(common.fixed, common.note, common.figures)} role="timer" aria-label={`已用 ${text(seconds)}`}>
      {text(seconds)}
    </time>
  )
}

/** Time on this batch from where it was left. */
function Left({ limitMs, usedMs, onTimeUp }: { limitMs: number; usedMs: number; onTimeUp: () => void }) {
  const [left, setLeft] = useState(() => Math.max(0, Math.ceil((limitMs - usedMs) / SECOND_MS)))
  const [count] = useState(() => () => setLeft((old) => Math.max(0, old - 1)))
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
