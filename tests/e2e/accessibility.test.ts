import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { drawn, faultsOf } from './axe.ts'
import { studentWithLists } from './lists.ts'
import { more } from './more.ts'
import { OTHERS, ROUTES, STUDY } from './routes.ts'
import { scrollersOf } from './scrollers.ts'
import { setStage } from './stage.ts'
import { strayStyles } from './strayStyles.ts'

const stage = setStage({ worker: false })
const { open, choose, beVisitor, student } = stage
beforeEach(() => stage.phone.page.emulateMedia({ reducedMotion: 'reduce' }))

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).filter({ visible: true }).first()

/** Views in which nothing may reach beyond the edge of the screen. */
const VIEWS = [
  ['on a screen of 320 px', { width: 320, height: 640 }, '100%', ''],
  ['with letters twice as large', { width: 390, height: 800 }, '200%', ''],
  ['with the largest text of questions, and room between its lines', { width: 320, height: 640 }, '100%', 'xl'],
] as const

/** The first elements that reach beyond the edge of the screen, so that the page itself scrolls sideways. */
const beyond = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    // What scrolls or is cut off within something is not what widens the page.
    const isCut = (each: Element) => {
      for (let at = each.parentElement; at && at !== document.body; at = at.parentElement)
        if (getComputedStyle(at).overflowX !== 'visible') return true
      return false
    }
    const out = [...document.querySelectorAll('#root *')].filter(
      (each) => each.getBoundingClientRect().right > clientWidth + 1 && !isCut(each),
    )
    return out.slice(0, 4).map((each) => `${each.tagName.toLowerCase()}.${each.className}`)
  })

/** What reaches beyond the edge of the screen in one of the views, so that the page itself scrolls sideways. */
async function beyondIn(page: Page, [name, size, letters, font]: (typeof VIEWS)[number]): Promise<string[]> {
  await page.setViewportSize(size)
  await page.evaluate(
    ([to, text]) => {
      document.documentElement.style.fontSize = to
      if (text) Object.assign(document.documentElement.dataset, { font: text, lines: 'wide' })
    },
    [letters, font] as const,
  )
  await drawn(page)
  const out = await beyond(page)
  return out.length > 0 ? [`beyond the edge ${name}: ${out.join(' | ')}`] : []
}

/**
 * Goes to an address within the app, as its links do, and takes back what a view has changed: to load the app anew for each costs more
 * than to look at it. It goes by way of a page that shares no words with any other: until the next address is there, the app shows the
 * one before, which may say the same.
 */
async function follow(page: Page, address: string): Promise<void> {
  const nowhere = page.getByText('页面不存在').filter({ visible: true }).first()
  const go = (to: string) => page.evaluate((path) => history.pushState(null, '', path), to)
  await go('/no/such/page')
  await nowhere.waitFor()
  await page.evaluate(() => {
    const { style, dataset } = document.documentElement
    style.fontSize = ''
    dataset.mantineColorScheme = 'light'
    delete dataset.lines
    delete dataset.font
  })
  if (address === '/no/such/page') return
  await go(address)
  await nowhere.waitFor({ state: 'hidden' })
}

test('every address has no fault in either theme, and nothing reaches beyond its edge on a narrow screen or with large letters', async () => {
  const size = stage.phone.page.viewportSize() ?? { width: 390, height: 800 }
  const page = await studentWithLists(stage)
  const all: string[] = []
  for (const [address, says] of [...ROUTES, ...OTHERS]) {
    await page.setViewportSize(size)
    await follow(page, address)
    await page.locator('#root').getByText(says).filter({ visible: true }).first().waitFor()
    all.push(...(await faultsOf(page, address)))
    for (const view of VIEWS) all.push(...(await beyondIn(page, view)).map((fault) => `${address}: ${fault}`))
  }
  expect(all.join('\n')).toBe('')
})

