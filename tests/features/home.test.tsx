import { onlineManager } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { heardServer, serverNow } from '#src/offline/device/serverClock.ts'
import { offline } from '#src/offline/index.ts'
import { OWNER_KEYS } from '#src/device/keys.ts'
import { session } from '#src/session/session.ts'
import { writeSetting } from '#server/config/store.ts'
import { DIRECTION, prepareDevice } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { courseRow, publishCourse } from '#tests/support/courses.ts'
import { eventually } from '#tests/support/eventually.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { articleJson, newsJson, publishNews } from '#tests/support/news.ts'
import { bookJson, booksJson, packageJson, publishBooks, publishVip, vipJson } from '#tests/support/shop.ts'
import { nobody, page } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

let areas = 0
const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 1, perChapter: 3 }))
})
beforeEach(async () => {
  // What this page has kept of the last test is of another area.
  session.setChoice({ key: String(500 + ++areas), name: '山东' }, DIRECTION)
  await setBanners()
})

const banner = {
  title: '每天一组',
  note: '断网也能做',
  src: '/media/0123456789abcdef.svg',
  width: 1000,
  height: 400,
  link: '/question/library',
  from: null,
  until: null,
  directions: [],
  areas: [],
}
const setBanners = (...rows: object[]) =>
  writeSetting(stage.server.db, 'banners', JSON.stringify(rows.map((row) => ({ ...banner, ...row }))))
const open = async (path = '/') => {
  await stage.open(path)
}
const carousel = async () => within(await screen.findByRole('region', { name: '推荐' }))

describe('banners', () => {
  test('with none, the product’s own words stand in their place', async () => {
    await open()
    await expect.poll(() => stage.app?.queryClient.isFetching()).toBe(0)
    expect(screen.getByRole('heading', { name: '备考不断线，一题不丢' })).toBeTruthy()
    expect(screen.queryByRole('region', { name: '推荐' })).toBeNull()
  })
  test('one alone has its words as text over a picture that says nothing, leads on, and has no controls', async () => {
    await setBanners({})
    await open()
    const link = (await carousel()).getByRole('link', { name: '每天一组断网也能做' })
    const picture = link.querySelector('img')
    expect(picture?.getAttribute('alt')).toBe('')
    expect(picture?.getAttribute('loading')).toBe('eager')
    expect([picture?.width, picture?.height]).toEqual([1000, 400])
    expect((await carousel()).queryAllByRole('button')).toEqual([])
    await userEvent.click(link)
    await expect.poll(() => window.location.pathname).toBe('/question/library')
  })
  test('of several the others come later, each has a dot, and the play can be stopped', async () => {
    await setBanners({}, { title: '全真模考', link: '/exam/exam_list' })
    await open()
    const shown = await carousel()
    expect(shown.getByRole('group', { name: '第1张，共2张' }).querySelector('img')?.getAttribute('loading')).toBe(
      'eager',
    )
    expect(shown.getByLabelText('第2张，共2张').querySelector('img')?.getAttribute('loading')).toBe('lazy')
    expect(shown.getByRole('button', { name: '第1张：每天一组' }).getAttribute('aria-current')).toBe('true')
    expect(shown.getByRole('button', { name: '第2张：全真模考' })).toBeTruthy()
    await userEvent.click(shown.getByRole('button', { name: '暂停轮播' }))
    expect(shown.getByRole('button', { name: '继续轮播' })).toBeTruthy()
  })
  test('with reduced motion nothing plays, so there is nothing to stop', async () => {
    const given = window.matchMedia
    const still = (media: string) => Object.assign(given(media), { matches: media.includes('reduced-motion') })
    vi.spyOn(window, 'matchMedia').mockImplementation(still)
    await setBanners({}, { title: '全真模考' })
    await open()
    const shown = await carousel()
    expect(shown.getAllByRole('button')).toHaveLength(2)
    expect(shown.queryByRole('button', { name: /轮播$/ })).toBeNull()
  })
  test('the first one is there with the first paint of the next start, without any network', async () => {
    await setBanners({ title: '记得我' })
    await open()
    await carousel()
    stage.close()
    stage.wire.fault = nobody
    await open()
    expect(screen.getByRole('link', { name: '记得我断网也能做' })).toBeTruthy()
    session.setChoice({ key: '11', name: '北京' }, DIRECTION)
    await open()
    expect(screen.queryByRole('link', { name: '记得我断网也能做' })).toBeNull()
  })
})

