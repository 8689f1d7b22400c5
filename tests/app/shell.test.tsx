import type { Site } from '#src/contract/config.ts'
import { onlineManager } from '@tanstack/react-query'
import { fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { forgetBoot } from '#src/offline/device/cache.ts'
import { loginRequest } from '#src/session/loginRequest.ts'
import { session } from '#src/session/session.ts'
import { DIRECTION, prepareDevice } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { json, nobody, page } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 1, perChapter: 5 }))
})
afterEach(() => {
  document.title = ''
})
/** React tells the console of every error that a boundary shows. */
const boundaryExpected = () => vi.spyOn(console, 'error').mockImplementation(() => {})
/** As a device that chose its region before there were directions. */
function regionWithoutDirection(): void {
  const user = { ...session.get(), area: { key: '37', name: '山东' }, exam: null }
  localStorage.setItem('user', JSON.stringify(user))
  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }))
}
const open = async (path: string) => await stage.open(path)
const only = (path: string, answer: () => Response | Promise<Response>) => (sent: { path: string }) =>
  sent.path === `/pcapi/${path}` ? answer() : null

type Nav = '首页' | '课程' | '题库' | '资讯' | '图书' | '模拟考试' | null
interface Route {
  path: string
  title: string
  nav: Nav
  chip?: true
  footer?: false
}
const NO = 'N_1'
const T = encodeURIComponent('上/下 100%')
/** Spec §2, one line a path. */
const OPEN: Route[] = [
  { path: '/', title: '首页', nav: '首页', chip: true },
  { path: '/course/course_list', title: '课程', nav: '课程', chip: true },
  { path: `/course/course_package/${NO}`, title: '课程套餐', nav: '课程' },
  { path: `/course/course_detail/${NO}`, title: '课程详情', nav: '课程' },
  { path: `/course/course_video/${NO}/7/trial`, title: '视频课', nav: '课程' },
  { path: `/course/course_audio/${NO}/7`, title: '音频课', nav: '课程' },
  { path: '/question/library', title: '题库', nav: '题库', chip: true },
  { path: `/question/library_study/L_c1/20/${T}`, title: '章节练习', nav: '题库', footer: false },
  { path: `/question/library_error_study/all/answer/1`, title: '错题练习', nav: '题库', footer: false },
  { path: `/question/library_collect_study/${NO}/${T}`, title: '收藏练习', nav: '题库', footer: false },
  { path: `/question/library_collect_study/${NO}/${T}/Q1`, title: '收藏练习', nav: '题库', footer: false },
  { path: `/question/library_note_study/${NO}`, title: '笔记练习', nav: '题库' },
  { path: '/news/news_list', title: '资讯', nav: '资讯', chip: true },
  { path: '/news/news_detail/12', title: '资讯详情', nav: '资讯' },
  { path: '/store/store_list', title: '图书', nav: '图书', chip: true },
  { path: `/store/store_detail/${NO}`, title: '图书详情', nav: '图书' },
  { path: '/question_set/question_set_list', title: '题集', nav: '题库' },
  { path: `/question_set/question_set_detail/${NO}`, title: '题集详情', nav: '题库' },
  { path: `/question_set/question_set_study/${NO}/P1/${T}`, title: '套卷练习', nav: '题库' },
  { path: `/vip/vip_detail/${NO}`, title: '会员功能包', nav: null },
  { path: '/exam/exam_list', title: '模拟考试', nav: '模拟考试', chip: true },
  { path: '/exam/exam_detail/12', title: '考试详情', nav: '模拟考试' },
  { path: `/exam/exam_study/mock/exam/${NO}/${T}/A1/90`, title: '考试作答', nav: '模拟考试', footer: false },
  { path: '/exam/exam_report/A1', title: '考试报告', nav: '模拟考试' },
  { path: `/exam/exam_rank/${NO}/${T}/2000`, title: '考试排名', nav: '模拟考试' },
  { path: `/exam/exam_analysis/${NO}/${T}/A1`, title: '考试解析', nav: '模拟考试' },
  { path: `/exam/exam_analysis/${NO}/${T}/A1/Q1`, title: '考试解析', nav: '模拟考试' },
  { path: `/testing/testing_detail/${NO}/A1`, title: '测评', nav: null },
  { path: `/testing/testing_study_page/${NO}/A1/practice/${T}`, title: '测评作答', nav: null },
  { path: `/testing/testing_analysis/${NO}/A1/${T}`, title: '测评解析', nav: null },
  { path: '/platform_promise', title: '平台承诺', nav: null },
  { path: '/about', title: '关于我们', nav: null },
  { path: '/agreement/user', title: '用户协议', nav: null },
  { path: '/agreement/privacy', title: '隐私政策', nav: null },
  { path: '/device', title: '设备与数据', nav: null },
  { path: `/pdf/${encodeURIComponent('/media/0123456789abcdef.pdf')}`, title: '文档', nav: null },
]
const MINE: Route[] = [
  { path: '/user/my_course', title: '我的课程', nav: null, chip: true },
  { path: '/user/my_set', title: '我的题集', nav: null },
  { path: '/user/my_error', title: '我的错题', nav: null },
  { path: '/user/my_collect', title: '我的收藏', nav: null },
  { path: '/user/my_note', title: '我的笔记', nav: null },
  { path: '/user/my_wallet', title: '我的钱包', nav: null },
  { path: '/user/my_order', title: '我的订单', nav: null },
  { path: '/user/my_coupon', title: '我的优惠券', nav: null },
  { path: '/user/my_vip', title: '我的会员', nav: null },
  { path: '/user/my_userinfo', title: '我的资料', nav: null },
  { path: '/user/my_address', title: '收货地址', nav: null },
]

