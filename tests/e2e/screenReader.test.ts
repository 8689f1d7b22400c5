import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { setStage } from './stage.ts'

const stage = setStage({ worker: false })
const { open, beVisitor } = stage
declare global {
  interface Window {
    /** What a screen reader was given to say, in order. */
    said?: string[]
  }
}

/** Whatever comes into a live region is said. */
const listen = (page: Page) =>
  page.addInitScript(() => {
    const said: string[] = (window.said = [])
    let last = ''
    const live = '[role="status"], [role="alert"], [aria-live="polite"], [aria-live="assertive"]'
    const watch = () =>
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const from = target instanceof Element ? target : target.parentElement
          const words = from?.closest(live)?.textContent.trim()
          if (words === undefined || words === last) continue
          last = words
          if (words) said.push(words)
        }
      }).observe(document, { subtree: true, childList: true, characterData: true })
    watch()
  })
const said = (page: Page) => page.evaluate(() => window.said ?? [])
async function focusIsOn(page: Page, role: 'heading' | 'button', name: RegExp): Promise<void> {
  const has = () => page.getByRole(role, { name }).evaluate((element) => element === document.activeElement)
  await expect.poll(has).toBe(true)
}

/** Answers by roles and names alone, as they are heard. */
async function answer(page: Page): Promise<void> {
  const main = page.getByRole('main')
  const first = { name: /^A．/ }
  if (await main.getByRole('radio').first().isVisible()) {
    await main.getByRole('radio').first().click()
  } else if (await main.getByRole('checkbox').first().isVisible()) {
    await main.getByRole('checkbox', first).click()
    await main.getByRole('button', { name: '确认答案' }).click()
  } else if (await main.getByRole('button', { name: '看参考答案并自评' }).isVisible()) {
    await main.getByRole('textbox', { name: /作答/ }).fill('一')
    await main.getByRole('button', { name: '看参考答案并自评' }).click()
    await main.getByRole('button', { name: /^(均未答到|还没掌握)/ }).click()
  } else {
    for (const blank of await main.getByRole('textbox', { name: /^第\d空/ }).all()) await blank.fill('一')
    await main.getByRole('button', { name: '确认答案' }).click()
  }
}

test('a whole batch by what is heard: where one is, what is asked, how it was marked, and that it is over', async () => {
  const { page } = stage.phone
  await listen(page)
  await beVisitor()
  await open('/question/library_study/L_politics_1_1/20/x')
  const heading = page.getByRole('heading', { level: 1 })
  await heading.filter({ hasText: /^第1题/ }).waitFor()
  const total = Number(/共(\d+)题/.exec(await heading.innerText())?.[1])
  expect(total).toBeGreaterThan(5)
  const progress = page.getByRole('progressbar', { name: '本组进度' })
  const heard: string[] = []
  for (let n = 1; n <= total; n++) {
    const name = new RegExp(`^第${n}题，共${total}题，\\s*(单选题|多选题|判断题|填空题|简答题)`)
    await page.getByRole('heading', { level: 1, name }).waitFor()
    // One comes to the first by its address.
    if (n > 1) await focusIsOn(page, 'heading', name)
    expect(await progress.getAttribute('aria-valuenow')).toBe(String(n))
    const before = (await said(page)).length
    await answer(page)
    await focusIsOn(page, 'button', n === total ? /^查看结果/ : /^下一题/)
    heard.push(...(await said(page)).slice(before))
    await page.getByRole('button', { name: n === total ? /^查看结果/ : /^下一题/ }).click()
  }
  await focusIsOn(page, 'heading', /^本组完成/)
  // Each result once, and nothing of what only passes by.
  expect(heard).toHaveLength(total)
  expect(heard.filter((words) => !RESULT.test(words))).toEqual([])
})

const RESULT = /^(回答正确|(回答错误|部分得分).*，正确答案 .+|.*自评.*)$/