describe('what is on', () => {
  beforeAll(async () => {
    await publishExam(stage.server.db, { ...examJson({ no: 'HX', paper: [['L_q1']] }), title: '随时模考' })
    await publishCourse(stage.server, {
      ...courseRow({ no: 'HC', units: [['HC_1', 'HC_2']] }),
      title: '从头学起',
      price: 9_900,
    })
  })

  test('exams and courses lead to where they are', async () => {
    await open()
    const exams = within(await screen.findByRole('region', { name: '模拟考试' }))
    expect(exams.getByRole('link', { name: '全部模拟考试' }).getAttribute('href')).toBe('/exam/exam_list')
    const exam = exams.getByRole('link', { name: /随时模考/ })
    expect(exam.textContent).toContain('随时可考')
    expect(exam.getAttribute('href')).toBe('/exam/exam_detail/HX')
    const courses = within(screen.getByRole('region', { name: '推荐课程' }))
    const course = courses.getByRole('link', { name: /从头学起/ })
    expect(course.textContent).toContain('音频 · 2 课时¥99.00')
    expect(course.getAttribute('href')).toBe('/course/course_detail/HC')
  })
  test('news lead to their articles, a notice is told apart', async () => {
    const articles = [
      articleJson('N1', { title: '报名时间公布', kind: 'notice' }),
      articleJson('N2', { title: '怎么复习数学', publishedAt: '2026-11-02 09:00' }),
    ]
    await publishNews(stage.server, newsJson({ articles }))
    await open()
    const news = within(await screen.findByRole('region', { name: '最新资讯' }))
    expect(news.getByRole('link', { name: '全部最新资讯' }).getAttribute('href')).toBe('/news/news_list')
    const links = news.getAllByRole('link', { name: /11月/ })
    // A day of another year is told with that year.
    const year = dateOf(dayOf(Date.now())).startsWith('2026-') ? '' : '2026年'
    expect(links.map((link) => link.textContent)).toEqual([
      `怎么复习数学${year}11月2日`,
      `公告报名时间公布${year}11月1日`,
    ])
    expect(links[0]?.getAttribute('href')).toBe('/news/news_detail/N2')
  })
  test('books and VIP lead to where they are sold, with the lowest price', async () => {
    await publishBooks(
      stage.server,
      booksJson(bookJson('HB', 3, { title: '口袋书' }), bookJson('HO', 0, { title: '旧书' })),
    )
    await publishVip(stage.server, vipJson(packageJson('HV', { title: '刷题会员' })))
    await open()
    const book = within(await screen.findByRole('region', { name: '图书' })).getByRole('link', { name: /口袋书/ })
    expect(book.textContent).toMatch(/¥\d+\.\d\d$/)
    expect(book.getAttribute('href')).toBe('/store/store_detail/HB')
    expect(screen.getByRole('link', { name: /旧书/ }).textContent).toMatch(/¥\d+\.\d\d · 售罄$/)
    const vip = within(screen.getByRole('region', { name: 'VIP 会员' })).getByRole('link', { name: /刷题会员/ })
    expect(vip.textContent).toMatch(/¥\d+\.\d\d 起$/)
    expect(vip.getAttribute('href')).toBe('/vip/vip_detail/HV')
  })
})

