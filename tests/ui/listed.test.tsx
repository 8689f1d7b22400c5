import { onlineManager, QueryClient, QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { useEntryChoice } from '#src/ui/list/entry.ts'
import { Listed, type ListedProps } from '#src/ui/list/Listed.tsx'

const rows = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i)
const Plain = (props: Partial<ListedProps<number>>) => (
  <Listed rows={rows(1, 100)} keyOf={String} {...props}>
    {(n) => `第${n}行`}
  </Listed>
)
const count = () => screen.queryAllByRole('listitem').length
const more = () => screen.queryByRole('button', { name: '显示更多' })
const growOnce = async () => userEvent.click(await screen.findByRole('button', { name: '显示更多' }))
const offline = Object.assign(new Error('网络不可用'), { name: 'OfflineError' })
const source = { data: undefined, error: null, isPending: false, refetch: () => {} }

beforeEach(() => {
  sessionStorage.clear()
  onlineManager.setOnline(true)
})

describe('a list', () => {
  test('that comes shows the shape of its rows, and says so', () => {
    render(<Plain from={{ ...source, isPending: true }} />)
    expect(screen.getByRole('status').textContent).toBe('正在加载...')
    expect(count()).toBe(0)
  })
  test.each([
    ['of which the server knows nothing', new Error('boom'), '服务器开小差了，稍后再试试!'],
    ['that is not on this device, without a network', offline, '此内容尚未下载，联网后可查看'],
  ])('%s says why, and can be asked for again', async (_, error, told) => {
    let asked = 0
    render(<Plain from={{ ...source, error, refetch: () => (asked += 1) }} />)
    expect(screen.getByRole('alert').textContent).toContain(told)
    await userEvent.click(screen.getByRole('button', { name: '重试' }))
    expect(asked).toBe(1)
  })
  test('whose renewal failed shows what is here', () => {
    render(<Plain from={{ ...source, data: [], error: offline }} />)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(count()).toBe(40)
  })
  test('that holds nothing says 暂无更多..., and below it the screen’s own word', () => {
    const { rerender } = render(<Plain rows={[]} />)
    expect(screen.getByText('暂无更多...')).toBeTruthy()
    rerender(<Plain rows={[]} empty="还没有报名" />)
    expect(screen.getByText('还没有报名').previousElementSibling?.textContent).toBe('暂无更多...')
    rerender(<Plain rows={[]} empty={<button type="button">去选题集</button>} />)
    expect(screen.getByRole('button', { name: '去选题集' })).toBeTruthy()
  })
  test('grows to its end, which it names; one that is seen whole needs no such word', async () => {
    const { rerender } = render(<Plain after={<li>测评</li>} />)
    expect(count()).toBe(40)
    expect(screen.queryByText('测评')).toBeNull()
    await growOnce()
    expect(screen.queryByText('暂无更多...')).toBeNull()
    await growOnce()
    expect([count(), more()]).toEqual([101, null])
    expect(screen.getAllByRole('listitem').at(-1)?.textContent).toBe('测评')
    expect(screen.getByText('暂无更多...')).toBeTruthy()
    rerender(<Plain name="short" rows={rows(1, 3)} />)
    expect([count(), screen.queryAllByText('暂无更多...').length]).toEqual([3, 0])
  })
})

/** A list by pages of 20 of 60 rows, beside another screen. */
let answer: (from: number) => Promise<number[]>
let asked: number[]
function Paged() {
  const query = useInfiniteQuery({
    queryKey: ['rows'],
    queryFn: ({ pageParam }) => (asked.push(pageParam), answer(pageParam)),
    initialPageParam: 1,
    getNextPageParam: (_, pages) => (pages.length < 3 ? pages.length * 20 + 1 : undefined),
    retry: false,
  })
  return <Plain from={query} pages={query} rows={query.data?.pages.flat() ?? []} />
}
const TABS = ['甲', '乙'] as const
function Tabs() {
  const [tab, setTab] = useEntryChoice('tab', TABS, '甲')
  return (
    <>
      {TABS.map((each) => (
        <button key={each} type="button" aria-pressed={each === tab} onClick={() => setTab(each)}>
          {each}
        </button>
      ))}
      <Plain name={tab} />
    </>
  )
}

