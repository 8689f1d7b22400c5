import { MINUTE_MS } from '#src/domain/time/day.ts'
import { IconAlarm, IconClock } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { useState } from 'react'
import common from '#src/ui/common.module.css'
import hidden from '#src/ui/text/Unseen.module.css'
import classes from './Countdown.module.css'

/** Minutes left that are told, once each. */
const TOLD = [15, 5, 1]
const SOON_MS = 5 * MINUTE_MS

/** 1:05:09 */
export function leftText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (n: number) => String(n).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${two(minutes)}:${two(rest)}`
}

/** The last of the marks that has been passed; null before the first. */
export const passed = (leftMs: number): number | null =>
  TOLD.filter((minutes) => leftMs <= minutes * MINUTE_MS).at(-1) ?? null

/** Shows how much time is left; who cannot see it is told at 15, 5 and 1 minutes. Near the end its colour and its sign change, and nothing moves. */
export function Countdown({ leftMs }: { leftMs: number }) {
  const [first] = useState(() => passed(leftMs))
  const now = passed(leftMs)
  const soon = leftMs <= SOON_MS
  const Icon = soon ? IconAlarm : IconClock
  return (
    <>
      <span
        className={clsx(common.inline, common.fixed, common.strong, common.figures, common.accent, classes.left)}
        role="timer"
        aria-label="剩余时间"
        data-look={soon ? 'soon' : undefined}
      >
        <Icon size={16} aria-hidden="true" />
        {leftText(leftMs)}
      </span>
      <span role="status" className={hidden.unseen}>
        {now !== first && now !== null && `还剩 ${now} 分钟`}
      </span>
    </>
  )
}