/** Of a student, outside of 个人中心. */
const OWN: Route[] = [
  { path: '/order/payment/course-N1-1,book-N2-2-v1', title: '确认订单', nav: null },
  { path: '/order/order_detail/12', title: '订单详情', nav: null },
]

async function expectRoute({ path, title, nav, chip, footer }: Route): Promise<void> {
  await open(path)
  await screen.findByRole('banner')
  expect(decodeURIComponent(window.location.pathname)).toBe(decodeURIComponent(path))
  await expect.poll(() => document.title).toBe(`${DIRECTION.name}-${title}`)
  expect(screen.queryByRole('heading', { name: '抱歉，您访问的页面不存在。' })).toBeNull()
  const active = within(screen.getByRole('navigation', { name: '主导航' })).queryAllByRole('link', { current: 'page' })
  expect(active.map((link) => link.textContent)).toEqual(nav ? [nav] : [])
  expect(screen.queryAllByRole('button', { name: /点按切换$/ })).toHaveLength(chip ? 1 : 0)
  expect(screen.queryAllByRole('contentinfo')).toHaveLength(footer === false ? 0 : 1)
}

describe('every path has its title, its place in the navigation, its chip and its footer', () => {
  test.each(OPEN)('$path', expectRoute)
  test.each(OWN)('$path', async (route) => {
    prepareDevice(await stage.server.student())
    await expectRoute(route)
  })
  test.each(MINE)('$path', async (route) => {
    prepareDevice(await stage.server.student())
    await expectRoute(route)
    const menu = within(screen.getByRole('navigation', { name: '个人中心' }))
    expect(menu.getAllByRole('link')).toHaveLength(11)
    expect(menu.getByRole('link', { current: 'page' }).textContent).toBe(route.title)
  })
})

