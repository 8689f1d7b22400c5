import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { setStage } from './stage.ts'

const stage = setStage()
const { open, stem, choose, solve, answers, uidOf, newMobile, logIn } = stage

/** As browsers do whose site data are blocked. Run in the page. */
function refuse(names: readonly string[]): void {
  for (const name of names)
    Object.defineProperty(window, name, {
      configurable: true,
      get() {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      },
    })
}
/** As old WebViews are. Run in the page. */
function leaveOut(): void {
  Reflect.deleteProperty(window, 'caches')
  Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')
  Reflect.deleteProperty(Navigator.prototype, 'locks')
}

let faults: string[]
const watch = (page: Page) => page.on('pageerror', ({ message }) => faults.push(message))
beforeEach(() => {
  faults = []
})
afterEach(() => expect(faults).toEqual([]))

const regions = (page: Page) => page.getByRole('dialog', { name: '选择报考方向与地区' })
const bar = (page: Page) => page.getByText('当前浏览器不保存数据')
const asVisitor = (page: Page) => page.getByRole('button', { name: /^游客/ })

/** Resolves when the app has loaded itself anew, and runs. */
async function chooseRegion(page: Page, name: string): Promise<void> {
  await regions(page).getByLabel('报考地区').selectOption(name)
  await regions(page).getByRole('radio').first().check()
  await Promise.all([
    page.waitForEvent('load'),
    regions(page)
      .getByRole('button', { name: /^(先看看|确定)$/ })
      .click(),
  ])
  await chip(page, name).waitFor()
}
const chip = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`${name}.*`) }).first()

/** The first visit up to the login, as in any other browser. */
async function arrive(page: Page): Promise<string> {
  watch(page)
  await open('/')
  await chooseRegion(page, '山东')
  await bar(page).waitFor()
  expect(await regions(page).count()).toBe(0)
  const mobile = newMobile()
  await logIn(page, mobile, { kept: false })
  await bar(page).waitFor()
  await expect.poll(() => asVisitor(page).count()).toBe(0)
  return uidOf(mobile)
}
async function openQuestion(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: '底部导航' }).getByRole('link', { name: '题库' }).click()
  await page.getByRole('button', { name: '政治', exact: true }).click()
  await page
    .getByRole('region', { name: 'E2E 章节题库' })
    .getByRole('link', { name: /^第1章/ })
    .click()
  await stem(page, 1).waitFor()
}
/** The region is chosen once more, which loads the app anew. */
async function changeRegion(page: Page, from: string, to: string): Promise<void> {
  await page.goBack()
  await chip(page, from).click()
  await chooseRegion(page, to)
}
/** The visit goes on as a visitor's, who is not asked for the region again. */
async function logOut(page: Page): Promise<void> {
  await page.getByRole('link', { name: /，我的$/ }).click()
  await page.getByRole('link', { name: '资料' }).click()
  await page.getByRole('button', { name: '退出登录' }).click()
  await Promise.all([
    page.waitForEvent('load'),
    page.getByRole('dialog', { name: '退出登录' }).getByRole('button', { name: '退出', exact: true }).click(),
  ])
  await asVisitor(page).waitFor()
  await chip(page, '全国').waitFor()
  expect(await regions(page).count()).toBe(0)
  expect(await left(page)).not.toMatch(/token|jkCarried/)
}
/** Neither for another site nor for whoever opens the history. */
const left = (page: Page) => page.evaluate(() => window.name + JSON.stringify(window.history.state))

describe('a browser that keeps nothing', () => {
  test('is told so once; region and login last for the visit, what is answered arrives, and logging out ends it', async () => {
    await stage.phone.context.addInitScript(refuse, ['localStorage', 'sessionStorage'])
    const { page } = stage.phone
    const uid = await arrive(page)
    await openQuestion(page)
    await solve(page)
    await expect.poll(() => answers(uid), { timeout: 20_000 }).toHaveLength(1)
    expect(await bar(page).count()).toBe(1)
    expect(await left(page)).not.toMatch(/token|jkCarried/)

    await page.getByRole('button', { name: '关闭存储提示' }).click()
    await changeRegion(page, '山东', '全国')
    expect(await asVisitor(page).count()).toBe(0)
    expect(await regions(page).count()).toBe(0)
    expect(await bar(page).count()).toBe(0)
    expect(await left(page)).not.toMatch(/token|jkCarried/)

    // The new region's page may come before the answer's receipt. The answer is then sent again, and leaving asks about it.
    await stage.markSays(page, /已同步/)
    await logOut(page)
    expect(await bar(page).count()).toBe(0)
  })

  test('nor any record: questions are shown and marked, what is not saved is said, and the login lasts until the student logs out', async () => {
    await stage.changePhone({ worker: false, firstVisit: true })
    await stage.phone.context.addInitScript(refuse, ['localStorage', 'sessionStorage', 'indexedDB'])
    await stage.phone.context.addInitScript(leaveOut)
    const { page } = stage.phone
    await arrive(page)
    await page.getByText('可以做题，但不会记录').waitFor()
    await openQuestion(page)
    await choose(page, 'B')
    await page.getByText('回答正确').first().waitFor()
    await page.getByRole('alert').getByText('未保存：当前浏览器不保存做题记录。').waitFor()
    await page.getByRole('button', { name: '下一题' }).click()
    await stem(page, 2).waitFor()
    await choose(page, 'A')
    await page.getByText('回答错误').first().waitFor()
    await changeRegion(page, '山东', '全国')
    expect(await asVisitor(page).count()).toBe(0)
    await logOut(page)
  })
})
