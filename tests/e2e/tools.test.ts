import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import { setStage, STUDY } from './stage.ts'

const stage = setStage()
const { open, stem, student, savedBatch } = stage

/** Stem and options as they stand, from above. */
const shown = async (page: Page): Promise<string[]> =>
  await page.locator('article p:first-child, article label').allInnerTexts()
const saved = async (page: Page) => JSON.stringify(await savedBatch(page))

test('without a network a student sets up a mixed batch with shuffled options, the phone dies, and it goes on in the same order', async () => {
  await student()
  // The login itself must be on disk before the kill.
  await stage.phone.context.close()
  await stage.phone.reopen()
  await open(STUDY)
  await stem(stage.phone.page, 1).waitFor()
  await workerReady(stage.phone.page)
  await stage.phone.page.getByRole('button', { name: /^练习设置/ }).waitFor()
  await stage.product.wire.set('down')
  const { page } = stage.phone
  await page.getByRole('button', { name: '字号与设置' }).click()
  await page.getByRole('group', { name: '选项乱序' }).getByText('开', { exact: true }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^练习设置/ }).click()
  const sheet = page.getByRole('dialog', { name: '练习设置' })
  await sheet.getByText('符合条件 25 题（另有 15 题不在本机，未计入）').waitFor()
  await sheet.getByText('乱序', { exact: true }).click()
  await sheet.getByText('5 题', { exact: true }).click()
  await sheet.getByRole('button', { name: '按此设置开始' }).click()
  await page.getByRole('heading', { level: 1, name: /^第1题，共5题/ }).waitFor()
  await page.getByRole('button', { name: '练习设置 乱序' }).waitFor()
  await page.getByRole('button', { name: '划掉 A' }).click()
  await page.getByRole('button', { name: '下一题' }).click()
  await page.getByRole('heading', { level: 1, name: /^第2题/ }).waitFor()
  const before = await shown(page)
  await expect.poll(() => saved(page)).toContain('"at":1')
  const [first] = (await savedBatch(page))?.items ?? []
  await stage.phone.kill()
  await stage.phone.reopen({ offline: true })
  await open(STUDY.replace('/20/', '/5/'))
  await stage.phone.page.getByRole('heading', { level: 1, name: /^第2题，共5题/ }).waitFor()
  expect(await shown(stage.phone.page)).toEqual(before)
  expect((await savedBatch(stage.phone.page))?.items[0]).toEqual(first)
  await stage.phone.page.getByRole('button', { name: '上一题' }).click()
  await expect
    .poll(() => stage.phone.page.getByRole('button', { name: '划掉 A' }).getAttribute('aria-pressed'))
    .toBe('true')
})
