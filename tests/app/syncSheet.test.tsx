import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { offline } from '#src/offline/index.ts'
import { type DeadOp, openRecord } from '#src/offline/rows.ts'
import { openApp, prepareDevice } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, type Wire } from '#tests/support/wire.ts'
import { placeIn } from '#tests/support/states.ts'

let server: TestServer
let wire: Wire
let app: Awaited<ReturnType<typeof openApp>>
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 2, perChapter: 3 }))
})
afterAll(() => server.close())
beforeEach(() => {
  wire = connect(server)
  prepareDevice()
})
afterEach(async () => {
  app.close()
  wire.restore()
  for (const { opId } of await offline.dead()) await offline.dismiss(opId)
})

const AT = new Date(2026, 10, 21, 9, 30).getTime()
const answer = {
  questionNo: 'L_q4',
  response: { kind: 'choice' as const, ids: ['B'] },
  spentMs: 1000,
  from: 'library' as const,
}
const refused = (part: Partial<DeadOp> = {}): DeadOp => ({
  owner: offline.owner,
  opId: '018f0000-0000-7000-8000-000000000001',
  seq: 1,
  stream: 'q:L_q4',
  kind: 'answer',
  v: 1,
  payload: answer,
  ctx: { sg_key: 'jg', area: '0', key: 'jg' },
  clientAt: AT,
  right: true,
  place: placeIn('L', 'L_c2'),
  parked: false,
  acked: 0,
  code: 'invalid',
  msg: '记录内容不完整，无法保存',
  diedAt: AT,
  ...part,
})
const plant = (row: DeadOp): Promise<unknown> =>
  openRecord().run(['dead'], 'readwrite', (tx) => Promise.resolve(tx.objectStore('dead').put(row)))
async function openSheet() {
  app = await openApp('/')
  await userEvent.click(await screen.findByRole('button', { name: /^同步状态/ }))
  return within(await screen.findByRole('dialog', { name: '同步' }))
}

test('a refused answer is named by its library, chapter and time, and its chapter can be opened', async () => {
  await plant(refused())
  const sheet = await openSheet()
  const item = within(await sheet.findByRole('list', { name: '未被接受' }))
  await item.findByText(/L 章节题库 · 第2章：记录内容不完整，无法保存/)
  item.getByText('2026/11/21 09:30')
  expect(sheet.queryByText(/L_q4/)).toBeNull()
  await expect.poll(async () => (await offline.dead())[0]?.seenAt).toBeTypeOf('number')
  await userEvent.click(await item.findByRole('link', { name: '去重做' }))
  await expect.poll(() => app.path()).toBe(`/question/library_study/L_c2/20/${encodeURIComponent('第2章')}`)
  expect(screen.queryByRole('dialog', { name: '同步' })).toBeNull()
})

test('what the device cannot name is told without a number, and goes when the student says so', async () => {
  await plant(refused({ place: placeIn('gone'), clientAt: Number.NaN }))
  const sheet = await openSheet()
  const item = within(await sheet.findByRole('list', { name: '未被接受' }))
  item.getByText(/^章节练习：记录内容不完整，无法保存/)
  item.getByText('2026/11/21 09:30')
  expect(item.queryByRole('link')).toBeNull()
  await userEvent.click(item.getByRole('button', { name: '知道了' }))
  await expect.poll(() => sheet.queryByRole('list', { name: '未被接受' })).toBeNull()
})
