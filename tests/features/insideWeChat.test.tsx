import '#src/features/order/CheckoutPage.tsx'
import '#src/features/order/OrderPage.tsx'
import '#src/features/wallet/WalletPage.tsx'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { productsText } from '#src/domain/money/products.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { order, vipOf } from '#tests/support/orders.ts'
import type { TestServer } from '#tests/support/server.ts'
import { packageJson, publishVip, vipJson } from '#tests/support/shop.ts'
import { setScreens } from '#tests/support/screens.ts'

const WECHAT =
  'Mozilla/5.0 (Linux; Android 14; V2309A) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 XWEB/1300 MMWEBSDK/2024 MicroMessenger/8.0.53 NetType/4G'
const BROWSER = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36'
const OUTSIDE = '请在手机浏览器中打开再支付'

let student: Awaited<ReturnType<TestServer['student']>>
const stage = setScreens(async (server) => {
  server.clock.now = Date.now()
  await publishVip(server, vipJson(packageJson('V', { title: '月月会员' })))
  // Nothing is begun at them here: that both are offered is enough.
  const { providers } = server.desk
  const [box] = providers.values()
  if (!(providers instanceof Map)) throw new Error('providers cannot be added')
  providers.set('wechat', box).set('alipay', box)
})
beforeEach(async () => {
  student = await stage.server.student()
  prepareDevice(student)
})
function hold(agent: string, phone: boolean): void {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent)
  const { matchMedia } = window
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(matchMedia.call(window, query), query.includes('coarse') && { matches: phone }),
  )
}
const shut = async (name: RegExp) => (await screen.findByRole<HTMLButtonElement>('button', { name })).disabled

test.each([
  ['WeChat on a phone', WECHAT, true, true],
  ['a browser on a phone', BROWSER, true, false],
  ['WeChat on a computer, which shows a code', WECHAT, false, false],
])('%s', async (_, agent, phone, kept) => {
  hold(agent, phone)
  await stage.open(`/order/payment/${productsText([vipOf('V')])}`)
  await screen.findByText('月月会员')
  for (const method of ['微信支付', '支付宝']) {
    await userEvent.click(screen.getByRole('radio', { name: method }))
    expect(screen.queryByText(OUTSIDE) !== null).toBe(kept)
    await expect.poll(() => shut(/^提交订单并支付/)).toBe(kept)
    if (kept) screen.getByText(`微信里打不开${method}的付款页面。`)
  }
})

test('an order waits in WeChat for the browser that its address is copied to', async () => {
  hold(WECHAT, true)
  const { id } = await order(stage.server, student, { products: [vipOf('V')] })
  // Also when the address says that its payment has begun, none is begun here.
  await stage.open(`/order/order_detail/${id}?pay=wechat`)
  const way = within(await screen.findByRole('region', { name: OUTSIDE }))
  expect(await shut(/^去支付/)).toBe(true)
  expect(stage.wire.sent.filter(({ path }) => path === '/pcapi/order/pay')).toEqual([])
  await userEvent.click(way.getByRole('button', { name: '复制链接' }))
  await screen.findByText(/order_detail|^已复制$/)
  await userEvent.click(screen.queryByRole('button', { name: '知道了' }) ?? document.body)
})

test('the wallet is topped up outside of WeChat, too', async () => {
  hold(WECHAT, true)
  await stage.open('/user/my_wallet')
  await userEvent.click(await screen.findByRole('button', { name: '充值' }))
  const sheet = within(await screen.findByRole('dialog', { name: '充值' }))
  await userEvent.click(sheet.getByRole('radio', { name: '支付宝' }))
  sheet.getByText(OUTSIDE)
  expect(await shut(/^充值 ¥/)).toBe(true)
})
