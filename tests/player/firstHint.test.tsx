import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FirstHint } from '#src/player/FirstHint.tsx'

const closed = vi.fn<() => void>()
beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())
const hint = () => screen.queryByRole('complementary', { name: '操作提示' })
const pointer = (fine: boolean) =>
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: fine && query.includes('fine') }))

test.each([
  ['a finger', false, /^左右滑动换题/],
  ['a keyboard', true, /^用键盘更快：A–H 选择/],
])('says how to get about with %s', (_, fine, words) => {
  pointer(fine)
  render(<FirstHint onClosed={closed} />)
  expect(hint()?.textContent).toMatch(words)
})

test('is gone for good once it was closed', async () => {
  pointer(false)
  const { unmount } = render(<FirstHint onClosed={closed} />)
  await userEvent.click(screen.getByRole('button', { name: '关闭提示' }))
  expect(hint()).toBeNull()
  expect(closed).toHaveBeenCalledTimes(1)
  unmount()
  render(<FirstHint onClosed={closed} />)
  expect(hint()).toBeNull()
})

test('goes by itself once it was in sight at three questions', () => {
  pointer(false)
  let tell: (isIntersecting: boolean) => void = () => {}
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = () => {}
      disconnect = () => {}
      constructor(told: (moments: { isIntersecting: boolean }[]) => void) {
        tell = (isIntersecting) => told([{ isIntersecting }])
      }
    },
  )
  // Below the end of the screen nobody has read it.
  for (const sights of [false, true, false, true, true]) {
    const { unmount } = render(<FirstHint onClosed={closed} />)
    expect(hint()).not.toBeNull()
    tell(sights)
    expect(hint()).not.toBeNull()
    unmount()
  }
  render(<FirstHint onClosed={closed} />)
  expect(hint()).toBeNull()
})
