import { writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rowsOf, workerReady } from './browser.ts'
import { reload, setStage } from './stage.ts'

const stage = setStage({ own: true })
const { open, beVisitor } = stage

const exams = (page: Page) => page.getByRole('region', { name: '模拟考试' })
const carousel = (page: Page) => page.getByRole('region', { name: '推荐', exact: true })
const slide = (page: Page, n: number) => carousel(page).getByLabel(`第${n}张，共3张`)
/** What a student sees of the carousel's pictures: those that are there and drawn. */
const drawn = (page: Page) =>
  carousel(page)
    .locator('img')
    .first()
    .evaluate((img) => img instanceof HTMLImageElement && img.complete && img.naturalWidth > 0)
/** Where the track stands, in slides. */
const place = (page: Page) =>
  slide(page, 1).evaluate((first) => {
    const track = first.parentElement
    return track ? track.scrollLeft / track.clientWidth : -1
  })
const keptHome = async (page: Page) =>
  (await rowsOf(page, 'jk-cache:anon', 'q', 'getAllKeys')).some((key) => String(key).includes('home/getHomeData'))

test('a cold start without a network shows the front page as it was known, with its date, and nothing jumps', async () => {
  let { page } = stage.phone
  await beVisitor()
  await open('/')
  await exams(page).waitFor()
  await workerReady(page)
  // From here on the worker sees what the page asks for.
  await reload(page)
  await exams(page).waitFor()
  await expect.poll(() => drawn(page)).toBe(true)
  await expect.poll(() => keptHome(page)).toBe(true)
  expect(await page.getByText(/^截至/).count()).toBe(0)
  await stage.phone.end()

  await stage.phone.reopen({ offline: true })
  page = stage.phone.page
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ('value' in entry) shifts.push(Number(entry.value))
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await open('/')
  await page.getByText(/^截至 \d+月\d+日 \d\d:\d\d$/).waitFor()
  await exams(page)
    .getByRole('link', { name: /数学全真模考/ })
    .waitFor()
  await carousel(page)
    .getByRole('link', { name: /每天一组，稳步提分/ })
    .waitFor()
  await expect.poll(() => drawn(page)).toBe(true)
  expect(await page.getByRole('navigation', { name: '快捷入口' }).getByRole('link').count()).toBe(8)
  const shifted = await page.evaluate(() =>
    'shifts' in window && Array.isArray(window.shifts) ? window.shifts.reduce((sum, each) => sum + Number(each), 0) : 1,
  )
  expect(shifted).toBeLessThanOrEqual(0.02)

  // A first visit that lost its network before anything came has its ways in all the same.
  await page.evaluate(() => new Promise((done) => (indexedDB.deleteDatabase('jk-cache:anon').onsuccess = done)))
  await reload(page)
  await page.getByText('联网后，这里有正在开放的考试与推荐内容。').waitFor()
  expect(await page.getByRole('navigation', { name: '快捷入口' }).getByRole('link').count()).toBe(8)
})

test('what the operator changes while the server runs is on the screen of whoever comes next', async () => {
  const { product } = stage
  let { page } = stage.phone
  await beVisitor()
  await open('/platform_promise')
  await page.getByRole('heading', { name: '保护军人隐私' }).waitFor()
  await workerReady(page)
  await reload(page)
  await expect.poll(() => page.evaluate(async () => (await (await caches.open('api-v1:anon')).keys()).length)).toBe(1)

  const file = path.join(os.tmpdir(), `lijian-promise-${process.pid}.html`)
  writeFileSync(file, '<h1>我们的承诺</h1><h2>言出必行</h2><p>改于开学前。</p>')
  product.site('notice', String.raw`今晚 22:00 维护\n离线刷题不受影响`)
  product.site('footer', '--phone', '400-000-0000', '--filing-no', '京ICP备00000000号')
  product.site('promise', file)
  try {
    // The page that was kept is shown at once, and the fresh one in its place.
    await reload(page)
    await page.getByRole('heading', { level: 1, name: '我们的承诺' }).waitFor()
    await page.getByText(/^更新于 /).waitFor()

    await stage.changePhone()
    page = stage.phone.page
    await beVisitor()
    await open('/')
    const notice = page.getByRole('region', { name: '站点公告' }).getByRole('button').first()
    await notice.waitFor()
    const line = (await notice.boundingBox())?.height ?? 0
    await notice.click()
    await expect.poll(async () => (await notice.boundingBox())?.height).toBeGreaterThan(line)
    expect(await notice.innerText()).toMatch(/^今晚 22:00 维护\n离线刷题不受影响 \d+月\d+日发布$/)
    // It scrolls away with the page; only the header stays.
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(100)
    expect((await notice.boundingBox())?.y).toBeLessThan(0)
    expect((await page.getByRole('banner').boundingBox())?.y).toBe(0)
    expect(await page.getByRole('link', { name: '400-000-0000' }).getAttribute('href')).toBe('tel:400-000-0000')
    await page.getByRole('link', { name: '京ICP备00000000号' }).waitFor()
  } finally {
    product.site('notice', '--clear')
    product.site('footer', '--default')
    product.site('promise', '--default')
  }
  await stage.changePhone()
  page = stage.phone.page
  await beVisitor()
  await open('/')
  await exams(page).waitFor()
  expect(await page.getByRole('region', { name: '站点公告' }).count()).toBe(0)
  expect(await page.getByText('联系我们').count()).toBe(0)
})

