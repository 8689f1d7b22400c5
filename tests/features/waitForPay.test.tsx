import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WaitForPay } from '#src/sale/checkout/WaitForPay.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('whoever comes back again and again while the server is being asked is still waited for by one question at a time', async () => {
  const answers: ((done: boolean) => void)[] = []
  const ask = vi.fn<() => Promise<boolean>>(() => new Promise((resolve) => answers.push(resolve)))
  render(<WaitForPay way={{ kind: 'go', url: '/pay' }} ask={ask} onBack={() => {}} unpaid="可以取消订单。" />)
  await pass(1_500)
  for (let i = 0; i < 4; i++) act(() => void window.dispatchEvent(new Event('online')))
  const asked = ask.mock.calls.length
  for (const answer of answers) answer(false)
  await pass(2_500)
  expect(ask).toHaveBeenCalledTimes(asked + 1)
})

test('what is decided is not asked for any more', async () => {
  const ask = vi.fn<() => Promise<boolean>>().mockRejectedValueOnce(new Error('no network')).mockResolvedValue(true)
  render(<WaitForPay way={{ kind: 'go', url: '/pay' }} ask={ask} onBack={() => {}} unpaid="可以取消订单。" />)
  await pass(1_500)
  expect(screen.getByText(/^现在连不上服务器/)).toBeTruthy()
  await pass(60_000)
  expect(ask).toHaveBeenCalledTimes(2)
})

test('whoever comes back from the provider without having paid is told so, and how it goes on', async () => {
  const ask = vi.fn<() => Promise<boolean>>().mockResolvedValue(false)
  render(<WaitForPay way={{ kind: 'go', url: '/pay' }} ask={ask} onBack={() => {}} unpaid="可以取消订单。" />)
  await pass(10_000)
  // Asked by itself, it says nothing of it: the student is at the provider.
  expect(screen.getByText('支付结果确认中')).toBeTruthy()
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  await pass(0)
  expect(screen.getByRole('status').textContent).toMatch(/^还没有查到付款.*如果没有付款，可以取消订单。$/)
  expect(screen.getByRole('link', { name: '去支付' }).getAttribute('href')).toBe('/pay')
})
