import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
// Ahead of time, as tests/support/app.tsx says.
import '#src/features/question/downloads/PackBar.tsx'
import { packs } from '#src/offline/downloads/packs/packs.ts'
import { packSettings } from '#src/offline/downloads/downloadSettings.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { memoryCaches } from '#tests/support/cacheStorage.ts'
import { nobody, silence, type Wire } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 2, perChapter: 30 }))
})
beforeEach(() => {
  vi.stubGlobal('caches', memoryCaches())
})
afterEach(async () => {
  stage.wire.fault = null
  await packs.remove('L')
})

const open = async (path = '/question/library') => await stage.open(path)
const card = async () => within(await screen.findByRole('region', { name: 'L 章节题库' }))
const button = async (name: string) => (await card()).findByRole('button', { name: `${name} L 章节题库` })
const press = async (name: string) => userEvent.click(await button(name))
const answer = async (dialog: string, name: string) =>
  userEvent.click(within(await screen.findByRole('dialog', { name: dialog })).getByRole('button', { name }))
const BLOCKS = '/pcapi/question/blocks'
/** What becomes of the questions on their way. */
const questions = (fault: Wire['fault']): void => {
  stage.wire.fault = (sent, signal) => (sent.path === BLOCKS ? (fault?.(sent, signal) ?? null) : null)
}
const onNetwork = (type: string) =>
  vi.stubGlobal(
    'navigator',
    Object.assign(Object.create(navigator), { connection: Object.assign(new EventTarget(), { type }) }),
  )

test('the cards of a page ask together what is on this device', async () => {
  for (const prefix of ['M', 'N', 'O']) await importBank(stage.server.db, stage.server.mediaDir, bankJson({ prefix }))
  const getAll = vi.spyOn(IDBObjectStore.prototype, 'getAll')
  await open()
  for (const prefix of ['L', 'M', 'N', 'O'])
    await screen.findByRole('button', { name: `下载离线包 ${prefix} 章节题库` })
  const reads = getAll.mock.contexts.filter((store) => store instanceof IDBObjectStore && store.name === 'packs')
  expect(reads.length).toBeLessThanOrEqual(4)
})

describe('离线包 on a library’s card', () => {
  test('tells its size before, comes at a tap, and is removed when the student is sure', async () => {
    await open()
    await (await card()).findByText(/^离线包 · 下载 \d+ KB$/)
    await press('下载离线包')
    await (await card()).findByText(/^已下载 · 占用 \d+ KB$/)
    await press('移除')
    const sure = await screen.findByRole('dialog', { name: '移除离线包' })
    expect(sure.textContent).toContain('答题记录、未同步的答案和收藏都会保留')
    await answer('移除离线包', '取消')
    await (await card()).findByText(/^已下载/)
    await press('移除')
    await answer('移除离线包', '移除')
    await button('下载离线包')
  })

  test('shows how far it is, can be paused, goes on, and can be cancelled', async () => {
    questions(silence)
    await open()
    await press('下载离线包')
    const progress = await (await card()).findByRole('progressbar', { name: 'L 章节题库 下载进度' })
    expect(progress.getAttribute('value')).toBe('0')
    // What is stopped before it is put down never begins.
    await expect.poll(() => packs.get().rows?.size).toBe(1)
    await press('暂停')
    await (await card()).findByText('下载已暂停')
    await press('继续')
    await (await card()).findByText('正在下载 0%', { selector: 'span' })
    await press('取消')
    await button('下载离线包')
    expect(packs.get().rows?.size).toBe(0)
  })

  test('without a network waits, and says that it goes on by itself', async () => {
    questions(nobody)
    await open()
    await press('下载离线包')
    await (await card()).findByText(/^网络不可用，已下载 0%$/, { selector: 'span' })
    stage.wire.fault = null
    window.dispatchEvent(new Event('online'))
    await (await card()).findByText(/^已下载/)
  })

  test('offers the update of a library that has changed', async () => {
    await open()
    await press('下载离线包')
    await (await card()).findByText(/^已下载/)
    const bank = bankJson({ chapters: 2, perChapter: 30 })
    const changed = bank.questions.map((each, i) => (i === 0 ? { ...each, analysis: '改' } : each))
    await importBank(stage.server.db, stage.server.mediaDir, { ...bank, questions: changed })
    await stage.app?.queryClient.refetchQueries({ predicate: ({ queryKey }) => queryKey[3] === 'question/libraryList' })
    await (await card()).findByText('有更新，只下载变化部分')
    await press('更新')
    await (await card()).findByText('没有网络也能做题')
  })

  test('on mobile data is asked about first', async () => {
    onNetwork('cellular')
    await open()
    await press('下载离线包')
    expect((await screen.findByRole('dialog', { name: '下载离线包' })).textContent).toMatch(
      /当前不是 Wi-Fi，下载需要约 \d+ KB 流量/,
    )
    await answer('下载离线包', '取消')
    expect(stage.wire.sent.some(({ path }) => path === BLOCKS)).toBe(false)
    await press('下载离线包')
    await answer('下载离线包', '现在下载')
    await (await card()).findByText(/^已下载/)
  })

  test('on mobile data, once it was allowed and then paused, goes on without asking again', async () => {
    onNetwork('cellular')
    questions(silence)
    await open()
    await press('下载离线包')
    await answer('下载离线包', '现在下载')
    await (await card()).findByText('正在下载 0%', { selector: 'span' })
    await press('暂停')
    await (await card()).findByText('下载已暂停')
    stage.wire.fault = null
    await press('继续')
    await (await card()).findByText(/^已下载/)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('which goes on without asking when the student has switched 仅 Wi-Fi off', async () => {
    onNetwork('cellular')
    packSettings.setWifiOnly(false)
    await open()
    await press('下载离线包')
    await (await card()).findByText(/^已下载/)
  })
})

describe('存储空间', () => {
  test('lists packs with what they take, removes them, and keeps the two settings', async () => {
    await packs.start('L')
    const student = await stage.server.student()
    prepareDevice(student)
    await open('/user/my_userinfo')
    const storage = within(await screen.findByRole('region', { name: '存储空间' }))
    await storage.findByText('L 章节题库')
    await userEvent.click(storage.getByRole('switch', { name: '省流模式' }))
    expect(packSettings.saver()).toBe(true)
    await userEvent.click(storage.getByRole('switch', { name: '仅 Wi-Fi 下载' }))
    expect(packSettings.wifiOnly()).toBe(false)
    await userEvent.click(storage.getByRole('button', { name: '移除 L 章节题库' }))
    await answer('移除离线包', '移除')
    await storage.findByText('还没有离线包，可以在题库页下载。')
  })
})
