import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WaitForPay } from '#src/sale/WaitForPay.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('whoever comes back again and again while the server is being asked is still waited for by one question at a time', async () => {
  const answers: ((done: boolean) => void)[] = []
  const ask = vi.fn<() => Promise<boolean>>(() => new Promise((resolve) => answers.push(resolve)))
  render(<WaitForPay way={{ kind: 'go', url: '/pay' }} ask={ask} onBack={() => {}} />)
  await pass(1_500)
  for (let i = 0; i < 4; i++) act(() => void window.dispatchEvent(new Event('online')))
  const asked = ask.mock.calls.length
  for (const answer of answers) answer(false)
  await pass(2_500)
  expect(ask).toHaveBeenCalledTimes(asked + 1)
})

test('what is decided is not asked for any more', async () => {
  const ask = vi.fn<() => Promise<boolean>>().mockRejectedValueOnce(new Error('no network')).mockResolvedValue(true)
  render(<WaitForPay way={{ kind: 'go', url: '/pay' }} ask={ask} onBack={() => {}} />)
  await pass(1_500)
  expect(screen.getByText(/^现在连不上服务器/)).toBeTruthy()
  await pass(60_000)
  expect(ask).toHaveBeenCalledTimes(2)
})
