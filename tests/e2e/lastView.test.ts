import { expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import { setStage, STUDY } from './stage.ts'

const stage = setStage()
const { open, stem, beVisitor, markSays } = stage
/** Slow enough that whoever taps at once taps before the app is up. */
const VERY_SLOW_CPU = 6

async function kept(text: string): Promise<void> {
  await expect.poll(() => stage.phone.page.evaluate(() => localStorage.getItem('jk-view'))).toContain(text)
}

test('the question that was left is there before the app is, and a tap on it counts', async () => {
  await beVisitor()
  await open(STUDY)
  await stem(stage.phone.page, 1).waitFor()
  await workerReady(stage.phone.page)
  await stage.phone.page.getByRole('button', { name: '下一题' }).click()
  await stem(stage.phone.page, 2).waitFor()
  await kept('第1章第2题：')
  await stage.phone.end()

  await stage.phone.reopen({ offline: true })
  const { page } = stage.phone
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: VERY_SLOW_CPU })
  await page.addInitScript(() => {
    // As a student does who does not wait: at the first option that can be seen.
    const tap = () => {
      const option = document.querySelectorAll<HTMLElement>('#view fieldset label')[1]
      if (!option) return requestAnimationFrame(tap)
      option.click()
      document.documentElement.dataset.tapped = 'early'
    }
    requestAnimationFrame(tap)
  })
  await page.goto(stage.product.url + STUDY)
  await page.getByText('回答正确').first().waitFor()
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  expect(await page.locator('html').getAttribute('data-tapped')).toBe('early')
  expect(await page.locator('#view').count()).toBe(0)
  await markSays(page, /1 条保存在设备上/)
})

test('who logs out leaves no view behind', async () => {
  await stage.student()
  await stage.openLibraries()
  await stage.phone.page.getByRole('region', { name: 'E2E 章节题库' }).waitFor()
  await kept('"at":"/question/library"')
  await open('/user/my_userinfo')
  await stage.phone.page.getByRole('button', { name: '退出登录' }).click()
  const dialog = stage.phone.page.getByRole('dialog', { name: '退出登录' })
  await dialog.getByRole('button', { name: '退出', exact: true }).click()
  await expect.poll(() => new URL(stage.phone.page.url()).pathname).toBe('/')
  expect(await stage.phone.page.evaluate(() => localStorage.getItem('jk-view'))).toBeNull()
})
