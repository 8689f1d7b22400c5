import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { faultsOf } from './axe.ts'
import { workerReady } from './browser.ts'
import { goTo, setStage } from './stage.ts'

const stage = setStage()
const { open, keptStudent, answers } = stage

const CHAPTER = '/question/library_study/L_history_2_2/20/x'
const handle = (page: Page, letter: string) => page.getByRole('button', { name: new RegExp(`^${letter}，第`) })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const letters = (page: Page) => page.getByRole('button', { name: /^[A-D]，第/ }).allInnerTexts()

/** Draws one thing over another by a finger, a little to the side as a thumb does. */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [begin, end] = [await from.boundingBox(), await to.boundingBox()]
  if (!begin || !end) throw new Error('not on the screen')
  const finger = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove', x: number, y: number) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x, y }] })
  const [x, y] = [begin.x + 20, begin.y + begin.height / 2]
  const far = end.y + end.height / 2 - y
  await touch('touchStart', x, y)
  for (let step = 1; step <= 10; step++) await touch('touchMove', x + step * 8, y + (far * step) / 10)
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

test('an order is made by a finger and by arrows without a network, survives the phone’s end, and counts', async () => {
  const { uid } = await keptStudent()
  await open(CHAPTER)
  await workerReady(stage.phone.page)
  await stage.phone.page.getByRole('button', { name: /^答题卡/ }).click()
  await stage.phone.page.getByRole('button', { name: /^第7题/ }).click()
  const seven = () => stage.phone.page.getByRole('heading', { level: 1, name: /^第7题，共9题/ })
  await seven().waitFor()
  await stage.product.wire.set('down')
  const { page } = stage.phone
  expect(await letters(page)).toEqual(['A', 'B', 'C', 'D'])
  expect(await faultsOf(page, 'ordering')).toEqual([])
  // The finger takes no question away with it.
  await drag(page, handle(page, 'C'), handle(page, 'A'))
  await expect.poll(() => letters(page)).toEqual(['C', 'A', 'B', 'D'])
  await expect.poll(async () => JSON.stringify(await stage.savedBatch(page))).toContain('["C","A","B","D"]')
  await stage.phone.kill()
  await stage.phone.reopen({ offline: true })
  await goTo(stage.phone.page, stage.product.url + CHAPTER)
  await seven().waitFor()
  const again = stage.phone.page
  await expect.poll(() => letters(again)).toEqual(['C', 'A', 'B', 'D'])
  await button(again, '上移 B').click()
  await button(again, '确认答案').click()
  await again.getByText('回答正确').first().waitFor()
  expect(await again.getByRole('list', { name: '正确的顺序' }).getByRole('listitem').allInnerTexts()).toHaveLength(4)
  expect(await faultsOf(again, 'ordering, marked')).toEqual([])
  await stage.phone.context.setOffline(false)
  await stage.product.wire.set('ok')
  await expect.poll(() => answers(uid), { timeout: 30_000 }).toEqual([{ question_no: 'his_0045', times: 1, wrong: 0 }])
})
