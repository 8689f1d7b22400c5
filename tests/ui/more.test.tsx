import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { More } from '#src/ui/list/More.tsx'

type Tell = (moments: Pick<IntersectionObserverEntry, 'isIntersecting'>[]) => void
afterEach(() => vi.unstubAllGlobals())

/** @returns what the browser tells of the list's end */
function watched(): { tell: Tell } {
  const seen: { tell: Tell } = { tell: () => {} }
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(tell: Tell) {
        seen.tell = tell
      }
      observe() {}
      disconnect() {}
    },
  )
  return seen
}

test.each([
  ['comes into sight', [true], 1],
  ['was out of sight and came into it before the browser told', [false, true], 1],
  ['is out of sight', [false], 0],
])('more comes when the end of the list %s', (_, moments, times) => {
  const end = watched()
  const onMore = vi.fn<() => void>()
  render(<More onMore={onMore} />)
  act(() => end.tell(moments.map((isIntersecting) => ({ isIntersecting }))))
  expect(onMore).toHaveBeenCalledTimes(times)
  act(() => screen.getByRole('button', { name: '显示更多' }).click())
  expect(onMore).toHaveBeenCalledTimes(times + 1)
})