describe('the lesson to go on with', () => {
  const watch = (lessonNo: string, to: number) =>
    offline.add({ kind: 'watch', payload: { courseNo: 'HG', lessonNo, watched: [[0, to]], position: to } })
  const card = () => screen.findByRole('link', { name: /^继续上课/ })
  beforeAll(async () => {
    await publishCourse(stage.server, {
      ...courseRow({ no: 'HG', units: [['HG_1', 'HG_2', 'HG_3']] }),
      title: '接着学',
    })
  })

  test('is none that was only opened, and the one that the course’s page offers', async () => {
    prepareDevice(await stage.server.student())
    await open('/course/course_audio/HG/HG_3')
    await screen.findByRole('heading', { level: 1, name: '第3课' })
    await open()
    await screen.findByRole('region', { name: '模拟考试' })
    expect(screen.queryByRole('link', { name: /^继续上课/ })).toBeNull()
    await watch('HG_1', 20)
    await watch('HG_3', 5)
    expect((await card()).textContent).toBe('继续上课 第1课')
    expect((await card()).getAttribute('href')).toBe('/course/course_video/HG/HG_1/course')
    await open('/course/course_detail/HG')
    await screen.findByRole('button', { name: '继续学习：第1课' })
    await watch('HG_1', 60)
    await screen.findByRole('button', { name: '继续学习：第2课' })
    await open()
    await expect.poll(async () => (await card()).textContent).toBe('继续上课 第2课')
  })
  test('stands there with the first paint of the next start, and is none when the course is finished', async () => {
    prepareDevice(await stage.server.student())
    await watch('HG_1', 60)
    await watch('HG_2', 30)
    await open('/course/course_audio/HG/HG_2')
    await screen.findByRole('heading', { level: 1, name: '第2课' })
    const remembered = () => localStorage.getItem(OWNER_KEYS.lastLesson(offline.owner))
    await expect.poll(remembered).toMatch(/\n第2课$/)
    stage.wire.fault = nobody
    await open()
    expect(screen.getByRole('link', { name: '继续上课 第2课' })).toBeTruthy()
    stage.wire.fault = null
    await watch('HG_2', 60)
    await watch('HG_3', 60)
    await waitFor(() => expect(screen.queryByRole('link', { name: /^继续上课/ })).toBeNull())
    await publishCourse(stage.server, {
      ...courseRow({ no: 'HG', units: [['HG_1', 'HG_2', 'HG_3', 'HG_4']] }),
      title: '接着学',
    })
    await open()
    expect((await card()).textContent).toBe('继续上课 第4课')
    // Another course that is finished since leaves this one to go on with.
    await publishCourse(stage.server, courseRow({ no: 'HD', units: [['HD_1']] }))
    await offline.add({
      kind: 'watch',
      payload: { courseNo: 'HD', lessonNo: 'HD_1', watched: [[0, 60]], position: 60 },
    })
    await open()
    expect((await card()).textContent).toBe('继续上课 第4课')
  })
})

