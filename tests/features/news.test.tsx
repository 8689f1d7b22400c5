import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { dateOf, dayOf, dayOfDate, startOf } from '#src/domain/time/day.ts'
import { heardServer } from '#src/offline/device/serverClock.ts'
import { apiCache } from '#src/offline/device/names.ts'
import { encodeForm } from '#src/contract/wire.ts'
import { contract } from '#src/contract/index.ts'
import type { Endpoint, Input } from '#src/contract/endpoint.ts'
import { fetchLatest } from '#src/features/news/ahead.ts'
import { tellSeen } from '#src/features/news/seen.ts'
import { awayText, spanText } from '#src/features/news/texts.ts'
import { session } from '#src/session/session.ts'
import { memoryCaches } from '#tests/support/cacheStorage.ts'
import { articleJson, manyArticles, newsJson, publishNews } from '#tests/support/news.ts'
import { tap } from '#tests/support/tap.ts'
import { json, nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const TODAY = dayOf(Date.now())
const inDays = (days: number): string => dateOf(TODAY + days)
/** Noon of a day. */
const noon = (days: number): number => startOf(TODAY + days) + 43_200_000

const stage = setScreens(async (server) => {
  server.clock.now = noon(0)
  const entry = { kind: 'exam' as const, source: '本站预计', note: '以当年官方公告为准' }
  await publishNews(
    server,
    newsJson({
      articles: [
        ...manyArticles(45),
        articleJson('NOTICE', {
          kind: 'notice',
          category: 'method',
          title: '站内公告',
          publishedAt: '2026-11-20 09:00',
        }),
        articleJson('RICH', {
          publishedAt: '2026-11-19 09:00',
          title: '有图有表',
          html: '<h3>小标题</h3><p>独一无二的正文</p><img src="/media/0123456789abcdef0123456789abcdef.png" width="640" height="360" alt="示意图">',
        }),
      ],
      calendar: [
        { ...entry, no: 'E_SOON', title: '报名（预计）', kind: 'apply', from: inDays(10), to: inDays(40) },
        { ...entry, no: 'E_LATER', title: '笔试（预计）', from: inDays(39), to: inDays(42) },
        { ...entry, no: 'E_OVER', title: '旧考试', from: inDays(-30) },
      ],
    }),
  )
})
beforeEach(() => {
  stage.server.clock.now = noon(0)
  heardServer(stage.server.clock.now)
  vi.stubGlobal('caches', memoryCaches())
})

const { open } = stage
const titles = () =>
  within(screen.getByRole('list', { name: '资讯' }))
    .getAllByRole('link')
    .map((link) => link.querySelector('strong')?.textContent)
const sentTo = (path: string) => stage.wire.sent.filter((sent) => sent.path === `/pcapi/${path}`)

/** A browser that has this, and is not offline. */
const giveNavigator = (given: object) =>
  vi.stubGlobal('navigator', Object.create(navigator, Object.getOwnPropertyDescriptors({ onLine: true, ...given })))

/** What the worker would have kept of a call, an hour ago. */
async function keep<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<void> {
  const scope = { ...session.scope() }
  const form = new URLSearchParams(encodeForm({ ...scope, ...(input as Record<string, unknown>) }))
  const data = await stage.server.call(endpoint, input, '', scope)
  const date = new Date(Date.UTC(2026, 10, 21, 3)).toUTCString()
  const answer = new Response(JSON.stringify({ status: 1, msg: '', data }), { headers: { date } })
  await (await caches.open(apiCache(session.owner()))).put(`/pcapi/${endpoint.path}?${form}`, answer)
}

describe('the list of news', () => {
  test('says what each is, grows by pages to its end, and goes by category', async () => {
    await open('/news/news_list')
    const notice = await screen.findByRole('link', { name: /站内公告/ })
    expect(notice.textContent).toMatch(/公告.*NOTICE 摘要.*备考方法.*本站编辑部.*11月20日/)
    expect(titles().slice(0, 3)).toEqual(['公告站内公告', '有图有表', 'A45 标题'])
    expect(titles()).toHaveLength(20)
    await tap('显示更多')
    await waitFor(() => expect(titles()).toHaveLength(40))
    await tap('显示更多')
    await waitFor(() => expect(titles()).toHaveLength(47))
    expect(screen.getByText('暂无更多...')).toBeTruthy()
    await tap('备考方法')
    await waitFor(() => expect(titles()).toEqual(['公告站内公告']))
    expect(screen.getByRole('button', { name: '备考方法' }).getAttribute('aria-pressed')).toBe('true')
    expect(window.location.search).toBe('?category=method')
  })

  test('is searched by what is read of an article; what is not found says so; one call for a word', async () => {
    await open('/news/news_list')
    await screen.findByRole('link', { name: /站内公告/ })
    await userEvent.type(screen.getByRole('textbox', { name: '搜索资讯' }), '独一无二')
    await waitFor(() => expect(titles()).toEqual(['有图有表']))
    expect(sentTo('news/search').map(({ body }) => body.q)).toEqual(['独一无二'])
    await userEvent.type(screen.getByRole('textbox', { name: '搜索资讯' }), '%')
    expect(await screen.findByText('没有找到。换一个更短的词试试。')).toBeTruthy()
    await userEvent.clear(screen.getByRole('textbox', { name: '搜索资讯' }))
    await screen.findByRole('link', { name: /站内公告/ })
    expect(window.location.search).toBe('')
  })

  test('is as it was for who comes back from an article: words, category, length', async () => {
    await open('/news/news_list?category=policy&q=%E6%AD%A3%E6%96%87')
    await tap('显示更多')
    await waitFor(() => expect(titles()).toHaveLength(40))
    await userEvent.click(screen.getByRole('link', { name: /A30 标题/ }))
    await screen.findByRole('heading', { level: 1, name: 'A30 标题' })
    await userEvent.click(await screen.findByRole('link', { name: /^上一篇/ }))
    await screen.findByRole('heading', { level: 1, name: 'A31 标题' })
    await tap('返回')
    await waitFor(() => expect(titles()).toHaveLength(40))
    expect(screen.getByRole('textbox', { name: '搜索资讯' })).toHaveProperty('value', '正文')
    expect(screen.getByRole('button', { name: '报考政策' }).getAttribute('aria-pressed')).toBe('true')
  })

  test('leads on within the category that was chosen, with and without a network, and back to it', async () => {
    const neighbours = async () => {
      await screen.findByRole('heading', { level: 1, name: '有图有表' })
      return screen.getByRole('navigation', { name: '上一篇与下一篇' }).textContent
    }
    await keep(contract.news.latest, {})
    for (const fault of [null, nobody]) {
      stage.wire.fault = fault
      await open('/news/news_list?category=policy')
      await userEvent.click(await screen.findByRole('link', { name: /有图有表/ }))
      // The newest of all is one of another category.
      expect(await neighbours()).toBe('上一篇：没有了下一篇A45 标题')
      await userEvent.click(screen.getByRole('link', { name: /^下一篇/ }))
      await userEvent.click(await screen.findByRole('link', { name: /^上一篇.*有图有表/ }))
      expect(await neighbours()).toContain('上一篇：没有了')
      await tap('返回')
      await waitFor(() => expect(window.location.search).toBe('?category=policy'))
      stage.close()
    }
  })

  test('keeps what is shown when the next page fails', async () => {
    await open('/news/news_list')
    await screen.findByRole('link', { name: /站内公告/ })
    stage.wire.fault = ({ query }) => (query.cursor ? json({}, 500) : null)
    await tap('显示更多')
    // Tried again by itself first.
    expect((await screen.findByRole('alert', {}, { timeout: 20_000 })).textContent).toContain(
      '服务器开小差了，稍后再试试!',
    )
    expect(titles()).toHaveLength(20)
    stage.wire.fault = null
    await tap('重试')
    await waitFor(() => expect(titles()).toHaveLength(40))
  })
})

describe('without a network', () => {
  test('a list never opened says so, and comes when it is asked for again', async () => {
    stage.wire.fault = nobody
    await open('/news/news_list')
    expect((await screen.findByRole('alert')).textContent).toContain('此内容尚未下载，联网后可查看')
    stage.wire.fault = null
    await tap('重试')
    await screen.findByRole('link', { name: /站内公告/ })
  })

  test('what was fetched ahead is listed, searched and read, with the hour it is of', async () => {
    await keep(contract.news.latest, {})
    stage.wire.fault = nobody
    await open('/news/news_list')
    expect((await screen.findByText(/可读 47 条资讯/)).textContent).toMatch(/缓存于 (2026年)?11月21日 11:00/)
    expect(titles()[0]).toBe('公告站内公告')
    await tap('备考方法')
    await waitFor(() => expect(titles()).toEqual(['公告站内公告']))
    await tap('全部')
    await userEvent.type(screen.getByRole('textbox', { name: '搜索资讯' }), '独一无二')
    await screen.findByText(/只搜索已保存的 47 条资讯/)
    await waitFor(() => expect(titles()).toEqual(['有图有表']))
    await userEvent.click(screen.getByRole('link', { name: /有图有表/ }))
    expect(await screen.findByText('独一无二的正文')).toBeTruthy()
    expect(screen.getByText(/当前离线，缓存于/).textContent).toContain('11月21日 11:00')
    await userEvent.click(screen.getByRole('link', { name: /^下一篇/ }))
    await screen.findByRole('heading', { level: 1, name: 'A45 标题' })
    expect(sentTo('news/seen')).toEqual([])
  })

  test('what was opened is there, too; what never was says so', async () => {
    await keep(contract.news.detail, { id: 'A1' })
    stage.wire.fault = nobody
    await open('/news/news_detail/A1')
    expect(await screen.findByText('A1 正文')).toBeTruthy()
    await open('/news/news_detail/A2')
    expect((await screen.findByRole('alert')).textContent).toContain('此内容尚未下载，联网后可查看')
  })

  test('another direction’s news are not taken for one’s own', async () => {
    await keep(contract.news.latest, {})
    session.setChoice({ key: '0', name: '全国' }, { key: 'tg', name: '提干' })
    stage.wire.fault = nobody
    await open('/news/news_list')
    expect(await screen.findByRole('alert')).toBeTruthy()
  })
})

describe('an article', () => {
  test('has its facts, its text with pictures that have a size, its neighbours, and counts one reader a day', async () => {
    await open('/news/news_detail/RICH')
    await screen.findByRole('heading', { level: 1, name: '有图有表' })
    expect(screen.getByText('来源：本站编辑部')).toBeTruthy()
    expect(screen.getByText(/11月19日 09:00$/)).toBeTruthy()
    const picture = screen.getByRole('button', { name: '放大图片：示意图' })
    expect([picture.getAttribute('width'), picture.getAttribute('height')]).toEqual(['640', '360'])
    const nav = screen.getByRole('navigation', { name: '上一篇与下一篇' })
    expect(within(nav).getByRole('link', { name: /^上一篇/ }).textContent).toContain('站内公告')
    await waitFor(() => expect(sentTo('news/seen')).toHaveLength(1))
    await open('/news/news_list')
    await open('/news/news_detail/RICH')
    await screen.findByRole('heading', { level: 1, name: '有图有表' })
    await act(() => tellSeen('RICH'))
    expect(sentTo('news/seen')).toHaveLength(1)
  })
  test('has pictures that are enlarged by a tap or a key, and give the focus back', async () => {
    await open('/news/news_detail/RICH')
    const picture = await screen.findByRole('button', { name: '放大图片：示意图' })
    expect(picture.getAttribute('alt')).toBe('示意图')
    const large = () => within(screen.getByRole('dialog', { name: '示意图' }))
    await userEvent.click(picture)
    const image = large().getByAltText('示意图')
    expect([image.getAttribute('src'), image.style.width]).toEqual([
      `${window.location.origin}/media/0123456789abcdef0123456789abcdef.png`,
      '640px',
    ])
    await userEvent.click(large().getByRole('button', { name: '关闭' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    for (const key of ['{Enter}', ' ']) {
      act(() => picture.focus())
      await userEvent.keyboard(key)
      await userEvent.click(large().getByRole('button', { name: '缩小图片' }))
      expect(screen.queryByRole('dialog')).toBeNull()
    }
  })
  test('that cannot be counted is read all the same, and is counted at the next opening', async () => {
    stage.wire.fault = ({ path }) => (path.endsWith('seen') ? json({}, 500) : null)
    await open('/news/news_detail/A5')
    await screen.findByText('A5 正文')
    await waitFor(() => expect(sentTo('news/seen')).toHaveLength(1))
    stage.wire.fault = null
    // The first one may still be under way.
    await waitFor(async () => {
      await act(() => tellSeen('A5'))
      expect(sentTo('news/seen')).toHaveLength(2)
    })
  })
  test('gives a visitor another number tomorrow', async () => {
    await tellSeen('A6', stage.server.clock.now)
    await tellSeen('A6', stage.server.clock.now + 86_400_000)
    const [today, tomorrow] = sentTo('news/seen').map(({ body }) => body.visitor)
    expect(today).toBeTruthy()
    expect(tomorrow).not.toBe(today)
  })
  test('is shared by the phone’s own sheet', async () => {
    const share = vi.fn<(data: ShareData) => Promise<void>>(async () => {})
    giveNavigator({ share })
    await open('/news/news_detail/A7')
    await tap('分享')
    expect(share).toHaveBeenCalledWith({ title: 'A7 标题', url: expect.stringContaining('/news/news_detail/A7') })
  })
  test('is shared as a copied link, which is said, where there is no such sheet', async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>(async () => {})
    giveNavigator({ share: undefined, clipboard: { writeText } })
    await open('/news/news_detail/A7')
    await tap('分享')
    expect(await screen.findByText('链接已复制')).toBeTruthy()
    expect(writeText).toHaveBeenCalledWith(expect.stringContaining('/news/news_detail/A7'))
  })
  test('where nothing can be copied shows its address; a sheet that is closed says nothing', async () => {
    const share = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new DOMException('closed', 'AbortError'))
    giveNavigator({ share })
    await open('/news/news_detail/A8')
    await tap('分享')
    expect(screen.queryByRole('dialog')).toBeNull()
    share.mockRejectedValueOnce(new Error('no'))
    await tap('分享')
    expect((await screen.findByRole('dialog', { name: '提示信息' })).textContent).toContain('/news/news_detail/A8')
    await tap('知道了')
  })
  test('that there is not says so, and leads back to the list; an address that can be none is not found', async () => {
    await open('/news/news_detail/NONE')
    expect((await screen.findByRole('alert')).textContent).toContain('资讯不存在或已撤下，请返回看看其他资讯')
    await tap('返回')
    await screen.findByRole('link', { name: /站内公告/ })
    await open('/news/news_detail/a-b')
    expect(await screen.findByText('抱歉，您访问的页面不存在。')).toBeTruthy()
  })
})

test.each([
  ['one day', '2026-12-01', '2026-12-01', '2026年12月1日'],
  ['days of one year', '2026-12-01', '2026-12-31', '2026年12月1日 – 12月31日'],
  ['days over New Year', '2026-12-30', '2027-01-02', '2026年12月30日 – 2027年1月2日'],
])('%s are written as they are read', (_, from, to, text) => expect(spanText({ from, to })).toBe(text))
test.each([
  ['2026-12-01', '2026-12-03', '2026-11-29', '还有 2 天'],
  ['2026-12-01', '2026-12-03', '2026-11-30', '明天开始'],
  ['2026-12-01', '2026-12-03', '2026-12-01', '进行中'],
  ['2026-12-01', '2026-12-03', '2026-12-03', '今天截止'],
  ['2026-12-01', '2026-12-03', '2026-12-04', '已结束'],
  ['2026-12-01', '2026-12-01', '2026-12-01', '就在今天'],
])('from %s to %s is on %s: %s', (from, to, today, text) => {
  expect(awayText({ from, to }, dayOfDate(today))).toBe(text)
})

describe('the exam calendar', () => {
  test('has what is to come, with how far it is; what is over comes when it is asked for', async () => {
    await open('/news/news_list')
    await tap(/考试日历.*报名（预计） · 还有 10 天/)
    await screen.findByRole('heading', { level: 1, name: '考试日历' })
    const names = () => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)
    await waitFor(() => expect(names()).toEqual(['报名（预计）', '笔试（预计）']))
    const exam = screen.getByRole('region', { name: '笔试（预计）' })
    expect(exam.textContent).toMatch(/考试.*还有 39 天.*月\d+日 – .*以当年官方公告为准.*来源：本站预计/)
    await tap('显示已结束的 1 项')
    expect(names()).toEqual(['旧考试', '报名（预计）', '笔试（预计）'])
    // Whatever the server answers meanwhile says the same.
    stage.server.clock.now = noon(40)
    act(() => heardServer(stage.server.clock.now))
    await waitFor(() => expect(screen.getByRole('region', { name: '报名（预计）' }).textContent).toContain('今天截止'))
    expect(screen.getByRole('region', { name: '笔试（预计）' }).textContent).toContain('进行中')
    await tap('返回')
    await screen.findByRole('link', { name: /站内公告/ })
  })

  test('goes into the calendar of the phone, whole or entry by entry', async () => {
    const files: { name: string; text: Promise<string> }[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      files.push({ name: '', text: blob instanceof Blob ? blob.text() : Promise.resolve('') })
      return 'blob:x'
    })
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      const last = files.at(-1)
      if (last) last.name = this.download
    })
    await open('/news/news_list?part=calendar')
    await tap('全部加入日历')
    await tap('加入日历 笔试（预计）')
    expect(files.map(({ name }) => name)).toEqual(['考试日历.ics', '笔试（预计）.ics'])
    const [all = '', one = ''] = await Promise.all(files.map(({ text }) => text))
    expect(all.match(/BEGIN:VEVENT/g)).toHaveLength(2)
    const plain = (days: number) => inDays(days).replaceAll('-', '')
    expect(one).toContain(`DTSTART;VALUE=DATE:${plain(39)}\r\nDTEND;VALUE=DATE:${plain(43)}\r\n`)
    expect(one).toContain('UID:E_LATER@')
  })

  test('without a network, never opened, says so', async () => {
    stage.wire.fault = nobody
    await open('/news/news_list?part=calendar')
    expect((await screen.findByRole('alert')).textContent).toContain('此内容尚未下载，联网后可查看')
  })
})

describe('the latest news', () => {
  const worker = (controller: object | null) =>
    giveNavigator({ serviceWorker: { ready: Promise.resolve(), controller } })
  const ahead = (now: number) => fetchLatest(now)

  test('are fetched ahead seldom, for each student and direction', async () => {
    worker({})
    const { now } = stage.server.clock
    await ahead(now)
    await ahead(now + 3_600_000)
    expect(sentTo('news/latest')).toHaveLength(1)
    await ahead(now + 7 * 3_600_000)
    expect(sentTo('news/latest')).toHaveLength(2)
    session.setChoice({ key: '0', name: '全国' }, { key: 'tg', name: '提干' })
    await ahead(now + 7 * 3_600_000)
    expect(sentTo('news/latest').at(-1)?.query.sg_key).toBe('tg')
  })
  test('are not fetched in 省流模式, nor where no worker would keep them', async () => {
    worker(null)
    await ahead(stage.server.clock.now)
    worker({})
    localStorage.setItem('jk-saver', '1')
    await ahead(stage.server.clock.now)
    expect(sentTo('news/latest')).toEqual([])
  })
})
