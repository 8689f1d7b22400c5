/** 定时关闭. It counts what plays: a lesson that is paused for long does not go silent at once when it is played again. */
export type Sleep = 'off' | 'end' | { leftMs: number }

export const SLEEP_MINUTES = [15, 30, 45, 60] as const
/** So long the voice becomes lower. */
const FADE_MS = 20_000

export const sleepAfter = (minutes: number): Sleep => ({ leftMs: minutes * 60_000 })

/** After so much more was played; 'off' when its time has come. */
export function passed(sleep: Sleep, ms: number): Sleep {
  if (typeof sleep === 'string') return sleep
  const leftMs = sleep.leftMs - Math.max(0, ms)
  return leftMs > 0 ? { leftMs } : 'off'
}

/** By how much of the student's own volume it is to be heard, 0 … 1. */
export const loudness = (sleep: Sleep): number =>
  typeof sleep === 'string' ? 1 : Math.min(1, Math.max(0, sleep.leftMs / FADE_MS))