function open() {
  const root = createRootRoute({ component: Outlet })
  const at = (path: string, component: () => React.ReactNode) =>
    createRoute({ getParentRoute: () => root, path, component })
  const routeTree = root.addChildren([
    at('/', () => '首页'),
    at('/pages', Paged),
    at('/tabs', Tabs),
    at('/detail', () => '正文'),
  ])
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: ['/'] }) })
  const client = new QueryClient()
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  const go = (to: string) => act(() => router.navigate({ to }))
  const detailAndBack = async () => {
    await go('/detail')
    await screen.findByText('正文')
    act(() => router.history.back())
  }
  return { router, client, go, detailAndBack }
}

describe('a list that the server gives page by page', () => {
  beforeEach(() => {
    asked = []
    answer = async (from) => rows(from, 20)
  })

  test('grows page by page to its end', async () => {
    const { go } = open()
    await go('/pages')
    await screen.findByText('第20行')
    await growOnce()
    await screen.findByText('第40行')
    await growOnce()
    await screen.findByText('第60行')
    expect(asked).toEqual([1, 21, 41])
    expect(await screen.findByText('暂无更多...')).toBeTruthy()
  })
  test('keeps what is shown when a page fails, says why, and asks for that page again: by hand, and when the network is back', async () => {
    const { go } = open()
    await go('/pages')
    await screen.findByText('第20行')
    answer = () => Promise.reject(new Error('boom'))
    await growOnce()
    expect((await screen.findByRole('alert')).textContent).toContain('服务器开小差了，稍后再试试!')
    expect(count()).toBe(20)
    answer = () => {
      onlineManager.setOnline(false)
      return Promise.reject(offline)
    }
    await userEvent.click(screen.getByRole('button', { name: '重试' }))
    expect((await screen.findByText(/联网后可查看/)).textContent).toContain('网络不可用')
    answer = async (from) => rows(from, 20)
    act(() => onlineManager.setOnline(true))
    await screen.findByText('第40行')
    expect(asked).toEqual([1, 21, 21, 21])
    expect(count()).toBe(40)
  })
  test('asks again by itself for a page that was given up while the network had come back already', async () => {
    const { go } = open()
    await go('/pages')
    await screen.findByText('第20行')
    let tries = 0
    answer = (from) => (++tries === 1 ? Promise.reject(offline) : Promise.resolve(rows(from, 20)))
    await growOnce()
    await screen.findByText('第40行')
    expect(tries).toBe(2)
  })
  test('is as long as it was for who comes back, and short for who comes anew', async () => {
    const { client, go, detailAndBack } = open()
    await go('/pages')
    await growOnce()
    await growOnce()
    await screen.findByText('第60行')
    await detailAndBack()
    await screen.findByText('第60行')
    await go('/detail')
    client.clear()
    await screen.findByText('正文')
    await go('/pages')
    await screen.findByText('第20行')
    expect(count()).toBe(20)
  })
  test('that memory has let go is fetched again for who comes back', async () => {
    const { client, go, router } = open()
    await go('/pages')
    await growOnce()
    await screen.findByText('第40行')
    await go('/detail')
    await screen.findByText('正文')
    client.clear()
    asked = []
    act(() => router.history.back())
    await screen.findByText('第40行')
    expect(asked).toEqual([1, 21])
  })
})

test('the tab that was open, and how long its list was, come back with the entry', async () => {
  const { go, detailAndBack } = open()
  await go('/tabs')
  await userEvent.click(await screen.findByRole('button', { name: '乙' }))
  await growOnce()
  expect(count()).toBe(80)
  await detailAndBack()
  await screen.findByText('第80行')
  expect(count()).toBe(80)
  expect(screen.getByRole('button', { name: '乙' }).getAttribute('aria-pressed')).toBe('true')
  await userEvent.click(screen.getByRole('button', { name: '甲' }))
  expect(count()).toBe(40)
})
