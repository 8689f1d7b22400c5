import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import { reload, setStage } from './stage.ts'

const stage = setStage({ own: true })
const { open, student } = stage
const PASTED = '收件人：王小兵 13800001111 湖南省长沙市开福区德雅路109号'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor({ timeout: 30_000 })
const orders = (uid: string) =>
  stage.product.sql<{ state: string; due: number }>(
    'select state, due::int as due from orders where uid = $1 order by created_at',
    [uid],
  )

/** It can be tapped where it is: on the screen, and nothing lies over it. */
const inSight = (one: Locator) =>
  one.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })

async function toPayment(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^考前预测卷 8 套/ }).click()
  await page.getByRole('link', { name: '立即购买' }).click()
  await heading(page, '确认订单')
}
async function giveAddress(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^填写收货地址/ }).click()
  await page.getByRole('button', { name: '新增收货地址' }).click()
  const form = page.getByRole('dialog', { name: '新增收货地址' })
  await form.getByLabel('粘贴识别').fill(PASTED)
  await form.getByRole('button', { name: '识别并填写' }).click()
  await form.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByText('德雅路109号').first().waitFor()
}

test('a book is bought on a phone: what is typed outlives a lost network, the provider opens in a tab that closes itself, and the result comes by itself', async () => {
  const { uid } = await student()
  const { page, context } = stage.phone
  await open('/store/store_list')
  await toPayment(page)
  await giveAddress(page)
  await page.getByText('¥57.00').first().waitFor()
  await page.getByLabel('备注（选填）').fill('请放门卫')

  // Nothing with money waits for the network: it says so, and what was typed stays.
  await stage.product.wire.set('down')
  await page.getByRole('button', { name: /^提交订单/ }).click()
  await page.getByRole('dialog', { name: '提示信息' }).getByRole('button', { name: '知道了' }).click()
  await stage.product.wire.set('ok')
  await reload(page)
  await expect.poll(() => page.getByLabel('备注（选填）').inputValue()).toBe('请放门卫')
  expect(await orders(uid)).toEqual([])

  const [provider] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: '提交订单并支付 ¥57.00' }).click(),
  ])
  await provider.getByRole('button', { name: '确认支付' }).waitFor()
  await heading(page, '待支付')
  await page.getByText('支付结果确认中').waitFor()
  await Promise.all([provider.waitForEvent('close'), provider.getByRole('button', { name: '确认支付' }).click()])
  await heading(page, '待发货')
  await page.getByText('请放门卫').waitFor()
  expect(await orders(uid)).toEqual([{ state: 'paid', due: 5700 }])

  // Without a network it is as it was seen last: the worker is there by then, and has what the page is made of.
  await workerReady(page)
  const kept = () =>
    page.evaluate(async () => (await (await caches.open('part-v1')).keys()).map(({ url }) => new URL(url).pathname))
  await expect.poll(kept).toContainEqual(expect.stringContaining('/assets/order-'))
  await stage.product.wire.set('down')
  await reload(page)
  await heading(page, '待发货')
  await page.getByText(/^离线，以下是 .+ 的内容/).waitFor()
  expect(await page.getByRole('button', { name: '申请退款' }).isDisabled()).toBe(true)
  await page.getByText('请放门卫').waitFor()

  // What the shop does meanwhile comes with the network, by itself.
  const [{ id } = { id: '' }] = await stage.product.sql<{ id: string }>('select id from orders where uid = $1', [uid])
  stage.product.orders('ship', id, '邮政', 'EMS1')
  await open('/question/library')
  await stage.product.wire.set('ok')
  const told = page.getByRole('complementary', { name: '新消息' })
  await told.getByText(/^“.+”已发货$/).waitFor({ timeout: 30_000 })
  await told.getByRole('button', { name: '查看' }).click()
  const inbox = page.getByRole('dialog', { name: '消息' })
  await inbox.getByText('邮政 EMS1').waitFor()
  await inbox.getByRole('link', { name: '查看订单' }).click()
  await heading(page, '已发货')
  expect(await told.count()).toBe(0)
})

test('a membership is bought at a computer: the code is shown, the server dies as the provider takes the money, and it is the student’s all the same', async () => {
  await stage.changePhone({ desktop: true })
  const { uid } = await student()
  const { page, context } = stage.phone
  await open('/vip/vip_detail/V_practice')
  await page.getByRole('link', { name: '立即购买' }).click()
  await heading(page, '确认订单')
  await page.getByRole('button', { name: /^提交订单并支付/ }).click()
  await page.getByRole('img', { name: '支付二维码，用手机扫码支付' }).waitFor()
  const href = await page.getByRole('link', { name: '在这台电脑上打开支付页面' }).getAttribute('href')
  // The provider has the money, and nobody has told us: the server dies before the notice is out.
  await stage.product.sql(
    "update sandbox_payment set state = 'paid', paid_at = extract(epoch from now())::bigint * 1000",
  )
  await stage.product.kill()
  expect(await orders(uid)).toMatchObject([{ state: 'pending' }])
  await page.getByRole('button', { name: '我已完成支付' }).click()
  await page.getByText(/支付结果不会丢/).waitFor()
  await stage.product.restart()
  await heading(page, '已完成')
  const late = await context.newPage()
  await late.goto(href ?? '')
  await late.getByText('这笔付款已经完成。').waitFor()
  await late.close()
  await open('/user/my_vip')
  await page
    .getByText(/有效期至|到期/)
    .first()
    .waitFor()
  expect(await orders(uid)).toMatchObject([{ state: 'completed' }])
})

test('on a phone what buys is in sight and in nobody’s way; a provider whose tab the browser does not open is gone to here, and leads back to the order', async () => {
  const { uid } = await student()
  const { page } = stage.phone
  await page.addInitScript(() => void (window.open = () => null))
  await open('/store/store_detail/B_mock')
  const buy = page.getByRole('link', { name: '立即购买' })
  await buy.waitFor()
  await expect.poll(() => inSight(buy)).toBe(true)
  // What has the focus comes clear of it, and so does the end of the page.
  const more = page.getByRole('button', { name: '增加' })
  await more.focus()
  await expect.poll(() => inSight(more)).toBe(true)
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await expect.poll(() => inSight(page.locator('footer a').last())).toBe(true)
  expect(await inSight(buy)).toBe(true)
  expect(await inSight(page.getByRole('button', { name: '回到顶部' }))).toBe(true)
  // Enlarged so much that a screen has few lines, it goes with the page.
  const whole = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 300 })
  await page.evaluate(() => window.scrollTo(0, 0))
  await expect.poll(() => inSight(buy)).toBe(false)
  if (whole) await page.setViewportSize(whole)
  await buy.click()
  await heading(page, '确认订单')
  await page.getByRole('button', { name: '增加' }).click()
  await page.getByText('¥98.00').first().waitFor()
  await giveAddress(page)
  const notice = await page.getByText('保存成功').boundingBox()
  const submit = page.getByRole('button', { name: /^提交订单并支付/ })
  const below = await submit.boundingBox()
  expect(notice && below && notice.y + notice.height < below.y).toBe(true)
  await submit.click()
  await page.getByRole('button', { name: '放弃支付' }).click()
  await page.getByRole('link', { name: '查看我的订单' }).click()
  await page.getByRole('link', { name: /待支付/ }).click()
  await heading(page, '待支付')
  await page.getByRole('button', { name: /^去支付/ }).waitFor()
  await page.getByRole('button', { name: '取消订单' }).waitFor()
  expect(await orders(uid)).toMatchObject([{ state: 'pending' }])
})
