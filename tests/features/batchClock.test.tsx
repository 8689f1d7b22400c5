import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BatchClock } from '#src/features/question/parts/BatchClock.tsx'
import { start } from '#src/player/playerState.ts'
import { items, single } from '#tests/support/questions.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const state = start(items([single()]))
const timed = { ...state, deal: { seed: 0, choice: '', limitMs: 60_000 } }
const seconds = (n: number): void =>
  act(() => {
    vi.advanceTimersByTime(n * 1_000)
  })

test('the clock of a batch stands still while nobody is there, as the time does that it shows', () => {
  let isRunning = true
  const stopwatch = { isHeld: () => false, isRunning: () => isRunning }
  render(<BatchClock state={state} stopwatch={stopwatch} onTimeUp={() => {}} />)
  seconds(5)
  expect(screen.getByRole('timer').textContent).toBe('0:05')
  isRunning = false
  seconds(60)
  expect(screen.getByRole('timer').textContent).toBe('0:05')
  isRunning = true
  seconds(2)
  expect(screen.getByRole('timer').textContent).toBe('0:07')
})

test('a batch with a time limit runs on while nobody is there, and waits while its questions are listened to', () => {
  let isHeld = false
  const stopwatch = { isHeld: () => isHeld, isRunning: () => false }
  render(<BatchClock state={timed} stopwatch={stopwatch} onTimeUp={() => {}} />)
  seconds(10)
  expect(screen.getByRole('timer').textContent).toBe('0:50')
  isHeld = true
  seconds(30)
  expect(screen.getByRole('timer').textContent).toBe('0:50')
})
