import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ALL_ACTS } from '#tests/support/acts.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, type Wire } from '#tests/support/wire.ts'

let server: TestServer
let student: Awaited<ReturnType<TestServer['student']>>
let wire: Wire
let app: { close: () => void } | null = null
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 1, perChapter: 3 }))
  student = await server.student()
  // A page's owner is fixed when its files are loaded, so they are loaded as this student.
  localStorage.setItem('user', JSON.stringify(student))
  wire = connect(server)
})
afterAll(() => server.close())
afterEach(() => {
  app?.close()
  wire.restore()
})

test('a network on which nobody answers is told after a while, with where the work is, and no more once somebody does', async () => {
  const { promise: heard, resolve: hear } = Promise.withResolvers<null>()
  wire.fault = ({ path }) => (path.endsWith('study/sync') ? heard : null)
  const { openApp, prepareDevice } = await import('#tests/support/app.tsx')
  const { offline } = await import('#src/offline/index.ts')
  prepareDevice(student)
  const [answer] = ALL_ACTS
  await offline.add(answer)
  const stop = offline.start()
  app = await openApp('/')
  await userEvent.click(await screen.findByRole('button', { name: '同步状态：1 条待同步' }))
  const sheet = within(await screen.findByRole('dialog', { name: '同步' }))
  expect(sheet.queryByText(/服务器暂无响应/)).toBeNull()
  await sheet.findByText(/服务器暂无响应。学习记录都保存在这台设备上，恢复后自动上传/)
  expect(sheet.getByRole('status').textContent).toBe('服务器暂无响应，1 条待同步')
  screen.getByRole('button', { name: '同步状态：服务器暂无响应，1 条待同步' })

  hear(null)
  await expect.poll(() => sheet.getByRole('status').textContent).toBe('已同步')
  expect(sheet.queryByText(/服务器暂无响应/)).toBeNull()
  expect(await offline.waiting()).toEqual([])
  stop()
})