describe('the navigation', () => {
  test('has six items, at the top and at a phone’s thumb', async () => {
    await open('/')
    const names = (nav: string) =>
      within(screen.getByRole('navigation', { name: nav }))
        .getAllByRole('link')
        .map((link) => link.textContent)
    expect(names('主导航')).toEqual(['首页', '课程', '题库', '资讯', '图书', '模拟考试'])
    expect(names('底部导航')).toHaveLength(6)
  })
  test('the logo goes home in place of the page that was open', async () => {
    await open('/platform_promise')
    const before = window.history.length
    await userEvent.click(screen.getByRole('link', { name: /回首页$/ }))
    await expect.poll(() => window.location.pathname).toBe('/')
    expect(window.history.length).toBe(before)
  })
  test('what had the focus goes with its page, and the focus is at the start of the new one; on the menu it stays', async () => {
    await open('/')
    const inside = await within(screen.getByRole('main')).findByRole('link', { name: '课程' })
    inside.focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => window.location.pathname).toBe('/course/course_list')
    await expect.poll(() => document.activeElement).toBe(screen.getByRole('main'))
    const menu = within(screen.getByRole('navigation', { name: '主导航' })).getByRole('link', { name: '资讯' })
    menu.focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => window.location.pathname).toBe('/news/news_list')
    expect(document.activeElement).toBe(menu)
  })
  test('a page that is opened is shown from its top', async () => {
    const scrolled = vi.spyOn(window, 'scrollTo')
    await open('/')
    scrolled.mockClear()
    await userEvent.click(screen.getByRole('link', { name: '平台承诺' }))
    await screen.findByRole('heading', { name: '平台承诺' })
    await expect.poll(() => scrolled.mock.calls.length).toBeGreaterThan(0)
  })
})

describe('a path that does not exist', () => {
  test.each([
    ['/nowhere'],
    ['/course'],
    ['/course/course_video/N1'],
    ['/question/library_study/no-such-sign!/20/x'],
    ['/question/library_study/L_c1/0/x'],
    ['/question/library_study/L_c1/many/x'],
    ['/user/my_secret'],
    ['/%E0%A4%A'],
    ['/news/news_detail/%E7%AC%'],
  ])('%s says so, and offers the way home', async (path) => {
    if (path.startsWith('/user')) prepareDevice(await stage.server.student())
    await open(path)
    await screen.findByRole('heading', { name: '抱歉，您访问的页面不存在。' })
    expect(screen.getByRole('banner')).toBeTruthy()
    expect(document.title).toBe(`${DIRECTION.name}-页面不存在`)
    await userEvent.click(screen.getByRole('link', { name: '回到首页' }))
    await expect.poll(() => window.location.pathname).toBe('/')
  })
})

