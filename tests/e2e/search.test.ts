import { expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import { reload, setStage, STUDY } from './stage.ts'

const stage = setStage()
const { open, stem, choose, beVisitor } = stage

test('what was opened with a network is found without one, from a cold browser, and its question is answered there', async () => {
  await beVisitor()
  await open(STUDY)
  await stem(stage.phone.page, 1).waitFor()
  await workerReady(stage.phone.page)
  await stage.openLibraries()
  await stage.phone.page.getByRole('region', { name: 'E2E 章节题库' }).waitFor()
  await stage.phone.end()

  await stage.phone.reopen({ offline: true })
  await open('/question/library')
  const { page } = stage.phone
  await page.getByRole('button', { name: '搜题' }).click()
  const dialog = page.getByRole('dialog', { name: '搜题' })
  await dialog.getByText(/^已下载的 \d+ 道题都能搜/).waitFor()
  await dialog.getByRole('combobox', { name: '搜索题目' }).fill('第17题')
  await dialog.getByText('找到 1 道').waitFor()
  await page.keyboard.press('Enter')
  await stem(page, 17).waitFor()
  await choose(page, 'A')
  await page.getByText('回答错误').first().waitFor()
  await reload(page)
  await stem(page, 17).waitFor()
  await page.getByRole('button', { name: '退出练习' }).click()

  await page.getByRole('region', { name: 'E2E 章节题库' }).waitFor()
  await page.keyboard.press('/')
  await dialog.getByText('错题', { exact: true }).click()
  await dialog.getByRole('combobox', { name: '搜索题目' }).fill('等于多少')
  await expect
    .poll(() => dialog.getByRole('listbox', { name: '搜索结果' }).getByRole('option').allTextContents())
    .toEqual([expect.stringContaining('第17题')])
  await dialog.getByText('做错').waitFor()
})
