import { clearLine, cursorTo } from 'node:readline'
import type { Progress } from '#server/content/progress.ts'

/** A terminal, or what stands for one. */
type Terminal = Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean }
export interface ProgressLine {
  tell: Progress
  /** Before anything else is written. */
  clear: () => void
}

/** Work that is over by then is not spoken of. */
const SHORT_MS = 500
const EVERY_MS = 100
/** Before it what remains cannot be told from what is done. */
const SURE_MS = 3000
const WIDTH = 24

/**
 * How far long work is, in one line of a terminal that goes when it is done; nothing where the output is no terminal.
 * @param now ms
 */
export function progressLine(terminal: Terminal, now: () => number = () => performance.now()): ProgressLine {
  if (!terminal.isTTY) return { tell: () => {}, clear: () => {} }
  let [work, began, shownAt] = ['', 0, 0]
  const clear = () => {
    if (shownAt === 0) return
    cursorTo(terminal as NodeJS.WriteStream, 0)
    clearLine(terminal as NodeJS.WriteStream, 0)
    shownAt = 0
  }
  const tell: Progress = (what, done, all) => {
    const at = now()
    const isNext = what !== work
    if (isNext) [work, began] = [what, at]
    // Work that is told of once, at its start, follows on what is shown.
    const isDue = isNext ? shownAt > 0 : at - began >= SHORT_MS && at - shownAt >= EVERY_MS
    if (!isDue) return
    clear()
    terminal.write(lineOf(what, done, all, at - began))
    shownAt = at
  }
  return { tell, clear }
}

function lineOf(what: string, done: number, all: number, tookMs: number): string {
  if (all <= 0 || done >= all) return `${what}…`
  const share = done / all
  const full = Math.floor(share * WIDTH)
  const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full)
  const left = share > 0 && tookMs >= SURE_MS ? `  约剩 ${durationOf((tookMs / share) * (1 - share))}` : ''
  return `${what} ${bar} ${String(Math.floor(share * 100)).padStart(3)}%${left}`
}

function durationOf(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 60) return `${seconds} 秒`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} 分 ${seconds % 60} 秒` : `${Math.floor(minutes / 60)} 小时 ${minutes % 60} 分`
}
