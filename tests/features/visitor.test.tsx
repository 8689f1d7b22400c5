import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createRecord } from '#src/offline/record/record.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { ALL_ACTS } from '#tests/support/acts.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { publishWatched } from '#tests/support/courses.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, nobody, type Wire } from '#tests/support/wire.ts'
import { createWrite } from '#src/offline/record/write/write.ts'

let server: TestServer
let student: Awaited<ReturnType<TestServer['student']>>
let wire: Wire
let app: { close: () => void } | null = null
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson())
  await publishWatched(server)
  student = await server.student()
  // A page's owner is fixed when its files are loaded, so they are loaded as this student.
  localStorage.setItem('user', JSON.stringify(student))
})
afterAll(() => server.close())
beforeEach(() => {
  wire = connect(server)
})
afterEach(async () => {
  app?.close()
  wire.restore()
  vi.restoreAllMocks()
})

const written = { ctx: { sg_key: 'jg', area: '0', key: 'jg' }, at: Date.now() }
const device = () => import('#tests/support/app.tsx')
const engine = async () => (await import('#src/offline/index.ts')).offline
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const owners = async () => {
  const record = createRecord(openRecord())
  return { anon: (await record.waiting('anon')).length, mine: (await record.waiting(`u:${student.uid}`)).length }
}

test('a visitor’s record is offered once with its numbers; left on the device, it can be merged in 我的资料', async () => {
  const { openApp, prepareDevice } = await device()
  prepareDevice(student)
  const write = createWrite(openRecord())
  await write.all(
    'anon',
    ALL_ACTS.filter(({ kind }) => kind !== 'retract'),
    written,
  )
  await write.all(
    'anon',
    [
      {
        kind: 'collect',
        payload: { questionNo: 'L_q2', folder: '', over: [] },
        place: { chapterNo: 'L_c1', libraryNo: 'L', type: 'single', points: [] },
      },
    ],
    written,
  )
  const count = ALL_ACTS.length
  expect(await owners()).toEqual({ anon: count, mine: 0 })

  app = await openApp('/')
  const first = await dialog('登录前的学习记录')
  first.getByText(/未登录时的 1 次作答、2 道收藏、1 道题的笔记。/)
  await userEvent.click(first.getByRole('button', { name: '暂不合并' }))
  app.close()
  app = await openApp('/user/my_userinfo')
  const section = within(await screen.findByRole('region', { name: '未登录时的记录' }))
  expect(screen.queryByRole('dialog', { name: '登录前的学习记录' })).toBeNull()
  section.getByText('这台设备上有1 次作答、2 道收藏、1 道题的笔记，还不属于任何账号。')
  expect(await owners()).toEqual({ anon: count, mine: 0 })

  await userEvent.click(section.getByRole('button', { name: '合并到账号' }))
  await screen.findByText('已把 1 次作答、2 道收藏、1 道题的笔记合并到当前账号')
  await expect.poll(() => screen.queryByRole('region', { name: '未登录时的记录' })).toBeNull()
  expect(await owners()).toEqual({ anon: 0, mine: count })
})

test('a record that is closed unanswered is offered again at the next start, and merged with the chapter to go on with', async () => {
  const { openApp, prepareDevice } = await device()
  prepareDevice(student)
  const [answer] = ALL_ACTS
  await createWrite(openRecord()).all('anon', [answer], written)
  localStorage.setItem('jk-last:anon', 'L_c1/20/访客的一章')
  localStorage.setItem(`jk-last:u:${student.uid}`, 'L_c2/20/从前的一章')
  app = await openApp('/')
  await dialog('登录前的学习记录')
  const { feedback } = await import('#src/ui/feedback/feedback.ts')
  feedback.get().question?.answer(null)
  app.close()
  app = await openApp('/')
  await userEvent.click((await dialog('登录前的学习记录')).getByRole('button', { name: '合并到账号' }))
  await expect.poll(async () => (await owners()).anon).toBe(0)
  // What was studied last is gone on with.
  await screen.findByRole('link', { name: '继续学习 访客的一章' })
})

test('logging out counts everything that waits, in words', async () => {
  const { openApp, prepareDevice } = await device()
  prepareDevice(student)
  wire.fault = nobody
  const offline = await engine()
  const before = (await offline.waiting()).length
  for (const act of ALL_ACTS.filter(({ kind }) => kind === 'note' || kind === 'setting')) await offline.add(act)
  app = await openApp('/user/my_userinfo')
  await userEvent.click(await screen.findByRole('button', { name: '退出登录' }))
  const asked = await dialog('退出登录')
  asked.getByText(new RegExp(`还有 ${before + 3} 条未同步（.*笔记 \\d+.*设置 \\d+`))
  for (const way of ['放弃并退出', '保留记录并退出', '立即同步并退出']) asked.getByRole('button', { name: way })
  await userEvent.click(asked.getByRole('button', { name: '取消' }))
  expect((await offline.waiting()).length).toBe(before + 3)
})