test('no address is left out', () => {
  const tree = readFileSync('src/routeTree.gen.ts', 'utf8')
  const [list = ''] = tree.split('export interface FileRoutesByFullPath {')[1]?.split('\n}') ?? []
  const paths = [...list.matchAll(/^ {2}'([^']+)'/gm)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(40)
  const patterns = paths.map((path) => ({
    path,
    fits: new RegExp(
      `^${path
        .replace(/(?<=.)\/$/, '')
        .replace(/\/\{-\$\w+\}/g, '(/[^/]+)?')
        .replace(/\$\w+/g, '[^/]+')
        .replace('$', '.+')}/?$`,
    ),
  }))
  const walked = [...ROUTES, ...OTHERS].map(([address]) => address.split('?')[0] ?? '')
  const missed = patterns.filter(({ fits }) => !walked.some((address) => fits.test(address)))
  // Stand only after something was done.
  expect(missed.map(({ path }) => path)).toEqual(LATER)
})

/** Walked in what follows. */
const LATER = [
  '/exam/exam_report/$itemNo',
  '/order/order_detail/$id',
  '/exam/exam_analysis/$no/$title/$itemNo/{-$currentId}',
  '/exam/exam_study/$type/$mode/$no/$title/$itemNo/$limitTime',
]

const found = (page: Page) => {
  const all: string[] = []
  return { all, look: async (where: string) => void all.push(...(await faultsOf(page, where))) }
}

test('an exam from its page to its report, and its analysis', async () => {
  await student()
  await open('/exam/exam_detail/X_math')
  const { page } = stage.phone
  const { all, look } = found(page)
  await button(page, '报名').click()
  await look('报名')
  await button(page, '进入考试').click()
  await button(page, '开始考试').click()
  await page.getByRole('heading', { level: 1, name: /^第1题，共21题/ }).waitFor()
  await look('exam')
  await choose(page, 'A')
  await button(page, /^答题卡/).click()
  const sheet = page.getByRole('dialog')
  await sheet.waitFor()
  await look('answer sheet')
  all.push(...(await nestedScrollers(page, 'answer sheet')))
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await button(page, '交卷').click()
  await sheet.waitFor()
  await look('hand in')
  all.push(...(await nestedScrollers(page, 'hand in')))
  await button(page, '确定交卷').click()
  await page.getByRole('heading', { level: 1, name: '交卷回执' }).waitFor()
  await look('receipt')
  await page
    .getByText(/得分|分数/)
    .first()
    .waitFor()
  await look('report')
  await button(page, '查看解析').click()
  await page.getByRole('heading', { level: 1, name: /^第1题，共/ }).waitFor()
  await look('analysis')
  expect(all.join('\n')).toBe('')
})

/** What opens over a page: the buttons that lead there. */
const DIALOGS: [address: string, ...buttons: (string | RegExp)[]][] = [
  ['/', /报考地区与方向/],
  ['/', /^同步状态/],
  ['/', '设置考试日期'],
  ['/', '添加到桌面'],
  ['/question/library', '学习统计'],
  ['/question/library', '搜题'],
  ['/question/library', /^练习设置 第一章/],
  [STUDY, '更多'],
  [STUDY, '更多', '练习设置'],
  [STUDY, '更多', '笔记'],
  [STUDY, '更多', '纠错'],
  [STUDY, '更多', '草稿纸'],
  [STUDY, '更多', '字号与设置'],
  [STUDY, /^答题卡/],
  ['/user/my_userinfo', '更换手机号'],
  ['/user/my_userinfo', '修改密码'],
  ['/user/my_userinfo', '查看登录设备'],
  ['/user/my_userinfo', '我的纠错'],
  ['/user/my_userinfo', '导出我的数据'],
  ['/user/my_userinfo', '注销账号'],
  ['/user', '消息'],
  ['/user/my_address', '新增收货地址'],
  ['/user/my_address', '新增收货地址', /^省市区/],
  ['/user/my_wallet', '充值'],
  ['/course/course_video/K_math0/K_math0_l1/course', /^倍速/],
]

/** Phones upright and on their side: what fits into one of them is scrolled in the other. */
const PHONES = [
  { width: 360, height: 740 },
  { width: 740, height: 360 },
]

/** Scrollers of an open dialog that stand beside or in another one. */
async function nestedScrollers(page: Page, where: string): Promise<string[]> {
  const size = page.viewportSize()
  const found: string[] = []
  for (const phone of PHONES) {
    await page.setViewportSize(phone)
    await drawn(page)
    const scrollers = await scrollersOf(page)
    if (scrollers.length > 1) found.push(`${where}, ${phone.width} px wide: two scrollers: ${scrollers.join(' | ')}`)
  }
  if (size) await page.setViewportSize(size)
  return found
}

