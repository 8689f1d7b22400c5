import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import { setStage, STUDY } from './stage.ts'

const stage = setStage()
const FORMULAE = '/question/library_study/L_math_2_1/20/函数'
const FONT = /\/assets\/mathFont-[^/]+\.woff2$/
/** Fonts that were fetched. To be kept, one is asked for once more, and comes from the browser's own memory. */
const fetched = async (page: Page): Promise<Set<string>> => {
  const names = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  return new Set(names.filter((name) => name.endsWith('.woff2')).map((name) => new URL(name).pathname))
}
/** Whether formulae are drawn with it: false as long as it is not here. */
const drawn = (page: Page): Promise<boolean> =>
  page.evaluate(() => [...document.fonts].some(({ family, status }) => family === 'Formula' && status === 'loaded'))
const isKept = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const font = performance.getEntriesByType('resource').find(({ name }) => name.includes('/assets/mathFont-'))
    return font !== undefined && (await caches.match(font.name)) !== undefined
  })

/** The browser's own memory of answers is no help: it may have forgotten them. */
async function drawsOffline(page: Page): Promise<void> {
  const wire = await page.context().newCDPSession(page)
  await wire.send('Network.clearBrowserCache')
  await stage.product.wire.set('down')
  await stage.open(FORMULAE)
  await page.locator('math').first().waitFor()
  await expect.poll(() => drawn(page)).toBe(true)
}

test('the font of formulae comes with the first formula, never before, and is there without a network', async () => {
  await stage.keptStudent()
  await stage.open(STUDY)
  const { page } = stage.phone
  await stage.stem(page, 1).waitFor()
  await page.evaluate(() => document.fonts.ready)
  expect(await fetched(page)).toEqual(new Set())

  await stage.open(FORMULAE)
  await page.locator('math').first().waitFor()
  await expect.poll(() => drawn(page)).toBe(true)
  expect([...(await fetched(page))]).toEqual([expect.stringMatching(FONT)])
  await expect.poll(() => isKept(page)).toBe(true)

  await drawsOffline(page)
})

test('a library of mathematics brings the font with it: the first formula, read without a network, is drawn with it', async () => {
  await stage.keptStudent()
  await stage.openLibraries('数学')
  const { page } = stage.phone
  await workerReady(page)
  const card = page.getByRole('region', { name: '数学章节题库' })
  await card.getByRole('button', { name: /^下载离线包/ }).click()
  await card.getByText(/^已下载 · /).waitFor()
  await expect
    .poll(() =>
      page.evaluate(async () =>
        (await (await caches.open('part-v1')).keys()).some(({ url }) => url.includes('mathFont')),
      ),
    )
    .toBe(true)
  await drawsOffline(page)
})
