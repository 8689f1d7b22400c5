import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import { setStage } from './stage.ts'

const stage = setStage({ own: true })
const { open, beVisitor } = stage
const OLD = '价格以联网为准'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const position = (page: Page) =>
  page
    .getByRole('region', { name: '图片' })
    .locator('> div')
    .evaluate(({ scrollLeft, clientWidth }) => scrollLeft / clientWidth)

test('books and packages that were seen once are there without a network, with old prices marked as such; others say what they need', async () => {
  let { page } = stage.phone
  await beVisitor()
  await open('/store/store_list')
  await page.getByRole('button', { name: /^考前预测卷 8 套/ }).click()
  await heading(page, '考前预测卷 8 套')
  // Swiped by keys: the strip follows, and the dot with it.
  await page.getByRole('radio', { name: '第 1 张：封面' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => position(page)).toBeCloseTo(2, 1)
  expect(await page.getByRole('radio', { name: '第 3 张：样页' }).isChecked()).toBe(true)
  await page.getByRole('radio', { name: /四科合订/ }).click()
  await page.getByText(/：仅剩 3 件$/).waitFor()
  await page.getByRole('button', { name: '增加' }).click()
  await page.getByText('¥336.00').waitFor()
  expect(await page.getByText(OLD).count()).toBe(0)
  await open('/vip/vip_detail/V_all')
  await page.getByRole('table', { name: '对比' }).waitFor()
  await workerReady(page)
  // What the first worker came too late for is read again through it.
  const kept = () =>
    page.evaluate(async () => (await (await caches.open('api-v1:anon')).keys()).map(({ url }) => new URL(url).pathname))
  await expect.poll(kept).toContain('/pcapi/vip/detail')
  for (const address of ['/store/store_list', '/store/store_detail/B_mock']) {
    await open(address)
    await page.getByText('¥49.00').first().waitFor()
  }
  await expect.poll(kept).toContain('/pcapi/store/detail')
  await stage.phone.end()

  // Meanwhile it was sold out, and costs more: the phone cannot know.
  await stage.product.sql("update book_variant set stock = 0, price = 5900 where no like 'B_mock_%'")
  // The worker starts by itself, and may reach a server that answers before the browser has told it that there is no network.
  await stage.product.wire.set('down')
  await stage.phone.reopen({ offline: true })
  page = stage.phone.page
  await open('/store/store_list')
  await page.getByText(OLD).waitFor()
  await page.getByRole('button', { name: /^考前预测卷 8 套.*¥49\.00/ }).click()
  await heading(page, '考前预测卷 8 套')
  await page.getByText(OLD).waitFor()
  expect(await page.getByRole('img', { name: '考前预测卷 8 套：封面' }).evaluate((img) => img.tagName)).toBe('IMG')
  await open('/vip/vip_detail/V_all')
  await page.getByText(OLD).waitFor()
  await page.getByRole('table', { name: '对比' }).waitFor()
  await open('/store/store_detail/B_notebook')
  await page.getByText('此内容尚未下载，联网后可查看').waitFor()

  await stage.product.wire.set('ok')
  await stage.phone.context.setOffline(false)
  await heading(page, '错题笔记本')
  await open('/store/store_detail/B_mock')
  await page.getByRole('button', { name: '售罄', exact: true }).waitFor()
  await page.getByText('¥59.00').first().waitFor()
  expect(await page.getByText(OLD).count()).toBe(0)
})
