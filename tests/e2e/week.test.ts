import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import { setStage, STUDY } from './stage.ts'

const stage = setStage()
const { open, stem, student, markSays } = stage

const report = (page: Page) => page.getByRole('region', { name: '周报' })

/** Saves the poster that is shown, and says what is on the picture. */
async function saved(page: Page) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog', { name: '海报' }).getByRole('button', { name: '保存图片' }).click(),
  ])
  const bytes = await readFile(await file.path())
  const [{ format, width, height }, { channels }] = await Promise.all([sharp(bytes).metadata(), sharp(bytes).stats()])
  // Colours far apart in each channel: it has ground, words and the code.
  const spread = Math.min(...channels.slice(0, 3).map(({ max, min }) => max - min))
  const { r, g, b } = (await sharp(bytes).stats()).dominant
  return { name: file.suggestedFilename(), bytes, format, width, height, spread, ground: [r, g, b] }
}

test('the week of a student is told without a network, from a cold browser, and a poster of it is made there', async () => {
  await student()
  await open('/')
  await open(STUDY)
  await stem(stage.phone.page, 1).waitFor()
  await workerReady(stage.phone.page)
  await stage.solve(stage.phone.page)
  await markSays(stage.phone.page, /已同步/)
  await stage.phone.end()
  await stage.phone.reopen({ offline: true })
  const { page } = stage.phone
  await open('/')
  await page.getByRole('region', { name: '今日学习' }).getByRole('link', { name: '周报' }).click()
  await report(page)
    .getByRole('heading', { name: /^这周学了 1 天/ })
    .waitFor()
  await report(page).getByText('1/7 天').waitFor()

  await report(page).getByRole('button', { name: '生成海报' }).click()
  const dialog = page.getByRole('dialog', { name: '海报' })
  await dialog.getByRole('img', { name: /我答题 1 次/ }).waitFor()
  const plain = await saved(page)
  expect(plain).toMatchObject({ format: 'png', width: 1080, height: 1440 })
  expect(plain.name).toMatch(/-一周学习\.png$/)
  expect(plain.spread).toBeGreaterThan(150)
  // Olive: neither white, black nor transparent.
  const [r = 0, g = 0, b = 0] = plain.ground
  expect([g > r, r > b, g > 30 && g < 200]).toEqual([true, true, true])

  await dialog.getByRole('checkbox', { name: '显示昵称' }).check()
  const named = await saved(page)
  expect(named.bytes.equals(plain.bytes)).toBe(false)
  await dialog.getByRole('checkbox', { name: '显示昵称' }).uncheck()
  expect((await saved(page)).bytes.equals(plain.bytes)).toBe(true)

  await dialog.getByRole('button', { name: '连续学习' }).click()
  expect((await saved(page)).name).toMatch(/-连续学习\.png$/)
})
