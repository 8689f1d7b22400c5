import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import { reload, setStage } from './stage.ts'

const stage = setStage({ own: true })
const { open, beVisitor } = stage
const LIST = '/news/news_list'
const MANY = 80

/** More than anybody has demo content for, and older than it. */
beforeAll(async () => {
  await stage.product.sql(
    `insert into news (no, category_no, kind, title, summary, source, published_at, html, searched)
     select 'MANY_' || i, 'method', 'article', '第' || i || '篇', repeat('长短不一的摘要。', 1 + i % 5), '本站编辑部',
       1780000000000 - i * 3600000, '<p>第' || i || '篇的正文</p>', '第' || i || '篇' from generate_series(1, ${MANY}) as i`,
  )
})

const row = (page: Page, n: number) => page.getByRole('link', { name: new RegExp(`^第${n}篇`) })
const topOf = async (page: Page, n: number) => Math.round((await row(page, n).boundingBox())?.y ?? Number.NaN)
/** Paths of the calls that the worker keeps for a visitor. */
const kept = (page: Page) =>
  page.evaluate(async () => (await (await caches.open('api-v1:anon')).keys()).map(({ url }) => new URL(url).pathname))

async function scrollTo(page: Page, n: number): Promise<void> {
  const grown = async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    return await row(page, n).count()
  }
  await expect.poll(grown, { timeout: 30_000 }).toBe(1)
  await row(page, n).scrollIntoViewIfNeeded()
  // Somewhere in the middle, not where any browser would put it.
  await page.evaluate(() => window.scrollBy(0, 137))
}

test('news that were listed once are read without a network from a cold start, the never opened too, with the day they are of', async () => {
  await beVisitor()
  await open(LIST)
  await stage.phone.page.getByText('怎样读懂一份招考公告').waitFor()
  await workerReady(stage.phone.page)
  await expect.poll(() => kept(stage.phone.page)).toContain('/pcapi/news/latest')
  await expect.poll(() => kept(stage.phone.page)).toContain('/pcapi/news/list')
  await stage.phone.end()

  await stage.product.wire.set('down')
  await stage.phone.reopen({ offline: true })
  await open(LIST)
  let { page } = stage.phone
  await page.getByText(/可读 50 条资讯，缓存于/).waitFor()
  await page.getByRole('textbox', { name: '搜索资讯' }).fill('古田会议')
  await page.getByText(/只搜索已保存的 50 条资讯/).waitFor()
  await page.getByRole('link', { name: /军政记忆/ }).click()
  await page.getByText('三遍都过了，再去做多选题').waitFor()
  await stage.phone.kill()

  await stage.phone.reopen({ offline: true })
  page = stage.phone.page
  await open('/news/news_detail/N_trend_sleep')
  await page.getByText(/当前离线，缓存于/).waitFor()
  await page.getByText('考前一晚睡不着怎么办').waitFor()
  // Older than the latest fifty.
  await open(`/news/news_detail/MANY_${MANY}`)
  await page.getByText('此内容尚未下载，联网后可查看').waitFor()
})

test('back from an article leads to the row that was left: from memory, and after a reload that has forgotten the list', async () => {
  const { page } = stage.phone
  await beVisitor()
  await open(LIST)
  await row(page, 1).waitFor()
  await scrollTo(page, 45)
  const top = await topOf(page, 45)
  const near = async () => await expect.poll(async () => Math.abs((await topOf(page, 45)) - top)).toBeLessThan(3)
  await row(page, 45).click()
  await page.getByText('第45篇的正文').waitFor()
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  await page.getByRole('button', { name: '返回' }).click()
  await near()

  await row(page, 45).click()
  await page.getByText('第45篇的正文').waitFor()
  await reload(page)
  await page.getByText('第45篇的正文').waitFor()
  await page.goBack()
  await row(page, 45).waitFor()
  await near()
  // Who comes by the navigation begins at its top.
  await page.getByRole('link', { name: '题库', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: '题库' }).waitFor()
  await page.getByRole('link', { name: '资讯', exact: true }).first().click()
  await row(page, 1).waitFor()
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
})

test('news that were never opened say so without a network, and the calendar, too', async () => {
  await beVisitor()
  await open('/question/library')
  await stage.phone.page.getByRole('heading', { level: 1, name: '题库' }).waitFor()
  await workerReady(stage.phone.page)
  await stage.phone.end()
  // The worker of a browser that has just started may not know yet that it is offline.
  await stage.product.wire.set('down')
  await stage.phone.reopen({ offline: true })
  for (const path of [LIST, '/news/news_detail/N_trend_sleep', `${LIST}?part=calendar`]) {
    await open(path)
    await stage.phone.page.getByText('此内容尚未下载，联网后可查看').waitFor()
  }
})
