import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { OfflineError } from '#src/api/errors.ts'
import { mendMissingChunks } from '#src/app/missingChunk.ts'
import { RouteError } from '#src/app/shell/RouteError.tsx'
import { watchNetwork } from '#src/offline/device/cache.ts'
import { NoExamError } from '#src/features/structural/startup.ts'
import { connect, type Fault, json, nobody, page, type Wire } from '#tests/support/wire.ts'

let wire: Wire
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  wire = connect()
})
afterEach(() => {
  onlineManager.setOnline(true)
  wire.restore()
  vi.restoreAllMocks()
})

/** A screen that cannot be shown. */
function open(error: Error) {
  const root = createRootRoute({
    component: () => {
      throw error
    },
    errorComponent: RouteError,
  })
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) })
  const client = new QueryClient()
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}
/** What a file of the app that cannot be fetched ends as. */
const unloaded = () => new TypeError("Cannot read properties of undefined (reading 'component')")

test.each<[string, () => Error, boolean, string]>([
  ['data that is not here', () => new OfflineError(''), true, '此内容尚未下载，联网后可查看'],
  ['a server without directions', () => new NoExamError(), false, '未配置考试'],
  ['a fault of our own is not called an update', unloaded, true, '这个页面出错了'],
])('%s', async (_, error, online, says) => {
  onlineManager.setOnline(online)
  open(error())
  expect(await screen.findByRole('heading', { name: says })).toBeTruthy()
})

describe('a file of the app that is fetched at first use and does not come', () => {
  const CHUNK = '/assets/StorePage-abc123.js'
  const there: Fault = () => json({ status: 1, msg: '', data: { text: '', at: null } })
  /** The server answers, and this becomes of the file. */
  const chunk =
    (answer: () => Response): Fault =>
    (sent, signal) =>
      sent.path === CHUNK ? answer() : there(sent, signal)
  const html404 = () => page(404)
  mendMissingChunks()
  beforeEach(() => {
    // The one reload there may be was just now.
    sessionStorage.setItem('jk-chunk-reload', String(Date.now()))
    const missed = new Event('vite:preloadError', { cancelable: true })
    const payload = new TypeError(`Failed to fetch dynamically imported module: https://lijian.test${CHUNK}`)
    window.dispatchEvent(Object.assign(missed, { payload }))
  })

  test.each<[string, Fault, boolean, string]>([
    ['without a network', nobody, false, '此内容尚未下载，联网后可查看'],
    ['where the server is away, though the network is there', nobody, true, '此内容尚未下载，联网后可查看'],
    ['where the login page of a network answers', () => page(), true, '此内容尚未下载，联网后可查看'],
    ['where the server is broken', () => json({}, 502), true, '服务器开小差了，稍后再试试!'],
    ['where it is there after all', chunk(() => json({})), true, '服务器开小差了，稍后再试试!'],
    ['where the server answers and no longer has it', chunk(html404), true, '功能已更新，请刷新页面'],
  ])('%s', async (_, fault, online, says) => {
    wire.fault = fault
    onlineManager.setOnline(online)
    open(unloaded())
    expect(await screen.findByRole('heading', { name: says })).toBeTruthy()
  })

  test('where nobody answers the app learns that, too: it asks until somebody does', async () => {
    watchNetwork()
    wire.fault = nobody
    open(unloaded())
    await screen.findByRole('heading', { name: '此内容尚未下载，联网后可查看' })
    expect(onlineManager.isOnline()).toBe(false)
  })
})
