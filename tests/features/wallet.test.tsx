import '#src/features/order/OrderPage.tsx'
import '#src/features/order/CheckoutPage.tsx'
import '#src/features/wallet/WalletPage.tsx'
import '#src/ui/qrCode/QrCode.tsx'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { operate, payOutWallet } from '#server/order/operator.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { buy, order, payAnother, settleAll, topUp, vipOf } from '#tests/support/orders.ts'
import type { TestServer } from '#tests/support/server.ts'
import { packageJson, publishVip, vipJson } from '#tests/support/shop.ts'
import { tap } from '#tests/support/tap.ts'
import { setScreens } from '#tests/support/screens.ts'

let student: Awaited<ReturnType<TestServer['student']>>
const stage = setScreens(async (server) => {
  // The page counts down by the server's clock, which it learns from the answers' dates.
  server.clock.now = Date.now()
  await publishVip(server, vipJson(packageJson('V', { title: '月月会员' })))
})
beforeEach(async () => {
  student = await stage.server.student()
  prepareDevice(student)
})
const { open } = stage

test('a balance that was given back is told in the wallet', async () => {
  await topUp(stage.server, student, 5000)
  await payOutWallet(stage.server.db, student.mobile, stage.server.clock.now)
  await settleAll(stage.server)
  await open('/user/my_wallet')
  const rows = within(await screen.findByRole('list', { name: '钱包记录' }))
  expect(rows.getByText('余额退还')).toBeDefined()
  expect(rows.getByText('−¥50.00')).toBeDefined()
  screen.getByText('收入 ¥50.00 · 支出 ¥50.00')
})

test('a top-up to which another sum came is not said to be free of charge', async () => {
  await open('/user/my_wallet')
  await tap('充值')
  const sheet = within(await screen.findByRole('dialog', { name: '充值' }))
  await userEvent.click(sheet.getByRole('button', { name: '充值 ¥50.00' }))
  const link = await sheet.findByRole('link', { name: '在这台电脑上打开支付页面' })
  const url = new URL(link.getAttribute('href') ?? '')
  await payAnother(stage.server, url.pathname + url.search, 4999)
  await userEvent.click(sheet.getByRole('button', { name: '我已完成支付' }))
  await screen.findByText(/付款金额与充值金额不符，没有计入余额/)
  expect(screen.queryByText(/没有扣款/)).toBeNull()
})

test('why the shop gives an order back stands in the order', async () => {
  const id = await buy(stage.server, student, { products: [vipOf('V')] })
  await operate(stage.server.db, id, { kind: 'approve', reason: '会员停办' }, stage.server.clock.now)
  await open(`/order/order_detail/${id}`)
  await screen.findByText(/退款原因：会员停办/)
  screen.getByText(/已同意：¥[\d.]+ 原路退回/)
})

test('where no payment is set up, nobody is led to one, and money of the trial says why it buys nothing', async () => {
  await topUp(stage.server, student, 5000)
  const id = (await order(stage.server, student, { products: [vipOf('V')], wallet: false })).id
  const { providers } = stage.server.desk
  Object.assign(stage.server.desk, { providers: new Map() })
  await settleAll(stage.server)
  await open('/user/my_wallet')
  await screen.findByText('¥50.00', { selector: 'b' })
  screen.getByText('本站还没有开通支付，充值请以后再来看看')
  screen.getByText('余额里有试用时的沙箱款项，不是真钱，客服处理之后才能使用余额')
  expect(screen.queryByRole('button', { name: '充值' })).toBeNull()

  await open(`/order/order_detail/${id}`)
  await screen.findByText(/^本站还没有开通支付，这个订单暂时不能支付/)
  expect(screen.queryByRole('button', { name: /^去支付/ })).toBeNull()

  await open('/order/payment/vip-V-1-V_month')
  const why = await screen.findByRole('alert')
  expect(why.textContent).toBe('本站还没有开通支付，暂时不能购买，请以后再来看看')
  expect(screen.queryByRole('group', { name: '支付方式' })).toBeNull()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '提交订单' }).disabled).toBe(true)
  Object.assign(stage.server.desk, { providers })
})
