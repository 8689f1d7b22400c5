import { useEffect, useState } from 'react'
import type { StudyState } from '#src/contract/study.ts'
import { seeded } from '#src/domain/question/shuffle.ts'
import { type Forecast, forecast, type ForecastParts, isStudied } from '#src/domain/study/forecast.ts'
import { offline } from '#src/offline/index.ts'
import { statePages } from '#src/offline/record/pages.ts'

/** More minutes for reviews a day, to show what they would bring. */
export const MORE_MINUTES = 10
const MORE_MS = MORE_MINUTES * 60_000
/** A turn of the forecast lasts so long at most, ms: a tap waits no longer for it. */
const TURN_MS = 8

/** Both are of the same questions, by number in `states`. */
export interface ExamForecast {
  /** Time for reviews a day that `now` is made with, ms. */
  dayMs: number
  now: Forecast
  more: Forecast
  states: ReadonlyMap<string, StudyState>
}
type Made = { state: 'making' } | { state: 'failed' } | { state: 'made'; of: ExamForecast }

/** Forecasts exam day from this device's record, between all else. While it is made anew the last one stands. */
export function useExamForecast(of: ForecastParts): Made {
  const { today, examDay, dayMs, most, practice, lapseShare, model } = of
  const [made, setMade] = useState<Made>({ state: 'making' })
  const { answered, spentMs } = practice
  useEffect(() => {
    const stopping = new AbortController()
    const { signal } = stopping
    const parts = { today, examDay, dayMs, most, lapseShare, practice: { answered, spentMs }, model }
    make(parts, signal).then(
      (of) => signal.aborted || setMade({ state: 'made', of }),
      () => signal.aborted || setMade({ state: 'failed' }),
    )
    return () => stopping.abort()
  }, [today, examDay, dayMs, most, lapseShare, answered, spentMs, model])
  return made
}

async function make(parts: ForecastParts, signal: AbortSignal): Promise<ExamForecast> {
  const states = new Map<string, StudyState>()
  for await (const page of statePages(offline.owner)) {
    for (const state of page) if (isStudied(state)) states.set(state.questionNo, state)
    signal.throwIfAborted()
  }
  const all = [...states.values()]
  // The same numbers for both, so that they differ by the minutes alone.
  const random = (run: number) => seeded(`${parts.today}:${run}`)
  const now = await inTurns(forecast(all, parts, random), signal)
  const richer = { ...parts, dayMs: parts.dayMs + MORE_MS, most: parts.most + moreOf(parts) }
  return { dayMs: parts.dayMs, now, more: await inTurns(forecast(all, richer, random), signal), states }
}

/** Reviews that fit into the minutes more. */
const moreOf = ({ practice: { answered, spentMs } }: ForecastParts): number =>
  Math.ceil(MORE_MS / Math.max(1_000, spentMs / Math.max(1, answered)))

async function inTurns<T>(steps: Generator<void, T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    const end = performance.now() + TURN_MS
    do {
      const step = steps.next()
      if (step.done) return step.value
    } while (performance.now() < end)
    await nextTurn()
    signal.throwIfAborted()
  }
}

/** Taps and drawing come first. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