describe('the personal area', () => {
  test.each([
    ['/user'],
    ['/user/my_order'],
    ['/user/my_userinfo'],
    ['/order/payment/vip-V-1'],
    ['/order/order_detail/12'],
  ])('%s sends a visitor home and says why', async (path) => {
    await open(path)
    const dialog = within(await screen.findByRole('dialog', { name: '提示信息' }))
    expect(dialog.getByText('您还未登录哦，请登录后访问。')).toBeTruthy()
    await expect.poll(() => window.location.pathname).toBe('/')
    await userEvent.click(dialog.getByRole('button', { name: '返回' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.title).toBe(`${DIRECTION.name}-首页`)
  })
  test('what a visitor wanted there is remembered for the login that was offered for it, and for no other', async () => {
    await open('/user/my_error?part=SX_1')
    const dialog = within(await screen.findByRole('dialog', { name: '提示信息' }))
    await userEvent.click(dialog.getByRole('button', { name: '去登录' }))
    const login = await screen.findByRole('dialog', { name: '登录' })
    expect(loginRequest.wanted()).toBe('/user/my_error?part=SX_1')
    await userEvent.click(within(login).getByRole('button', { name: '关闭' }))
    await userEvent.click(screen.getByRole('button', { name: '游客，点击登录' }))
    expect(loginRequest.wanted()).toBe('')
  })
  test('asks for no login where no code can come, without a network', async () => {
    onlineManager.setOnline(false)
    try {
      await open('/user/my_error')
      const dialog = within(await screen.findByRole('dialog', { name: '提示信息' }))
      expect(dialog.getByText('您还未登录哦，请登录后访问。现在没有网络，联网后再登录。')).toBeTruthy()
      expect(dialog.queryByRole('button', { name: '去登录' })).toBeNull()
    } finally {
      onlineManager.setOnline(true)
    }
  })
  test('a link to it that is only pointed at asks for nothing', async () => {
    await open('/')
    const entries = within(screen.getByRole('navigation', { name: '快捷入口' }))
    await userEvent.hover(entries.getByRole('link', { name: '错题本' }))
    await userEvent.hover(entries.getByRole('link', { name: '收藏' }))
    await userEvent.click(screen.getByRole('button', { name: '游客，点击登录' }))
    await screen.findByRole('dialog', { name: '登录' })
    expect(screen.queryByRole('dialog', { name: '提示信息' })).toBeNull()
  })
  test('stays open to whoever owns this device when the login has expired', async () => {
    const student = await stage.server.student()
    prepareDevice(student)
    session.expire(student.token)
    await open('/user/my_error')
    expect(window.location.pathname).toBe('/user/my_error')
    expect(screen.getByText(/登录已过期，可以继续做题/)).toBeTruthy()
  })
})

describe('who is logged in', () => {
  test('a visitor is 游客, and a tap on the chip asks for a login', async () => {
    await open('/')
    await userEvent.click(screen.getByRole('button', { name: '游客，点击登录' }))
    await screen.findByRole('dialog', { name: '登录' })
  })
  test('a student is shown by nickname and masked mobile, read anew at the start', async () => {
    const student = await stage.server.student('13800138000')
    prepareDevice(student)
    await open('/')
    await screen.findByRole('link', { name: /^学员8000 138\*{4}8000，我的$/ })
    expect(document.body.textContent).not.toContain('13800138000')
    expect(session.get().userinfo?.mobile).toBe('13800138000')
  })
  test('a click in a gated place asks a visitor to log in instead of going there', async () => {
    await open('/')
    await userEvent.click(
      within(screen.getByRole('navigation', { name: '快捷入口' })).getByRole('link', { name: '错题本' }),
    )
    await screen.findByRole('dialog', { name: '登录' })
    expect(window.location.pathname).toBe('/')
    expect(loginRequest.wanted()).toBe('/user/my_error')
  })
})

describe('what only a student may see', () => {
  const card = async () => within(await screen.findByRole('alert'))
  const RANK = '/exam/exam_rank/X_1/x/1'
  beforeEach(() => {
    stage.wire.fault = only('exam/rank', () => json({ status: 2, msg: '登录已过期，请重新登录', data: null }))
  })
  test('says 请登录后查看 to a visitor, who never had a login that could expire, and leads to it', async () => {
    await open(RANK)
    const shown = await card()
    await shown.findByRole('heading', { name: '请登录后查看' })
    expect(shown.queryByRole('button', { name: '重试' })).toBeNull()
    await userEvent.click(shown.getByRole('button', { name: '登录' }))
    await screen.findByRole('dialog', { name: '登录' })
    // This page is what was wanted.
    expect(loginRequest.wanted()).toBe('')
  })
  test('leads who was logged in to log in again', async () => {
    const student = await stage.server.student()
    prepareDevice(student)
    session.expire(student.token)
    await open(RANK)
    const shown = await card()
    await shown.findByRole('heading', { name: '登录已过期，请重新登录' })
    expect(shown.queryByRole('button', { name: '重试' })).toBeNull()
    await userEvent.click(shown.getByRole('button', { name: '重新登录' }))
    await screen.findByRole('dialog', { name: '登录' })
  })
})

describe('the notice', () => {
  const notice = (text: string, at: number | null = null) =>
    only('home/getNotice', () => json({ status: 1, msg: '', data: { text, at } }))
  test('without a text there is none', async () => {
    await open('/')
    await expect.poll(() => stage.wire.sent.map(({ path }) => path)).toContain('/pcapi/home/getNotice')
    expect(screen.queryByRole('region', { name: '站点公告' })).toBeNull()
  })
  test('says of which day it is', async () => {
    stage.wire.fault = notice('今晚维护', Date.UTC(2024, 0, 31, 16))
    await open('/')
    await userEvent.click(await screen.findByRole('button', { name: '今晚维护', expanded: false }))
    expect(screen.getByText('2024年2月1日发布').parentElement?.textContent).toBe('今晚维护 2024年2月1日发布')
  })
  test('stands between the header and the page, outside the header that stays in sight', async () => {
    stage.wire.fault = notice('今晚维护')
    await open('/')
    const banner = await screen.findByRole('region', { name: '站点公告' })
    expect(banner.closest('header')).toBeNull()
    expect(banner.previousElementSibling).toBe(screen.getByRole('banner'))
    expect(banner.compareDocumentPosition(screen.getByRole('main'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  })
  test('once closed it stays closed, until there is another text', async () => {
    stage.wire.fault = notice('今晚维护')
    await open('/')
    const banner = await screen.findByRole('region', { name: '站点公告' })
    expect(banner.textContent).toContain('今晚维护')
    await userEvent.click(within(banner).getByRole('button', { name: '关闭公告' }))
    expect(screen.queryByText('今晚维护')).toBeNull()
    stage.close()
    const { queryClient } = await open('/')
    await expect.poll(() => queryClient.isFetching()).toBe(0)
    expect(screen.queryByText('今晚维护')).toBeNull()
    stage.close()
    // The device shows the text that it keeps for five minutes.
    forgetBoot()
    stage.wire.fault = notice('明晚维护')
    await open('/')
    await screen.findByText('明晚维护')
  })
  test('on a device without storage it can be closed, too', async () => {
    stage.wire.fault = notice('今晚维护')
    await open('/')
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    await userEvent.click(await screen.findByRole('button', { name: '关闭公告' }))
    expect(screen.queryByText('今晚维护')).toBeNull()
  })
  test('does not come between a student and the question', async () => {
    stage.wire.fault = notice('今晚维护')
    const { queryClient } = await open('/question/library_study/L_c1/20/x')
    await expect.poll(() => queryClient.isFetching()).toBe(0)
    expect(screen.queryByText('今晚维护')).toBeNull()
  })
})

describe('the footer', () => {
  const site = { phone: '', chatId: '', address: '', copyright: '', filingNo: '' }
  const configured = (fields: Partial<Site>) =>
    only('config/getSite', () => json({ status: 1, msg: '', data: { ...site, ...fields } }))
  test('shows what the operator has set: phone, chat, address, copyright and filing number', async () => {
    stage.wire.fault = configured({
      phone: '400-1',
      chatId: 'lijian',
      address: '北京',
      copyright: '© 砺剑',
      filingNo: '京ICP备1号',
    })
    await open('/')
    const footer = within(screen.getByRole('contentinfo'))
    expect((await footer.findByRole('link', { name: '400-1' })).getAttribute('href')).toBe('tel:400-1')
    for (const text of [/lijian/, /北京/, /© 砺剑/]) expect(footer.getByText(text)).toBeTruthy()
    const filing = footer.getByRole('link', { name: '京ICP备1号' })
    expect(filing.getAttribute('href')).toBe('https://beian.miit.gov.cn/')
    expect(filing.getAttribute('rel')).toContain('noopener')
    expect(footer.getByRole('link', { name: '平台承诺' }).getAttribute('href')).toBe('/platform_promise')
    for (const [name, path] of Object.entries({ 用户协议: '/agreement/user', 隐私政策: '/agreement/privacy' }))
      expect(footer.getByRole('link', { name }).getAttribute('href')).toBe(path)
  })
  const licensed = {
    filingNo: '京ICP备1号',
    company: '示例教育科技有限公司',
    policeNo: '京公网安备 11010502000001号',
    telecomNo: '京B2-20260001',
    publicationNo: '新出发京零字第1号',
    licenceNo: '91110105MA00000000',
  }
  const LOOKED_UP = {
    filingNo: 'https://beian.miit.gov.cn/',
    policeNo: 'https://beian.mps.gov.cn/#/query/webSearch?code=11010502000001',
    telecomNo: 'https://tsm.miit.gov.cn/',
    publicationNo: 'https://www.nppa.gov.cn/',
    licenceNo: 'https://www.gsxt.gov.cn/',
  } as const
  test('has each licence with the address where it is looked up', async () => {
    stage.wire.fault = configured(licensed)
    await open('/')
    const footer = within(screen.getByRole('contentinfo'))
    await footer.findByRole('link', { name: licensed.policeNo })
    for (const field of ['filingNo', 'policeNo', 'telecomNo', 'publicationNo', 'licenceNo'] as const) {
      const link = footer.getByRole('link', { name: new RegExp(`${licensed[field]}$`) })
      expect([field, link.getAttribute('href')]).toEqual([field, LOOKED_UP[field]])
    }
  })
  test('leads to 关于我们, which shows who runs this and all licences in full', async () => {
    stage.wire.fault = configured({ ...licensed, phone: '400-1' })
    await open('/')
    await userEvent.click(within(screen.getByRole('contentinfo')).getByRole('link', { name: '关于我们' }))
    await screen.findByRole('heading', { name: '关于我们', level: 1 })
    const told = within(screen.getByRole('article'))
    for (const text of Object.values(licensed)) expect(told.getByText(text)).toBeTruthy()
    expect(told.getByRole('link', { name: '查验公安备案' }).getAttribute('href')).toBe(LOOKED_UP.policeNo)
    expect(told.getByRole('link', { name: '400-1' })).toBeTruthy()
    expect(told.getByRole('link', { name: '隐私政策' }).getAttribute('href')).toBe('/agreement/privacy')
  })
  test('leaves out what is not set', async () => {
    const { queryClient } = await open('/')
    await expect.poll(() => queryClient.isFetching()).toBe(0)
    expect(screen.queryByText('联系我们')).toBeNull()
    expect(screen.getByRole('link', { name: '平台承诺' })).toBeTruthy()
  })
})

describe('starting', () => {
  test('without a direction the first one of the first category is taken', async () => {
    prepareDevice()
    regionWithoutDirection()
    await open('/')
    const [first] = await stage.server.call((await import('#src/contract/index.ts')).contract.structural.getList, {})
    const { key, name } = first?.child[0] ?? {}
    expect(session.get().exam).toEqual({ key, name })
  })
  test('a first visit is asked for its direction, which says what it is for, and has 全国 as its region', async () => {
    localStorage.removeItem('jk-chosen')
    await open('/')
    const dialog = within(await screen.findByRole('dialog', { name: '选择报考方向与地区' }))
    const own = await dialog.findByRole('radio', { name: DIRECTION.name })
    expect(own.closest('label')?.textContent).toBe(`${DIRECTION.name}高中士兵考军校，毕业当军官`)
    expect(dialog.queryAllByRole('radio', { checked: true })).toEqual([])
    expect(dialog.getByRole<HTMLSelectElement>('combobox', { name: '报考地区' }).selectedOptions[0]?.text).toBe('全国')
  })
  test('a dialog of region and direction that is closed is no choice: the next visit asks again, this one does not', async () => {
    localStorage.removeItem('jk-chosen')
    await open('/')
    const asks = () => screen.findByRole('dialog', { name: '选择报考方向与地区' })
    // jsdom has no Escape of its own: this is what a browser makes of it.
    fireEvent(await asks(), new Event('cancel', { cancelable: true }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    await userEvent.click(screen.getAllByRole('link', { name: '题库' })[0] ?? document.body)
    await expect.poll(() => stage.app?.path()).toBe('/question/library')
    expect(screen.queryByRole('dialog')).toBeNull()
    stage.close()
    await open('/')
    await userEvent.click(within(await asks()).getByRole('button', { name: '关闭' }))
    stage.close()
    await open('/')
    await asks()
  })
  test('a first visit to a page that needs a login is told so first, then the login or 返回, then asked for its region', async () => {
    localStorage.removeItem('jk-chosen')
    await open('/user/my_order')
    const told = await screen.findByRole('dialog', { name: '提示信息' })
    expect(screen.getAllByRole('dialog')).toEqual([told])
    await userEvent.click(within(told).getByRole('button', { name: '去登录' }))
    const login = await screen.findByRole('dialog', { name: '登录' })
    expect(screen.getAllByRole('dialog')).toEqual([login])
    // A login opens it as a new page, which then asks for the region.
    expect(loginRequest.wanted()).toBe('/user/my_order')
    await userEvent.click(within(login).getByRole('button', { name: '关闭' }))
    const region = await screen.findByRole('dialog', { name: '选择报考方向与地区' })
    expect(screen.getAllByRole('dialog')).toEqual([region])

    stage.close()
    await open('/user/my_order')
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '返回' }))
    await screen.findByRole('dialog', { name: '选择报考方向与地区' })
  })
  test('nothing is chosen until it is: without a direction the choice says so', async () => {
    localStorage.removeItem('jk-chosen')
    await open('/')
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '先看看' }))
    // What was put off is not taken for a choice.
    await userEvent.click(screen.getByRole('button', { name: /点按切换$/ }))
    const dialog = within(await screen.findByRole('dialog', { name: '选择报考方向与地区' }))
    const direction = await dialog.findByRole('radio', { name: DIRECTION.name })
    await userEvent.click(dialog.getByRole('button', { name: '开始练习' }))
    expect(dialog.getByRole('alert').textContent).toBe('请选择你的报考方向')
    expect(document.activeElement).toBe(direction)
    await userEvent.click(direction)
    expect(dialog.queryByRole('alert')).toBeNull()
    await dialog.findByRole('option', { name: '北京' })
    await userEvent.selectOptions(dialog.getByRole('combobox', { name: '报考地区' }), '北京')
    await dialog.findByRole('radio', { name: DIRECTION.name, checked: true })
    await userEvent.click(dialog.getByRole('button', { name: '先看看' }))
    await expect.poll(session.get).toMatchObject({ area: { key: '11' }, exam: DIRECTION })
    expect(localStorage.getItem('jk-chosen')).toBe('1')
  })
  test('a region that is not there any more has to be chosen anew', async () => {
    session.setChoice({ key: '99', name: '旧地区' }, DIRECTION)
    await open('/')
    await userEvent.click(screen.getByRole('button', { name: /点按切换$/ }))
    const dialog = within(await screen.findByRole('dialog', { name: '选择报考方向与地区' }))
    await dialog.findByRole('option', { name: '请选择' })
    await dialog.findByRole('radio', { checked: true })
    await userEvent.click(dialog.getByRole('button', { name: '确定' }))
    expect(dialog.getByRole('alert').textContent).toBe('请选择你的报考地区')
    expect(document.activeElement).toBe(dialog.getByRole('combobox', { name: '报考地区' }))
  })
  test('a direction that another region does not have is not taken for it', async () => {
    const data = [{ name: '文职', child: [{ key: 'x', name: '公共科目' }] }]
    stage.wire.fault = ({ path, query, body }) =>
      path.endsWith('structural/getList') && { ...query, ...body }.area === '44'
        ? json({ status: 1, msg: '', data })
        : null
    await open('/')
    await userEvent.click(screen.getByRole('button', { name: /点按切换$/ }))
    const dialog = within(await screen.findByRole('dialog', { name: '选择报考方向与地区' }))
    await dialog.findByRole('option', { name: '广东' })
    await userEvent.selectOptions(dialog.getByRole('combobox', { name: '报考地区' }), '广东')
    await dialog.findByText(`这个地区没有“${DIRECTION.name}”，请重新选择。`)
    expect(dialog.queryAllByRole('radio', { checked: true })).toEqual([])
  })
  test('one’s own region is known at once, the others with their list', async () => {
    session.setChoice({ key: '11', name: '北京' }, DIRECTION)
    let answer = () => {}
    stage.wire.fault = ({ path }) =>
      path.endsWith('structural/areaList') ? new Promise((resolve) => (answer = () => resolve(null))) : null
    await open('/')
    await userEvent.click(screen.getByRole('button', { name: /^北京 · .*报考地区与方向/ }))
    const dialog = within(await screen.findByRole('dialog', { name: '选择报考方向与地区' }))
    const names = () => dialog.getAllByRole('option').map(({ textContent }) => textContent)
    expect(names()).toEqual(['全国', '北京'])
    answer()
    await expect.poll(names).toHaveLength(32)
    expect(dialog.getByRole<HTMLOptionElement>('option', { name: '北京' }).selected).toBe(true)
  })
  test('without the list of regions 全国 and one’s own are there with their directions, and no error stands above these', async () => {
    session.setChoice({ key: '37', name: '山东' }, DIRECTION)
    stage.wire.fault = ({ path }) =>
      path.endsWith('structural/areaList') ? Promise.reject(new TypeError('Failed to fetch')) : null
    await open('/')
    await userEvent.click(screen.getByRole('button', { name: /点按切换$/ }))
    const dialog = within(await screen.findByRole('dialog', { name: '选择报考方向与地区' }))
    await dialog.findByText('没有网络，其他地区联网后可选')
    expect(dialog.queryByRole('alert')).toBeNull()
    expect(dialog.queryByText('此内容尚未下载，联网后可查看')).toBeNull()
    expect(dialog.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['全国', '山东'])
    await expect.poll(() => dialog.getAllByRole('radio').length).toBeGreaterThan(1)
    const other = dialog.getAllByRole('radio')[1]
    await userEvent.click(other ?? document.body)
    stage.wire.fault = null
    await userEvent.click(dialog.getByRole('button', { name: '重试' }))
    await dialog.findByRole('option', { name: '北京' })
    expect((other as HTMLInputElement).checked).toBe(true)
  })
  test('without any list one’s own direction is still there, and can be confirmed', async () => {
    stage.wire.fault = nobody
    await open('/')
    await userEvent.click(screen.getByRole('button', { name: /点按切换$/ }))
    const dialog = within(await screen.findByRole('dialog', { name: '选择报考方向与地区' }))
    await dialog.findByText('没有网络，其他方向联网后可选')
    expect(dialog.getByRole('radio', { name: DIRECTION.name, checked: true })).toBeTruthy()
  })
  test('a device without storage is asked, and not broken', async () => {
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    await open('/')
    const dialog = within(await screen.findByRole('dialog', { name: '选择报考方向与地区' }))
    await userEvent.click(dialog.getByRole('button', { name: '关闭' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
  test('with no direction configured it fails with 未配置考试, under the title of the page that was asked for', async () => {
    boundaryExpected()
    regionWithoutDirection()
    stage.wire.fault = only('structural/getList', () => json({ status: 1, msg: '', data: [] }))
    await open('/question/library')
    await screen.findByRole('heading', { name: '未配置考试' })
    expect(document.title).toBe('砺剑军考-题库')
  })
  test('a true first start without a network says so and can be tried again', async () => {
    boundaryExpected()
    regionWithoutDirection()
    stage.wire.fault = nobody
    await open('/')
    await screen.findByText('此内容尚未下载，联网后可查看')
    screen.getByRole('banner')
    expect(screen.getAllByRole('link', { name: '题库' }).length).toBeGreaterThan(0)
    stage.wire.fault = null
    await userEvent.click(screen.getByRole('button', { name: '重试' }))
    await screen.findByRole('heading', { name: /备考不断线/ })
  })
  test('a later start needs no network', async () => {
    stage.wire.fault = nobody
    await open('/')
    await screen.findByRole('heading', { name: /备考不断线/ })
    expect(document.title).toBe(`${DIRECTION.name}-首页`)
  })
  test('a server with a fault is no dialog on every page', async () => {
    stage.wire.fault = () => page(500)
    await open('/')
    await screen.findByRole('heading', { name: /备考不断线/ })
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

test('/auto_close stands outside the shell, closes itself, and says how to go on under a title of its own', async () => {
  const closing = vi.spyOn(window, 'close').mockImplementation(() => {})
  await open('/auto_close')
  await screen.findByRole('heading', { name: '操作已完成' })
  expect(screen.queryByRole('banner')).toBeNull()
  expect(screen.queryByRole('contentinfo')).toBeNull()
  expect(closing).toHaveBeenCalledTimes(1)
  expect(document.title).toBe(`${DIRECTION.name}-支付完成`)
})
