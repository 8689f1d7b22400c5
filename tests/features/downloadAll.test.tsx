import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
// Ahead of time, as tests/support/app.tsx says.
import '#src/features/question/downloads/DownloadOffer.tsx'
import { packs } from '#src/offline/downloads/packs/packs.ts'
import { session } from '#src/session/session.ts'
import { DIRECTION } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { memoryCaches } from '#tests/support/cacheStorage.ts'
import { json, nobody, silence } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const NOS = ['L', 'M', 'N']
let areas = 100
const stage = setScreens(async (server) => {
  for (const prefix of NOS)
    await importBank(server.db, server.mediaDir, bankJson({ prefix, chapters: 6, perChapter: 1 }))
})
beforeEach(() => {
  vi.stubGlobal('caches', memoryCaches())
  // A region of its own for each test: nothing that another one has kept is shown here.
  session.setChoice({ key: String(++areas), name: '山东' }, DIRECTION)
})
afterEach(async () => {
  stage.wire.fault = null
  for (const no of NOS) await packs.remove(no)
})

const open = async (path = '/question/library') => await stage.open(path)
const card = async () => within(await screen.findByRole('region', { name: '下载全部题库' }))
const says = async (text: string | RegExp) => (await card()).findByText(text, { selector: 'span' })
const press = async (name: string) => userEvent.click(await (await card()).findByRole('button', { name }))
const ANDROID =
  'Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
const BLOCKS = '/pcapi/question/blocks'
const LIST = '/pcapi/question/libraryList'
const asked = (path: string) => stage.wire.sent.filter((sent) => sent.path === path).length
const withRoom = (bytes: number, type = 'wifi') =>
  vi.stubGlobal(
    'navigator',
    Object.assign(Object.create(navigator), {
      connection: Object.assign(new EventTarget(), { type }),
      storage: { estimate: async () => ({ quota: bytes, usage: 0 }), persist: async () => false },
    }),
  )

describe('下载全部', () => {
  test('says how many libraries and how much, and at one tap they are all on the device', async () => {
    await open()
    await says('全部 3 个题库')
    await (await card()).findByText(/^共 \d+ KB，没有网络也能做题$/)
    await press('下载全部题库')
    await says('3 个题库都已下载')
    expect([...(packs.get().rows?.values() ?? [])].map(({ ready }) => ready)).toEqual([true, true, true])
    expect((await card()).queryByRole('button')).toBeNull()
  })

  test('is of what is missing, and asks for nothing that is here', async () => {
    await packs.start('M')
    const before = asked(BLOCKS)
    await open()
    await says('其余 2 个题库')
    await press('下载全部题库')
    await says('3 个题库都已下载')
    expect(asked(BLOCKS) - before).toBe(2)
  })

  test('shows how far it is, rests when it is told to, and goes on', async () => {
    stage.wire.fault = (sent, signal) => (sent.path === BLOCKS ? silence(sent, signal) : null)
    await open()
    await press('下载全部题库')
    await says('正在下载 0/3 个题库 · 0%')
    expect((await card()).getByRole('progressbar', { name: '全部题库下载进度' }).getAttribute('value')).toBe('0')
    await press('暂停下载全部题库')
    await says('下载已暂停')
    expect(packs.get().activities.size).toBe(0)
    stage.wire.fault = null
    await press('继续下载全部题库')
    await says('3 个题库都已下载')
  })

  test('without a network waits, and says that it goes on by itself', async () => {
    await open()
    await card()
    stage.wire.fault = nobody
    await press('下载全部题库')
    await (await card()).findByText(/^网络不可用，恢复后自动继续/)
    stage.wire.fault = null
    window.dispatchEvent(new Event('online'))
    await says('3 个题库都已下载')
  })

  test('on mobile data is asked about once for all of it', async () => {
    withRoom(2 * 1024 ** 3, 'cellular')
    await open()
    await press('下载全部题库')
    const sure = within(await screen.findByRole('dialog', { name: '下载全部题库' }))
    expect(asked(BLOCKS)).toBe(0)
    await userEvent.click(sure.getByRole('button', { name: '现在下载' }))
    await says('3 个题库都已下载')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('is not begun where it would not fit, and one is told what helps', async () => {
    withRoom(50 * 1024 ** 2)
    await open()
    await press('下载全部题库')
    const told = await screen.findByRole('dialog')
    expect(told.textContent).toMatch(/存储空间不足：下载全部题库约需 \d+ KB/)
    await userEvent.click(within(told).getByRole('button', { name: '知道了' }))
    expect(packs.get().rows?.size).toBe(0)
    await says('全部 3 个题库')
  })

  test('leaves out what the server does not give, and says so', async () => {
    const subject = { no: 'politics', name: '政治' }
    stage.wire.fault = (sent) =>
      sent.path === LIST
        ? json({
            status: 1,
            msg: '',
            data: [
              { no: 'X', title: 'VIP 题库', subject, total: 1, chapters: [], pack: null },
              {
                no: 'L',
                title: 'L 章节题库',
                subject,
                total: 10,
                chapters: [],
                pack: { rev: 'r', bytes: 1000, pictureBytes: 0 },
              },
            ],
          })
        : null
    await open()
    await says('全部 1 个题库')
    await (await card()).findByText(/另有 1 个暂时不能下载$/)
  })
})

describe('after the first batch', () => {
  let chapter = 0
  beforeEach(() => void vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(ANDROID))
  const finish = async (): Promise<void> => {
    stage.close()
    await open(`/question/library_study/L_c${++chapter}/20/x`)
    await userEvent.click(await screen.findByRole('radio', { name: /^B．/ }))
    await userEvent.click(await screen.findByRole('button', { name: '查看结果' }))
    await screen.findByRole('heading', { name: '本组完成' })
  }

  test('all libraries are offered, and come while the student goes on', async () => {
    await finish()
    await press('下载全部题库')
    await says('3 个题库都已下载')
    expect((await card()).queryByRole('button')).toBeNull()
  })

  test('whoever puts it off is asked about the next thing, and never again about this one', async () => {
    await finish()
    await press('以后再说')
    expect(screen.queryByRole('region', { name: '下载全部题库' })).toBeNull()
    await screen.findByRole('complementary', { name: '添加到桌面' })
    await finish()
    await screen.findByRole('complementary', { name: '添加到桌面' })
    expect(screen.queryByRole('region', { name: '下载全部题库' })).toBeNull()
  })

  test('who has them all is not asked', async () => {
    await packs.startAll(NOS.map((no) => ({ no, title: no })))
    await expect.poll(() => [...(packs.get().rows?.values() ?? [])].every(({ ready }) => ready)).toBe(true)
    await finish()
    await screen.findByRole('complementary', { name: '添加到桌面' })
    expect(screen.queryByRole('region', { name: '下载全部题库' })).toBeNull()
  })
})
