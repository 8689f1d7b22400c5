import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Ledger } from '#src/app/sync/Ledger.tsx'
import { findQuestion } from '#src/app/sync/places.ts'
import { contract } from '#src/contract/index.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { blockQuery } from '#src/features/question/practice/block.ts'
import { createEngine } from '#src/offline/engine.ts'
import { offline } from '#src/offline/index.ts'
import { createLater } from '#src/offline/afterFirst.ts'
import { createRecord } from '#src/offline/record/record.ts'
import { type DeadOp, openRecord } from '#src/offline/device/rows.ts'
import { session } from '#src/session/session.ts'
import { ALL_ACTS } from '#tests/support/acts.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { courseRow, publishCourse } from '#tests/support/courses.ts'
import { opIdOf } from '#tests/support/waitingOps.ts'
import { placeIn } from '#tests/support/states.ts'
import { createWrite } from '#src/offline/record/write/write.ts'
import { setScreens } from '#tests/support/screens.ts'

const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 2, perChapter: 3 }))
})
afterEach(async () => {
  for (const { opId } of await offline.dead()) await offline.dismiss(opId)
  await openRecord().run(['ops', 'things'], 'readwrite', async (tx) => {
    for (const store of ['ops', 'things']) tx.objectStore(store).clear()
  })
})

const Bare = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
)
/** 09:30 in Beijing. */
const AT = Date.UTC(2026, 10, 21, 1, 30)
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
  await userEvent.click(await screen.findByRole('button', { name: /^同步状态/ }))
  return within(await screen.findByRole('dialog', { name: '同步' }))
}

test('a refused answer is named by its library, chapter and time, and its very question can be opened', async () => {
  await plant(refused())
  const app = await stage.open('/')
  // Opened once, so it is on this device.
  await app.queryClient.fetchQuery(blockQuery('L_c2', 0))
  const sheet = await openSheet()
  const item = within(await sheet.findByRole('list', { name: '未能同步' }))
  await item.findByText(/作答 · L 章节题库 · 第2章：记录内容不完整，无法保存/)
  item.getByText(/^(2026年)?11月21日 09:30 · 请重做这道题$/)
  expect(sheet.queryByText(/L_q4/)).toBeNull()
  await expect.poll(async () => (await offline.dead())[0]?.seenAt).toBeTypeOf('number')
  await expect.poll(() => findQuestion('L_c2', 'L_q4')).toEqual({ q: 'L_q4', at: 0 })
  await userEvent.click(await item.findByRole('button', { name: '去重做' }))
  await expect.poll(() => app.path()).toBe(`/question/library_study/L_c2/1/${encodeURIComponent('第2章')}`)
  await screen.findByText('第2章第1题：4 加 1 等于多少？')
  expect(screen.queryByRole('dialog', { name: '同步' })).toBeNull()
})

test('what the device cannot name is told without a number, and goes when the student says so', async () => {
  await plant(refused({ place: placeIn('gone'), clientAt: Number.NaN }))
  await stage.open('/')
  const sheet = await openSheet()
  const item = within(await sheet.findByRole('list', { name: '未能同步' }))
  item.getByText(/^作答 · 其他章节：记录内容不完整，无法保存/)
  item.getByText(/^(2026年)?11月21日 09:30 · 请在题库里重做这道题$/)
  expect(item.queryByRole('button', { name: '去重做' })).toBeNull()
  await userEvent.click(item.getByRole('button', { name: '知道了' }))
  await expect.poll(() => sheet.queryByRole('list', { name: '未能同步' })).toBeNull()
})

test('a lesson that the server does not know is named, and told what became of it', async () => {
  await publishCourse(stage.server, courseRow({ no: 'K', units: [['K_1']] }))
  const payload = { courseNo: 'K', lessonNo: 'K_1', watched: [[0, 9]], position: 9 }
  await plant(refused({ kind: 'watch', payload, place: null, code: 'unknown_lesson', msg: '课时不存在' }))
  await offline.add({ kind: 'watch', payload: { ...payload, watched: [[0, 9]] } })
  await stage.open('/')
  const sheet = await openSheet()
  const item = within(await sheet.findByRole('list', { name: '未能同步' }))
  await item.findByText(/^课程学习 · 第1课：课时不存在/)
  item.getByText(/ · 课程已经调整，这个课时不在了，不用再操作；其他课时的进度照常保留$/)
  await within(sheet.getByRole('list', { name: '待同步' })).findByText('课程学习 · 第1课')
})