test('the smallest phone shows who is logged in, by portrait, nickname and masked mobile, beside region and direction', async () => {
  const { mobile } = await stage.student()
  const { page } = stage.phone
  await page.setViewportSize({ width: 360, height: 720 })
  await open('/')
  const chip = page.getByRole('link', { name: /，我的$/ })
  await chip.waitFor()
  expect(await chip.innerText()).toContain(`学员${mobile.slice(-4)}\n${mobile.slice(0, 3)}****${mobile.slice(-4)}`)
  const seen = await chip.evaluate((link) => {
    const inside = [...link.querySelectorAll('i, b, small')].map((part) => part.getBoundingClientRect())
    return inside.every(({ left, right, width }) => width > 20 && left >= 0 && right <= window.innerWidth)
  })
  expect(seen).toBe(true)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})

test.each(['高中士兵考军官院校', '提干（预考＋统考）'])(
  'a direction as long as %s is read whole on the narrowest phone, however many answers wait',
  async (direction) => {
    await stage.student()
    const { page } = stage.phone
    await page.setViewportSize({ width: 320, height: 640 })
    await page.evaluate((name) => {
      const stored: { exam: object } = JSON.parse(localStorage.getItem('user') ?? '{}')
      localStorage.setItem('user', JSON.stringify({ ...stored, exam: { ...stored.exam, name } }))
    }, direction)
    await open('/')
    const chip = page.getByRole('button', { name: /报考地区与方向，点按切换$/ })
    await chip.waitFor()
    const isWhole = () =>
      chip.getByText(direction).evaluate((name) => {
        const header = name.closest('header')?.clientHeight ?? 0
        return name.scrollHeight <= name.clientHeight + 1 && name.clientHeight < header && window.innerWidth === 320
      })
    expect(await isWhole()).toBe(true)
    await page.getByRole('button', { name: /^同步状态/ }).evaluate((mark) => {
      mark.append(Object.assign(document.createElement('span'), { textContent: '999+' }))
    })
    expect(await isWhole()).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  },
)

test.each([768, 1280])('/user leads to 我的课程 with the whole menu at the left: %i px', async (width) => {
  await stage.student()
  const { page } = stage.phone
  await page.setViewportSize({ width, height: 720 })
  await open('/user')
  const heading = page.getByRole('heading', { level: 1, name: '我的课程' })
  await heading.waitFor()
  const entries = page.getByRole('navigation', { name: '个人中心' }).getByRole('link')
  const [first, last, title] = await Promise.all(
    [entries.first(), entries.last(), heading].map((each) => each.boundingBox()),
  )
  if (!first || !last || !title) throw new Error('not on the screen')
  expect(await entries.count()).toBe(11)
  expect(last.y + last.height).toBeLessThanOrEqual(720)
  expect(first.x + first.width).toBeLessThanOrEqual(title.x)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
})

test('我的 stands on a phone alone: turned, it is 我的课程 with the menu; a page of it has no menu above, and the way back', async () => {
  await stage.student()
  const { page } = stage.phone
  const menu = page.getByRole('navigation', { name: '个人中心' })
  const back = page.getByRole('main').getByRole('link', { name: '我的', exact: true })
  await page.setViewportSize({ width: 360, height: 720 })
  await open('/user')
  await page.getByRole('heading', { level: 1, name: '我的', exact: true }).waitFor()
  expect(await menu.isVisible()).toBe(false)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await page.getByRole('main').getByRole('link', { name: /^错题/ }).click()
  await page.getByRole('heading', { level: 1, name: '我的错题' }).waitFor()
  expect([await menu.isVisible(), await back.isVisible()]).toEqual([false, true])
  await back.click()
  await page.getByRole('heading', { level: 1, name: '我的', exact: true }).waitFor()
  await page.setViewportSize({ width: 900, height: 400 })
  await page.getByRole('heading', { level: 1, name: '我的课程' }).waitFor()
  expect([await menu.isVisible(), await back.isVisible()]).toEqual([true, false])
})

test('the carousel is steered by keys, dots and a finger; only the slide that is seen can be reached', async () => {
  const { page } = stage.phone
  await beVisitor()
  await open('/')
  await carousel(page).getByRole('button', { name: '暂停轮播' }).click()
  const dot = (name: string) => carousel(page).getByRole('button', { name })
  await dot('第1张：每天一组，稳步提分').focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => place(page)).toBe(1)
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  expect(await focused()).toBe('第2张：全真模考，按时开考')
  await expect.poll(() => dot('第2张').getAttribute('aria-current')).toBe('true')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => place(page)).toBe(2)
  expect(await focused()).toBe('第3张：跟着课程补短板')
  await expect.poll(() => slide(page, 3).getAttribute('inert')).toBeNull()
  expect(await slide(page, 1).getAttribute('inert')).toBe('')

  const box = await carousel(page).boundingBox()
  if (!box) throw new Error('no carousel')
  const finger = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: number[]) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: xs.map((x) => ({ x, y: box.y + box.height / 3 })) })
  await touch('touchStart', box.x + 50)
  for (let x = 75; x <= 300; x += 25) await touch('touchMove', box.x + x)
  await touch('touchEnd')
  await expect.poll(() => place(page)).toBe(1)
  await expect.poll(() => dot('第2张').getAttribute('aria-current')).toBe('true')
  await slide(page, 2).getByRole('link').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/exam/exam_list')
})
