import { expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import { setStage } from './stage.ts'

const stage = setStage()
const DAY = 86_400_000
const counts = async () => (await stage.phone.page.getByText(/^未掌握 \d+ · /).textContent())?.split(' · ')
const next = () => stage.phone.page.getByRole('button', { name: /^(下一题|查看结果)$/ }).click()
const heading = (of: string) =>
  stage.phone.page.getByRole('heading', { level: 1, name: new RegExp(`^${of}`) }).waitFor()
const verdict = (text: string) => stage.phone.page.getByText(text).first().waitFor()

/** Both questions of the book in one batch. */
async function practise(letter: string): Promise<void> {
  await stage.open('/user/my_error')
  await stage.phone.page.getByRole('link', { name: '练习 第1章' }).click()
  for (const n of [1, 2]) {
    await heading(`第${n}题，共2题`)
    await stage.choose(stage.phone.page, letter)
    await verdict(letter === 'B' ? '回答正确' : '回答错误')
    await next()
  }
  await stage.phone.page.getByRole('heading', { name: '本组完成' }).waitFor()
  await stage.phone.page.getByRole('button', { name: '返回我的错题' }).click()
}

test('without a network, misses are in the book at once, leave it by the rule, come back by a miss, and are reviewed from a cold start', async () => {
  const { uid } = await stage.student()
  await stage.openLibraries()
  await stage.phone.page
    .getByRole('region', { name: 'E2E 章节题库' })
    .getByRole('link', { name: /^第1章/ })
    .click()
  await stage.stem(stage.phone.page, 1).waitFor()
  await workerReady(stage.phone.page)
  await stage.phone.context.setOffline(true)
  for (const n of [1, 2]) {
    await stage.stem(stage.phone.page, n).waitFor()
    await stage.choose(stage.phone.page, 'A')
    await verdict('回答错误')
    await stage.phone.page.getByText('在错题本里，再答对 2 次自动移出').waitFor()
    if (n === 1) await stage.phone.page.getByRole('button', { name: '看错' }).click()
    await next()
  }
  await stage.open('/user/my_error')
  await expect.poll(counts).toEqual(['未掌握 2', '巩固中 0', '已消灭 0'])
  await practise('B')
  await expect.poll(counts).toEqual(['未掌握 0', '巩固中 2', '已消灭 0'])
  await stage.open('/user/my_error?phase=firm')
  await stage.phone.page.getByRole('link', { name: '练习 第1章' }).click()
  for (const n of [1, 2]) {
    await heading(`第${n}题，共2题`)
    await stage.choose(stage.phone.page, 'B')
    await stage.phone.page.getByText('已消灭：连续答对 2 次').waitFor()
    await next()
  }
  await stage.open('/user/my_error?phase=done')
  await expect.poll(counts).toEqual(['未掌握 0', '巩固中 0', '已消灭 2'])
  await stage.phone.page.getByRole('link', { name: '练习 第1章' }).click()
  await stage.choose(stage.phone.page, 'A')
  await stage.phone.page.getByText('在错题本里，再答对 2 次自动移出').waitFor()
  await stage.open('/user/my_error')
  await expect.poll(counts).toEqual(['未掌握 1', '巩固中 0', '已消灭 1'])

  await stage.phone.end()
  await stage.phone.reopen({ offline: true })
  await stage.phone.context.clock.setSystemTime(Date.now() + 9 * DAY)
  await stage.open('/question/library_error_study/all/answer/1')
  await heading('第1题，共2题')
  await stage.choose(stage.phone.page, 'B')
  await verdict('回答正确')

  await stage.phone.context.setOffline(false)
  await stage.markSays(stage.phone.page, /已同步/)
  const [state] = await stage.product.sql<{ cause: string }>(
    `select body ->> 'cause' as cause from study_record where uid = $1 and kind = 'state' and id = 'E2E_q1'`,
    [uid],
  )
  expect(state?.cause).toBe('misread')
})

test('printing by night, the whole window is paper: no strip of the dark page stands beside the sheet', async () => {
  await stage.changePhone({ desktop: true })
  await stage.student()
  const { page } = stage.phone
  await page.emulateMedia({ colorScheme: 'dark' })
  await stage.openLibraries()
  await page
    .getByRole('region', { name: 'E2E 章节题库' })
    .getByRole('link', { name: /^第1章/ })
    .click()
  await stage.stem(page, 1).waitFor()
  await stage.choose(page, 'A')
  await verdict('回答错误')
  await stage.open('/user/my_error')
  await page.getByRole('button', { name: '更多' }).click()
  await page.getByRole('button', { name: '打印、导出' }).click()
  await page.getByRole('dialog', { name: '打印错题' }).waitFor()
  const grounds = () =>
    page.evaluate(() =>
      [document.documentElement, document.body].map((each) => {
        const { backgroundColor, backgroundImage, colorScheme } = getComputedStyle(each)
        return `${backgroundColor} ${backgroundImage} ${colorScheme}`
      }),
    )
  const paper = ['rgb(255, 255, 255) none light', 'rgb(255, 255, 255) none light']
  expect(await grounds()).toEqual(paper)
  // Else the page behind has a scrollbar of its own, or room for one.
  expect(
    await page.evaluate(() => {
      const { overflowY, scrollbarGutter } = getComputedStyle(document.documentElement)
      return [overflowY, scrollbarGutter]
    }),
  ).toEqual(['hidden', 'auto'])
  await page.emulateMedia({ media: 'print' })
  expect(await grounds()).toEqual(paper)
})
