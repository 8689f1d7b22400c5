import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rowsOf, workerReady } from './browser.ts'
import { scrollersOf } from './scrollers.ts'
import { reload, setStage, STUDY } from './stage.ts'

const stage = setStage()
const { choose, markSays, open, beVisitor, stem, student, signIn } = stage

/** Everything that 学习统计 says of what was done. */
async function figures(page: Page): Promise<string[]> {
  await page.getByRole('region', { name: '今日学习' }).getByRole('button', { name: '学习统计' }).click()
  const dialog = page.getByRole('dialog', { name: '学习统计' })
  await dialog.getByRole('button', { name: '知识点' }).click()
  await dialog.getByRole('row', { name: /^军史/ }).waitFor()
  const said = await dialog.locator('dl, table').allInnerTexts()
  await dialog.getByRole('button', { name: '关闭' }).click()
  return said
}
/** Queries whose answers this student's device holds. */
const kept = async (page: Page, uid: string) =>
  JSON.stringify(await rowsOf(page, `jk-cache:u:${uid}`, 'q', 'getAllKeys'))
const today = (page: Page) => page.getByRole('region', { name: '今日学习' })

test('figures are there without a network right after the answers, also after a cold start, and the same on a second phone', async () => {
  const { mobile, uid } = await student()
  await open('/')
  await today(stage.phone.page).waitFor()
  await expect.poll(() => kept(stage.phone.page, uid)).toContain('point/getNames')
  await open('/question/library')
  await expect.poll(() => kept(stage.phone.page, uid)).toContain('question/libraryList')
  await open(STUDY)
  await stem(stage.phone.page, 1).waitFor()
  await workerReady(stage.phone.page)
  await stage.product.wire.set('down')
  for (const [i, letter] of ['B', 'B', 'A', 'B', 'B'].entries()) {
    await stem(stage.phone.page, i + 1).waitFor()
    await choose(stage.phone.page, letter)
    await stage.phone.page
      .getByText(letter === 'B' ? '回答正确' : '回答错误')
      .first()
      .waitFor()
    await stage.phone.page.getByRole('button', { name: '下一题' }).click()
  }
  await stage.phone.end()
  await stage.phone.reopen()
  await open('/')
  await today(stage.phone.page).getByText('再做 15 题，达成今日目标。').waitFor()
  await stage.phone.page.getByRole('link', { name: '继续学习 第1章' }).waitFor()
  const offline = await figures(stage.phone.page)
  expect(offline.join()).toContain('80%')

  await stage.product.wire.set('ok')
  await reload(stage.phone.page)
  await markSays(stage.phone.page, /已同步/)
  expect(await figures(stage.phone.page)).toEqual(offline)
  await stage.changePhone()
  await signIn(stage.phone.page, mobile)
  await open('/')
  await today(stage.phone.page).getByText('再做 15 题，达成今日目标。').waitFor()
  expect(await figures(stage.phone.page)).toEqual(offline)
})

test('a visitor’s home has what the product does, and no hole below it, on phones and on wide screens', async () => {
  const { page } = stage.phone
  await beVisitor()
  await open('/')
  for (const width of [360, 800, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const points = page.getByRole('listitem').filter({ hasText: '按章节推进' })
    await points.waitFor()
    const [above, below] = await Promise.all([
      points.boundingBox(),
      page.getByRole('region', { name: '模拟考试' }).boundingBox(),
    ])
    // The line that says when it was read stands between them.
    expect((below?.y ?? Infinity) - (above?.y ?? 0) - (above?.height ?? 0)).toBeLessThan(40)
  }
})

test('学习统计 is one page to scroll on a phone, and ends where its last line does', async () => {
  const { page } = stage.phone
  await page.setViewportSize({ width: 360, height: 740 })
  await student()
  await open(STUDY)
  await stem(page, 1).waitFor()
  await stage.solve(page)
  await open('/')
  await today(page).getByRole('button', { name: '学习统计' }).click()
  const dialog = page.getByRole('dialog', { name: '学习统计' })
  await dialog.getByRole('heading', { name: '最近 30 天' }).waitFor()
  expect(await scrollersOf(page)).toHaveLength(1)
  await dialog.hover()
  // Farther than there is: whatever can move has then reached its end.
  for (let turn = 0; turn < 8; turn++) await page.mouse.wheel(0, 2000)
  const plan = dialog.getByRole('heading', { name: '学习计划' })
  await expect.poll(() => plan.evaluate((each) => each.getBoundingClientRect().top < innerHeight)).toBe(true)
  const close = await dialog.getByRole('button', { name: '关闭' }).boundingBox()
  expect(close?.y).toBeGreaterThanOrEqual(0)
})

test('the way to the exam date opens the plan at its field', async () => {
  const { page } = stage.phone
  await student()
  await open('/')
  await today(page).getByRole('button', { name: '设置考试日期' }).click()
  const dialog = page.getByRole('dialog', { name: '学习统计' })
  const field = dialog.getByLabel('考试日期')
  await field.waitFor()
  await expect.poll(() => field.evaluate((each) => each === document.activeElement)).toBe(true)
  expect(await field.evaluate((each) => each.getBoundingClientRect().bottom < innerHeight)).toBe(true)
  const aligned = await dialog
    .getByRole('heading', { name: '学习统计' })
    .evaluate((each) => getComputedStyle(each).textAlign)
  expect(aligned).toBe('start')
})
