import { screen, within } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { study } from '#src/contract/study.ts'
import { SYNC_FETCH_PAGE, SYNC_MAX_OPS } from '#src/contract/sync.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { answerOp } from '#tests/support/ops.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect } from '#tests/support/wire.ts'

const ANSWERED = SYNC_FETCH_PAGE + 50
let close = async (): Promise<void> => {}
afterEach(() => close())

/** A student who has studied on another phone. */
async function studied(server: TestServer): Promise<{ uid: string; token: string }> {
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'LONG', chapters: 1, perChapter: ANSWERED }))
  const student = await server.student()
  const device = randomUUID()
  const at = server.clock.now
  const ops = Array.from({ length: ANSWERED }, (_, i) => answerOp(`LONG_q${i + 1}`, i > 0, { seq: i + 1, at }))
  for (let i = 0; i < ops.length; i += SYNC_MAX_OPS) {
    const input = { device, owner: student.uid, proto: 1 as const, sentAt: at, cursor: 0 }
    await server.call(study.sync, { ...input, ops: ops.slice(i, i + SYNC_MAX_OPS) }, student.token)
  }
  return student
}

test('on a new phone home page and error book say how much of a long record is here, and tell nothing of its half', async () => {
  const server = await startServer()
  const student = await studied(server)
  // A page's owner is fixed when its files are loaded, so they are loaded as this student.
  localStorage.setItem('user', JSON.stringify(student))
  const wire = connect(server)
  const { openApp, prepareDevice } = await import('#tests/support/app.tsx')
  const { offline } = await import('#src/offline/index.ts')
  prepareDevice(student)
  const second = Promise.withResolvers<null>()
  let calls = 0
  wire.fault = ({ path }) => (path.endsWith('study/sync') && ++calls === 2 ? second.promise : null)
  const app = await openApp('/')
  const stop = offline.start()
  close = async () => {
    stop()
    app.close()
    wire.restore()
    await server.close()
  }
  const today = async () => within(await screen.findByRole('region', { name: '今日学习' }))
  const panel = await today()
  await panel.findByText('正在下载学习记录 95%')
  expect(panel.queryByText(/^0/)).toBeNull()
  await app.router.navigate({ to: '/user/my_error' })
  const book = within(await screen.findByRole('main'))
  await book.findByRole('heading', { level: 1, name: '我的错题' })
  expect(book.getByRole('status').textContent).toBe('正在下载学习记录 95%')
  expect(book.queryByText(/复习/)).toBeNull()
  await app.router.navigate({ to: '/' })
  second.resolve(null)
  await (await today()).findByText('今日目标已达成 ✓')
  expect((await today()).getByText(String(ANSWERED))).toBeTruthy()
})
