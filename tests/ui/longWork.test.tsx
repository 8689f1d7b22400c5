import { act, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { followLongWork } from '#src/ui/feedback/longWork.tsx'

type Source = Parameters<typeof followLongWork<{ title: string; whole: boolean }>>[0]
type State = ReturnType<Source['get']>
type Activity = State['activities'] extends ReadonlyMap<string, infer One> ? One : never

/** Downloads that a test moves on. */
function downloads() {
  let state: State = { rows: null, activities: new Map() }
  const listeners = new Set<() => void>()
  return {
    source: {
      get: () => state,
      subscribe: (listener: () => void) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    show: (activities: Record<string, Partial<Activity>>, whole = false) =>
      act(async () => {
        const all = Object.entries(activities).map(
          ([no, over]) => [no, { at: 'running', part: 0, message: '', ...over }] as const,
        )
        const rows = new Map(['数学', '英语'].map((title) => [title, { title, whole }]))
        state = { rows, activities: new Map(all) }
        for (const listener of listeners) listener()
      }),
  }
}
const telling = {
  titleOf: ({ title }: { title: string }) => title,
  isWhole: ({ whole }: { whole: boolean }) => whole,
}
const toast = vi.spyOn(feedback, 'toast').mockImplementation(() => {})
const line = () => screen.queryByRole<HTMLProgressElement>('progressbar')
const goTo = (path: string) => window.history.pushState(null, '', path)
let made: ReturnType<typeof downloads>
beforeEach(async () => {
  toast.mockClear()
  goTo('/question/library')
  render(<main />)
  made = downloads()
  await act(async () => followLongWork(made.source, telling))
})

test('a line stands on every page as long as something goes on, for all of it together', async () => {
  expect(line()).toBeNull()
  await made.show({ 数学: { part: 0.5 }, 英语: { at: 'queued' } })
  goTo('/news/news_list')
  expect([line()?.value, line()?.getAttribute('aria-label')]).toEqual([0.25, '下载进度，共 2 项'])
  await made.show({ 数学: { part: 0.5, at: 'waiting' }, 英语: { at: 'wifi' } })
  expect(line()?.value).toBe(0.5)
  await made.show({})
  expect(line()).toBeNull()
})

const told = () => toast.mock.calls.map(([text]) => text)

test('who has gone elsewhere is told how it ended, once all of it has', async () => {
  await made.show({ 数学: {}, 英语: {}, 语文: {} })
  goTo('/')
  await made.show({ 英语: {}, 语文: { at: 'failed', message: '内容已下架' } }, true)
  expect(told()).toEqual([])
  await made.show({ 英语: { at: 'full' } }, true)
  expect(told()).toEqual(['“数学”已下载，没有网络也能用', '2 项没有下载完：内容已下架'])
  await made.show({ 英语: { at: 'full' } }, true)
  expect(toast).toHaveBeenCalledTimes(2)
})

test('a whole course is one notice', async () => {
  await made.show({ 数学: {}, 英语: {} })
  goTo('/')
  await made.show({}, true)
  expect(told()).toEqual(['2 项已下载，没有网络也能用'])
})

test('what waited for Wi-Fi is told of when it is done, wherever that is', async () => {
  await made.show({ 数学: {} })
  goTo('/')
  await made.show({ 数学: { at: 'wifi' } })
  await made.show({ 数学: {} })
  await made.show({}, true)
  expect(told()).toEqual(['“数学”没有下载完：连上 Wi-Fi 后自动继续', '“数学”已下载，没有网络也能用'])
})

test('who still looks at it, or stopped it, is told nothing', async () => {
  await made.show({ 数学: {} })
  await made.show({}, true)
  await made.show({ 英语: {} })
  goTo('/')
  await made.show({}, false)
  expect(toast).not.toHaveBeenCalled()
})

test('asked for again it is the same line', async () => {
  await act(async () => followLongWork(made.source, telling))
  await made.show({ 数学: {} })
  expect(screen.getAllByRole('progressbar')).toHaveLength(1)
  await made.show({})
})
