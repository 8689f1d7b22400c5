import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OfflineError } from '#src/api/errors.ts'
import { RouteError } from '#src/app/RouteError.tsx'
import { NoExamError } from '#src/features/structural/startup.ts'

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => {
  onlineManager.setOnline(true)
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
  [
    'a file of the app that is fetched at first use, without a network',
    unloaded,
    false,
    '此内容尚未下载，联网后可查看',
  ],
  ['a file of the app that the server no longer has', unloaded, true, '功能已更新，请刷新页面'],
  ['data that is not here', () => new OfflineError(''), true, '此内容尚未下载，联网后可查看'],
  ['a server without directions', () => new NoExamError(), false, '未配置考试'],
])('%s', async (_, error, online, says) => {
  onlineManager.setOnline(online)
  open(error())
  expect(await screen.findByRole('heading', { name: says })).toBeTruthy()
})
