import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { setStage } from './stage.ts'

const stage = setStage({ worker: false })

const sheet = (page: Page) => page.getByRole('dialog', { name: '答题卡' })
const openSheet = async (page: Page) => {
  await page.getByRole('button', { name: /^答题卡，/ }).click()
  await sheet(page).waitFor()
  // Its entry is there a moment after it.
  await expect.poll(() => depth(page)).toBe(1)
}
const depth = (page: Page) => page.evaluate(() => Number(history.state?.jkSheet ?? 0))
const question = (page: Page) => page.getByRole('heading', { level: 1, name: /^第1题/ }).waitFor()
const path = (page: Page) => decodeURI(new URL(page.url()).pathname)

/** From the list of libraries into a batch. */
async function study(): Promise<Page> {
  const { page } = stage.phone
  await stage.student()
  await stage.openLibraries()
  const library = page.getByRole('region', { name: 'E2E 章节题库' })
  await library.getByRole('link', { name: /^第1章/ }).click()
  await question(page)
  return page
}

test('back closes the sheet over a question and then leaves it; forward and a reload come upon nothing dead', async () => {
  const page = await study()
  const here = path(page)
  await openSheet(page)
  await page.goBack()
  await sheet(page).waitFor({ state: 'detached' })
  expect([path(page), await depth(page)]).toEqual([here, 0])
  await page.goForward()
  await expect.poll(() => depth(page)).toBe(0)
  await question(page)

  await openSheet(page)
  await sheet(page).getByRole('button', { name: '关闭' }).click()
  await expect.poll(() => depth(page)).toBe(0)

  await openSheet(page)
  await page.reload({ waitUntil: 'domcontentloaded' })
  await question(page)
  await expect.poll(() => depth(page)).toBe(0)
  await page.goBack()
  await expect.poll(() => path(page)).toBe('/question/library')
  await page.getByRole('heading', { name: /题库/ }).first().waitFor()
})

test('what a batch came to shows its shape while its file is on the way', async () => {
  const page = await study()
  let release = (): void => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  await page.route(/afterFirst-.*\.js/, async (route) => {
    await gate
    await route.continue().catch(() => {})
  })
  await page.reload({ waitUntil: 'domcontentloaded' })
  await question(page)
  const total = Number((await page.getByRole('progressbar').getAttribute('aria-valuemax')) ?? 1)
  for (let n = 1; n < total; n++) await page.getByRole('button', { name: '下一题' }).click()
  await page.getByRole('button', { name: '查看结果' }).click()
  await page.getByText('正在加载...').first().waitFor()
  release()
  await page.getByRole('heading', { name: /^本组小结 · 还剩 \d+ 题$/ }).waitFor()
})
