import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { MEDIA_ADDRESSES } from '#src/domain/text/html.ts'
import { rowsOf, workerReady } from './browser.ts'
import { act } from './engine.ts'
import { setStage } from './stage.ts'

const stage = setStage()
const { markSays, open, signIn, student } = stage

const DAILY = 10
const GOAL = 12
const card = (page: Page) => page.getByRole('region', { name: '今日任务' })
const row = async (page: Page, name: string) =>
  (await card(page).getByRole('listitem').filter({ hasText: name }).innerText()).replace(/\s+/g, ' ')
const ticks = (page: Page) => card(page).getByRole('img', { name: '已完成' }).count()
const start = (page: Page, name: RegExp) => card(page).getByRole('link', { name })
const heading = (page: Page, n: number) => page.getByRole('heading', { level: 1, name: new RegExp(`^第${n}题，`) })
const keptQuestions = async (page: Page, uid: string) =>
  (await rowsOf(page, `jk-cache:u:${uid}`, 'q', 'getAllKeys')).filter((key) => String(key).startsWith('n-')).length

/** Pictures and recordings of these questions that no cache of the phone has. */
const missingMedia = async (page: Page, uid: string): Promise<string[]> => {
  const rows = await rowsOf(page, `jk-cache:u:${uid}`, 'q')
  const addresses = [
    ...new Set(
      JSON.stringify(rows.filter((row) => typeof row === 'string' && row.startsWith('{"question"'))).match(
        MEDIA_ADDRESSES,
      ),
    ),
  ]
  return page.evaluate(async (all) => {
    const found = await Promise.all(all.map((address) => caches.match(address, { ignoreVary: true })))
    return all.filter((_, i) => !found[i])
  }, addresses)
}

/** Answers the question that is shown, of whatever type, and goes on. */
async function answer(page: Page): Promise<void> {
  const main = page.locator('#root main')
  const moved = main.getByRole('button', { name: /^下移/ }).first()
  if (await moved.isVisible()) await moved.click()
  const essay = main.getByRole('button', { name: '看参考答案并自评' })
  if (await main.getByRole('radio').first().isVisible()) await main.getByRole('radio').first().click()
  else if (await essay.isVisible()) {
    await main.locator('textarea').first().fill('一')
    await essay.click()
    await main.getByRole('button', { name: /^(一点没答到|均未答到|还没掌握)/ }).click()
  } else {
    if (await main.getByRole('checkbox').first().isVisible()) await main.getByRole('checkbox').first().click()
    else for (const blank of await main.getByRole('textbox').all()) await blank.fill('一')
    await main.getByRole('button', { name: '确认答案' }).click()
  }
  // The answer is marked once it is on the device.
  await main.locator('[data-look=right], [data-look=wrong], [data-look=partial]').first().waitFor()
  await page.getByRole('button', { name: /^(下一题|查看结果)$/ }).click()
}

test('今日任务 is begun without a network after the first visit, left, gone on with, and finished on a second phone', async () => {
  const { mobile, uid } = await student()
  let { page } = stage.phone
  await page.setViewportSize({ width: 360, height: 640 })
  await open('/')
  await start(page, /^开始/).waitFor()
  await act(page, { kind: 'setting', questionNo: '', chapterNo: '', how: GOAL - 1 })
  // All of it is seen without scrolling, above the tab bar.
  const [button, bar] = await Promise.all([
    start(page, /^开始/).boundingBox(),
    page.getByRole('navigation', { name: '底部导航' }).boundingBox(),
  ])
  expect((button?.y ?? 640) + (button?.height ?? 0)).toBeLessThan(bar?.y ?? 0)
  await expect.poll(() => row(page, '新题')).toMatch(/^新题 ?补足每日 12 题 2 题 · \d 分钟$/)
  // The day's questions come by themselves.
  await expect.poll(() => keptQuestions(page, uid)).toBeGreaterThanOrEqual(GOAL)
  await workerReady(page)
  await expect.poll(() => missingMedia(page, uid)).toEqual([])
  await markSays(page, /已同步/)
  await stage.phone.end()

  await stage.phone.reopen({ offline: true })
  page = stage.phone.page
  await page.setViewportSize({ width: 360, height: 640 })
  await open('/')
  await start(page, /^开始/).click()
  await heading(page, 1).waitFor()
  await page.getByText(/^每日一练 10 题 · 今天轮到“.+”，每天换一科$/).waitFor()
  for (let n = 1; n <= 4; n++) {
    await heading(page, n).waitFor()
    await answer(page)
  }
  await heading(page, 5).waitFor()
  await page.getByRole('button', { name: '退出练习' }).click()
  await start(page, /^继续/).waitFor()
  expect(await row(page, '每日一练')).toMatch(/6 题 · \d 分钟$/)
  await stage.phone.end()

  // Killed and opened again, still without a network, it is where it was; then the network is back.
  await stage.phone.reopen({ offline: true })
  page = stage.phone.page
  await open('/')
  await start(page, /^继续/).click()
  await heading(page, 5).waitFor()
  await answer(page)
  await heading(page, 6).waitFor()
  await page.context().setOffline(false)
  await markSays(page, /已同步/)

  await stage.changePhone()
  await signIn(stage.phone.page, mobile)
  page = stage.phone.page
  await open('/')
  await expect.poll(() => row(page, '每日一练')).toMatch(/5 题 · \d 分钟$/)
  await start(page, /^开始/).click()
  for (let n = 1; n <= GOAL - 5; n++) {
    await heading(page, n).waitFor()
    if (n === DAILY - 4) await page.getByText('每日一练做完了 ✓ 接着是新题 2 题').waitFor()
    await answer(page)
  }
  const results = page.getByRole('list', { name: '各项任务' }).getByRole('listitem')
  await results.first().waitFor()
  expect((await results.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/^每日一练 做了 5\/5 题，对 \d 题$/),
    expect.stringMatching(/^新题 做了 2\/2 题，对 \d 题$/),
  ])
  await page.getByRole('button', { name: '返回首页' }).click()
  await card(page)
    .getByText(/^今天答了 12 题，答对 \d+ 题/)
    .waitFor()
  expect(await ticks(page)).toBe(3)
  await start(page, /^再来一组/).waitFor()
})