describe('what is on, and without a network', () => {
  test('is shown without a network as it was known, with its date, and without it again when the network is back', async () => {
    await open()
    await screen.findByRole('region', { name: '模拟考试' })
    expect(screen.queryByText(/^截至/)).toBeNull()
    // Kept a moment later.
    await eventually(async () => {
      stage.close()
      stage.wire.fault = nobody
      await stage.open('/')
      await screen.findByRole('link', { name: /随时模考/ }, { timeout: 1_000 })
    })
    expect(screen.queryByText(/^截至/)).toBeNull()
    act(() => onlineManager.setOnline(false))
    // It belongs to what the server said last, not to the student's own figures above.
    const exams = within(screen.getByRole('region', { name: '模拟考试' }))
    expect(await exams.findByText(/^截至 \d+月\d+日 \d\d:\d\d$/)).toBeTruthy()
    expect(screen.getAllByText(/^截至/)).toHaveLength(1)
    stage.wire.fault = null
    act(() => onlineManager.setOnline(true))
    await waitFor(() => expect(screen.queryByText(/^截至/)).toBeNull())
  })
  test('a first visit without it has every way in, and says when it comes', async () => {
    stage.wire.fault = nobody
    await open()
    await screen.findByText('联网后，这里有正在开放的考试与推荐内容。')
    expect(within(screen.getByRole('navigation', { name: '快捷入口' })).getAllByRole('link')).toHaveLength(8)
    stage.wire.fault = null
    await userEvent.click(screen.getByRole('button', { name: '重试' }))
    await screen.findByRole('region', { name: '模拟考试' })
  })
  test('a server with a fault is told in a line, and nowhere else', async () => {
    stage.wire.fault = ({ path }) => (path.endsWith('getHomeData') ? page(500) : null)
    await open()
    await screen.findByText('服务器开小差了，稍后再试试!')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('the days to the exam', () => {
  const setDate = (value: string) => offline.add({ kind: 'setting', payload: { name: 'examDate', value } })
  test('are those of the calendar’s nearest exam, by its name, for who has set none', async () => {
    const entry = { no: 'C1', title: '全军统考', kind: 'exam' as const, source: '通知' }
    const from = dateOf(dayOf(stage.server.clock.now) + 40)
    await publishNews(stage.server, newsJson({ calendar: [{ ...entry, from }] }))
    heardServer(stage.server.clock.now)
    await open()
    await waitFor(() => expect(screen.getByText('距全军统考').parentElement?.textContent).toBe('距全军统考 40 天'))
    await publishNews(stage.server, newsJson({ calendar: [{ ...entry, from, withdrawn: true }] }))
  })
  test('an exam of several days is told to be under way until the last', async () => {
    const today = dayOf(stage.server.clock.now)
    const entry = { no: 'C2', title: '全军统考', kind: 'exam' as const, source: '通知' }
    const days = { from: dateOf(today - 1), to: dateOf(today + 1) }
    await publishNews(stage.server, newsJson({ calendar: [{ ...entry, ...days }] }))
    heardServer(stage.server.clock.now)
    await open()
    await screen.findByText('考试进行中：全军统考')
    await publishNews(stage.server, newsJson({ calendar: [{ ...entry, ...days, withdrawn: true }] }))
  })
  test('are counted from the student’s own date, today is told as such, and what is over is not', async () => {
    heardServer(Date.now())
    const today = dayOf(serverNow())
    await setDate(dateOf(today + 30))
    await open()
    await waitFor(() => expect(screen.getByText('距考试').parentElement?.textContent).toBe('距考试 30 天'))
    await act(() => setDate(dateOf(today)))
    await screen.findByText('今天考试')
    await act(() => setDate(dateOf(today - 1)))
    await waitFor(() => expect(screen.queryByText('今天考试')).toBeNull())
    expect(screen.queryByText(/距考试/)).toBeNull()
  })
})

describe('平台承诺', () => {
  afterEach(async () => void (await stage.server.db.deleteFrom('setting').where('key', '=', 'promise').execute()))
  test('is the product’s own, without a date and without any network', async () => {
    stage.wire.fault = nobody
    await open('/platform_promise')
    await screen.findByRole('heading', { name: '一题不丢' })
    expect(screen.getByRole('heading', { level: 1, name: '平台承诺' })).toBeTruthy()
    expect(screen.queryByText(/^更新于/)).toBeNull()
  })
  test('is the operator’s, with its date, and nothing in it runs', async () => {
    const html = '<h3>只此一条</h3><p>言出必行<img src="x" onerror="alert(1)"></p>'
    await writeSetting(
      stage.server.db,
      'promise',
      JSON.stringify({ title: '我们的承诺', html, at: Date.UTC(2020, 0, 1) }),
    )
    await open('/platform_promise')
    await screen.findByRole('heading', { level: 1, name: '我们的承诺' })
    expect(screen.getByText('更新于 2020年1月1日')).toBeTruthy()
    expect(screen.getByText('言出必行').innerHTML).toBe('言出必行')
  })
})

test('a notice keeps the operator’s line breaks', async () => {
  await writeSetting(stage.server.db, 'notice', '今晚维护\n离线刷题不受影响')
  await open()
  const notice = within(await screen.findByRole('region', { name: '站点公告' })).getByText(/今晚维护/)
  expect(notice.textContent).toBe('今晚维护\n离线刷题不受影响')
})