test('everything that waits is listed by what it was, and its place', async () => {
  for (const act of ALL_ACTS) await offline.add(act)
  await stage.open('/')
  const sheet = await openSheet()
  const list = within(await sheet.findByRole('list', { name: '待同步' }))
  await list.findByText('作答 · L 章节题库 · 第1章')
  const texts = list.getAllByRole('listitem').map((item) => item.querySelector('span')?.textContent)
  const here = (name: string) => `${name} · L 章节题库 · 第1章`
  expect(texts.toReversed()).toEqual([
    ...['作答', '撤销作答', '加入错题本', '移出错题本', '错因标记', '收藏', '取消收藏', '笔记', '删除笔记'].map(here),
    '收藏夹“易错”',
    '删除收藏夹',
    '设置：每日目标',
    '纠错',
    '课程学习',
    '课时笔记',
    '删除课时笔记',
  ])
  // The answer that was taken back does not count.
  expect(sheet.queryByRole('list', { name: '每天的作答' })).toBeNull()
})

test('what waits can be taken along as a file, named by the day in Beijing', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20, 17) })
  const files: string[] = []
  // What jsdom lacks.
  Object.assign(URL, { createObjectURL: () => 'blob:file', revokeObjectURL: () => {} })
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(
    this: HTMLAnchorElement,
  ) {
    files.push(this.download)
  })
  const [answered] = ALL_ACTS
  await offline.add(answered)
  await stage.open('/')
  const sheet = await openSheet()
  await userEvent.click(await sheet.findByRole('button', { name: '导出备份文件' }))
  await expect.poll(() => files).toEqual([expect.stringMatching(/待同步-2026-11-21\.json$/)])
  click.mockRestore()
  vi.useRealTimers()
})

test('a file that cannot be made is told, with what to do', async () => {
  const createObjectURL = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }
  Object.assign(URL, { createObjectURL, revokeObjectURL: () => {} })
  const [answered] = ALL_ACTS
  await offline.add(answered)
  await stage.open('/')
  const sheet = await openSheet()
  await userEvent.click(await sheet.findByRole('button', { name: '导出备份文件' }))
  await screen.findByText('存储空间不足，请清理空间后重试')
})

test('thousands that wait are all there, and only those in sight are in the document', async () => {
  const now = Date.now()
  await openRecord().run(['ops'], 'readwrite', async (tx) => {
    for (let n = 1; n <= 3_000; n++) {
      const { code: _c, msg: _m, diedAt: _d, ...op } = refused()
      tx.objectStore('ops').put({ ...op, opId: opIdOf(n), seq: n, clientAt: now + n })
    }
  })
  await stage.open('/')
  const sheet = await openSheet()
  const list = await sheet.findByRole('list', { name: '待同步' })
  const items = () => within(list).getAllByRole('listitem')
  expect(items().length).toBeLessThan(60)
  expect(items()[0]?.getAttribute('aria-setsize')).toBe('3000')
  list.getBoundingClientRect = () => new DOMRect(0, -60 * 2_990, 300, 60 * 3_000)
  fireEvent.scroll(list)
  await expect.poll(() => items().at(-1)?.getAttribute('aria-posinset')).toBe('3000')
})

test('what is on its way into the account is told in numbers: 待上传, 已上传, 已同步, by day', async () => {
  const now = () => stage.server.clock.now
  const today = dayOf(now())
  const student = await stage.server.student()
  prepareDevice(student)
  const engine = createEngine({
    db: openRecord(),
    owner: session.owner(),
    loggedIn: session.loggedIn,
    scope: session.scope,
    send: (input) => stage.server.call(contract.study.sync, input, student.token),
    now,
    random: Math.random,
  })
  engine.start()
  const [answered] = ALL_ACTS
  for (let i = 0; i < 3; i++) await engine.add(answered)
  await engine.syncNow()
  await expect.poll(() => engine.status().state).toBe('synced')
  engine.close()
  const { ledger, delivered } = createLater(openRecord())
  const database = openRecord()
  const other = createRecord(database)
  const written = { ctx: session.scope(), at: now() }
  for (let i = 0; i < 2; i++) await createWrite(database).all(session.owner(), [answered], written)
  const [first] = await other.waiting(session.owner())
  await delivered(session.owner(), first ? [first] : [], new Set([first?.opId ?? '']))
  const books = await ledger(session.owner(), now())
  expect(books).toMatchObject({ bookedToday: 3, days: [{ day: today, answered: 5, booked: 3 }] })
  render(<Ledger books={{ ...books, refused: [] }} visitor={false} onLeave={() => {}} />, { wrapper: Bare })
  within(screen.getByRole('list', { name: '每天的作答' })).getByText('今天 5 题，3 题已同步，2 题待同步')
  const steps = within(screen.getByRole('list', { name: '记录到了哪里' })).getAllByRole('listitem')
  expect(steps.map((step) => step.textContent)).toEqual(['1待上传', '1已上传', '3今天已同步'])
  screen.getByText('已上传，等待同步')
})