/** Closes dialogs that were opened one from another, the last one first. */
async function closeAll(page: Page): Promise<void> {
  const open = page.locator('dialog[open]')
  for (let left = await open.count(); left > 0; left--) {
    await page.keyboard.press('Escape')
    await expect.poll(() => open.count()).toBe(left - 1)
  }
}

test('every dialog', async () => {
  await student()
  const { page } = stage.phone
  const { all, look } = found(page)
  await open('/')
  let at = '/'
  for (const [address, ...buttons] of DIALOGS) {
    if (address !== at) await follow(page, (at = address))
    for (const name of buttons) await button(page, name).click()
    const where = `${address} ${buttons.join()}`
    const opened = await page
      .getByRole('dialog')
      .first()
      .waitFor()
      .then(
        () => true,
        () => false,
      )
    if (opened) {
      await look(where)
      all.push(...(await strayStyles(page, where)))
      all.push(...(await nestedScrollers(page, where)))
      await closeAll(page)
    } else all.push(`${where}: no dialog`)
  }
  await page.evaluate(() => localStorage.removeItem('user'))
  await open('/')
  await button(page, '游客，点击登录').click()
  await page.getByRole('dialog').first().waitFor()
  await look('login')
  await button(page, /显示设置/).click()
  await page.getByRole('group', { name: '字号' }).waitFor()
  await look('login, settings')
  expect(all.join('\n')).toBe('')
})

/** Answers the question that is shown in a way that is mostly wrong. */
async function answer(page: Page): Promise<void> {
  const main = page.locator('#root main')
  const moved = main.getByRole('button', { name: /^下移/ }).first()
  if (await moved.isVisible()) {
    await moved.click()
    return button(page, '确认答案').click()
  }
  const part = main.locator('section').filter({ has: page.locator('input, textarea') })
  if (await part.getByRole('radio').first().isVisible()) return part.getByRole('radio').first().click()
  if (await part.locator('textarea').first().isVisible()) {
    await part.locator('textarea').first().fill('一')
    await button(page, '看参考答案并自评').click()
    return button(page, /^(均未答到|还没掌握)/).click()
  }
  if (await part.getByRole('checkbox').first().isVisible()) await part.getByRole('checkbox').first().click()
  else for (const blank of await part.getByRole('textbox').all()) await blank.fill('一')
  await button(page, '确认答案').click()
}

test.each([
  ['single, multiple, judge, blank, essay', 'L_politics_1_1'],
  ['a material, an order', 'L_military_5_1'],
])('questions before and after an answer: %s', async (_, chapter) => {
  await beVisitor()
  await open(`/question/library_study/${chapter}/20/x`)
  const { page } = stage.phone
  const { all, look } = found(page)
  const ended = page.getByRole('heading', { name: '本组完成' })
  for (let n = 1; !(await ended.isVisible()); n++) {
    await page.getByRole('heading', { level: 1, name: new RegExp(`^第${n}题，共`) }).waitFor()
    await look(`${chapter} ${n}, open`)
    await answer(page)
    await page.getByText('解析', { exact: true }).filter({ visible: true }).first().waitFor()
    await look(`${chapter} ${n}, answered`)
    const last = await button(page, '查看结果').isVisible()
    await button(page, /^(下一题|查看结果)/).click()
    if (last) await ended.waitFor()
  }
  await look(`${chapter}, summary`)
  expect(all.join('\n')).toBe('')
})

test('questions to learn by heart', async () => {
  await beVisitor()
  await open('/question/library_study/L_politics_1_1/20/x')
  const { page } = stage.phone
  const { all, look } = found(page)
  await more(page, '背题')
  await page.getByText('解析', { exact: true }).filter({ visible: true }).first().waitFor()
  await look('recite')
  expect(all.join('\n')).toBe('')
})

