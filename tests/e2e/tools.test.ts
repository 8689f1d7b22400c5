import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import { more } from './more.ts'
import { setStage, STUDY } from './stage.ts'

const stage = setStage()
const { open, stem, keptStudent, savedBatch, choose } = stage

/** Stem and options as they stand, from above. */
const shown = async (page: Page): Promise<string[]> =>
  await page.locator('article p:first-child, article label').allInnerTexts()
const saved = async (page: Page) => JSON.stringify(await savedBatch(page))

test('without a network a student sets up a mixed batch with shuffled options, the phone dies, and it goes on in the same order', async () => {
  await keptStudent()
  await open(STUDY)
  await stem(stage.phone.page, 1).waitFor()
  await workerReady(stage.phone.page)
  await stage.phone.page.getByRole('button', { name: '更多' }).waitFor()
  await stage.product.wire.set('down')
  const { page } = stage.phone
  await more(page, '字号与设置')
  await page.getByRole('switch', { name: '选项乱序' }).check()
  await page.keyboard.press('Escape')
  await more(page, /^练习设置/)
  const sheet = page.getByRole('dialog', { name: '练习设置' })
  await sheet.getByText('符合条件 25 题（另有 15 题还没有下载，未计入）').waitFor()
  await sheet.getByText('乱序', { exact: true }).click()
  await sheet.getByText('5 题', { exact: true }).click()
  await sheet.getByRole('button', { name: '按此设置开始' }).click()
  await page.getByRole('heading', { level: 1, name: /^第1题，共5题/ }).waitFor()
  await page.getByRole('button', { name: /^更多/ }).click()
  const acts = page.getByRole('dialog', { name: '更多' })
  await acts.getByRole('button', { name: '练习设置 乱序' }).waitFor()
  await acts.getByRole('button', { name: '划掉 A' }).click()
  await acts.getByRole('button', { name: '关闭' }).click()
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
  await stage.phone.page.getByRole('button', { name: '恢复 A' }).waitFor()
})

test('on a narrow phone a batch to hand in shows how it was chosen; killed before and while it is handed in, every answer arrives once', async () => {
  const { uid } = await keptStudent()
  await stage.phone.page.setViewportSize({ width: 360, height: 740 })
  await open(STUDY)
  await stem(stage.phone.page, 1).waitFor()
  await workerReady(stage.phone.page)
  const { page } = stage.phone
  await more(page, '练习设置')
  const sheet = page.getByRole('dialog', { name: '练习设置' })
  await sheet.getByRole('group', { name: '范围' }).getByText('全部').click()
  for (const way of ['交卷后看', '10 分钟']) await sheet.getByText(way, { exact: true }).click()
  await sheet.getByRole('button', { name: '按此设置开始' }).click()
  await page.getByRole('button', { name: '存疑' }).waitFor()
  await page.getByRole('button', { name: /^更多/ }).click()
  const acts = page.getByRole('dialog', { name: '更多' })
  await acts.getByRole('button', { name: '练习设置 全部 · 10 分钟 · 交卷后看' }).waitFor()
  await acts.getByRole('button', { name: '关闭' }).click()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await stage.product.wire.set('down')
  await choose(page, 'A')
  await choose(page, 'B')
  await page.getByRole('button', { name: '存疑' }).click()
  await page.getByRole('button', { name: '下一题' }).click()
  await stem(page, 2).waitFor()
  await choose(page, 'C')
  await expect.poll(() => saved(page)).toContain('["C"]')
  await stage.phone.kill()
  await stage.phone.reopen({ offline: true })
  await open(STUDY)
  const again = stage.phone.page
  await stem(again, 2).waitFor()
  expect(await again.getByRole('radio', { name: /^C．/ }).isChecked()).toBe(true)
  await again.getByRole('button', { name: '交卷', exact: true }).click()
  await again.getByRole('button', { name: '第1题，存疑' }).waitFor()
  await again.getByRole('button', { name: '确定交卷' }).click()
  await stage.phone.kill()
  await stage.phone.reopen({ offline: true })
  await open(STUDY)
  const last = stage.phone.page
  const handedIn = last.getByRole('heading', { name: '已交卷' })
  const handIn = last.getByRole('button', { name: '交卷', exact: true })
  await handedIn.or(handIn).waitFor()
  // All of it or nothing: then it is where it was.
  if (await handIn.isVisible()) {
    await handIn.click()
    await last.getByRole('button', { name: '确定交卷' }).click()
  }
  await handedIn.waitFor()
  await stage.product.wire.set('ok')
  await stage.phone.context.setOffline(false)
  await open(STUDY)
  await expect
    .poll(() => stage.answers(uid), { timeout: 20_000 })
    .toEqual([
      { question_no: 'E2E_q1', times: 1, wrong: 0 },
      { question_no: 'E2E_q2', times: 1, wrong: 1 },
    ])
})