test('a chapter keeps room for its name beside all that is said of it', async () => {
  const { page } = stage.phone
  await page.setViewportSize({ width: 320, height: 640 })
  await student()
  await open('/question/library_study/L_chemistry_1/20/x')
  await choose(page, 'A')
  await page
    .getByText(/^回答(正确|错误)/)
    .first()
    .waitFor()
  await open('/question/library')
  const chapter = page.getByRole('listitem').filter({ hasText: '第一章 化学基本概念' }).first()
  await chapter
    .getByText(/^正确率/)
    .first()
    .waitFor()
  const letters = (each: Element) =>
    each.getBoundingClientRect().width / Number.parseFloat(getComputedStyle(each).fontSize)
  expect(await chapter.getByText('第一章 化学基本概念').evaluate(letters)).toBeGreaterThan(7)
})

test('where the system chooses the colours, what is chosen and what can be pressed is seen by its line', async () => {
  const { page } = stage.phone
  await student()
  await page.emulateMedia({ forcedColors: 'active' })
  const line = (at: Locator) => at.evaluate((each) => Number.parseFloat(getComputedStyle(each).borderTopWidth))
  await open(STUDY)
  const option = (letter: string) => page.locator('label').filter({ hasText: new RegExp(`^${letter}`) })
  await page.getByRole('radio', { name: /^A．/ }).press('Space')
  expect(await line(option('A'))).toBeGreaterThan(await line(option('B')))
  await open('/exam/exam_list')
  const tab = (name: string) => page.getByRole('button', { name, exact: true })
  expect(await line(tab('全部'))).toBeGreaterThan(await line(tab('已结束')))
  expect(await line(tab('已结束'))).toBeGreaterThan(0)
  await open('/user/my_userinfo')
  expect(await line(button(page, '保存计划'))).toBeGreaterThan(0)
})

test.each(['light', 'dark'] as const)(
  'who asks for more contrast gets 7:1 wherever there is text: %s',
  async (colorScheme) => {
    const { page } = stage.phone
    await page.emulateMedia({ contrast: 'more', colorScheme })
    const pale = () =>
      page.evaluate(() => {
        const light = (colour: string) => {
          const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map((part) => {
            const share = Number(part) / 255
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
          })
          return 0.2126 * r + 0.7152 * g + 0.0722 * b
        }
        const muted = document.createElement('i')
        muted.style.cssText = 'color:var(--lj-muted);background:var(--lj-sunken);border:1px solid var(--lj-line)'
        document.body.append(muted)
        const { color, backgroundColor, borderTopColor } = getComputedStyle(muted)
        muted.remove()
        const ratio = (a: string, b: string) => {
          const [low = 0, high = 0] = [light(a), light(b)].toSorted((x, y) => x - y)
          return (high + 0.05) / (low + 0.05)
        }
        return [ratio(color, backgroundColor), ratio(borderTopColor, backgroundColor)]
      })
    await open('/question/library')
    const [text = 0, line = 0] = await pale()
    expect(text).toBeGreaterThan(7)
    expect(line).toBeGreaterThan(3)
  },
)

test('nothing moves by itself for whom motion is too much', async () => {
  const { page } = stage.phone
  await student()
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) => playState === 'running' && Number(effect?.getComputedTiming().duration) > 100,
        )
        .map(({ effect }) => (effect instanceof KeyframeEffect ? String(effect.target?.className) : ''))
        // What says that work goes on turns, slowly.
        .filter((name) => !name.includes('spinner')),
    )
  const all: string[] = []
  const doing = [
    ['/', () => button(page, /^同步状态/).click()],
    [STUDY, () => choose(page, 'A')],
    [STUDY, () => button(page, /^答题卡/).click()],
    ['/store/store_detail/B_mock', () => Promise.resolve()],
    ['/user/my_userinfo', () => button(page, '修改密码').click()],
  ] as const
  for (const [address, act] of doing) {
    await open(address)
    await page.locator('main h1, main h2').first().waitFor()
    await act()
    all.push(...(await moving()))
  }
  expect(all.join('\n')).toBe('')
})

test('an order that waits for its payment', async () => {
  await student()
  await open('/vip/vip_detail/V_all')
  const { page } = stage.phone
  const { all, look } = found(page)
  await page.getByRole('link', { name: /立即购买/ }).click()
  await button(page, /^提交订单并支付/).click()
  await page.waitForURL(/\/order\/order_detail\//)
  // The address changes before the page does.
  await page.locator('main').getByRole('heading', { level: 1 }).filter({ hasNotText: '确认订单' }).first().waitFor()
  await look('order')
  expect(all.join('\n')).toBe('')
})
