import '#src/features/order/CheckoutPage.tsx'
import '#src/features/order/OrderPage.tsx'
import '#src/features/store/StoreDetailPage.tsx'
import '#src/features/wallet/WalletPage.tsx'
import '#src/ui/qrCode/QrCode.tsx'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { productsText } from '#src/domain/money/products.ts'
import { operate } from '#server/order/operator.ts'
import { heardServer } from '#src/offline/device/serverClock.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import {
  accounts,
  atSandbox,
  begin,
  bookOf,
  buy,
  detail,
  giveAddress,
  giveCoupon,
  order,
  settleAll,
  topUp,
  vipOf,
} from '#tests/support/orders.ts'
import type { TestServer } from '#tests/support/server.ts'
import { bookJson, booksJson, packageJson, publishBooks, publishVip, vipJson } from '#tests/support/shop.ts'
import { tap } from '#tests/support/tap.ts'
import { json, nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

let student: Awaited<ReturnType<TestServer['student']>>
const stage = setScreens(async (server) => {
  // The page counts down by the server's clock, which it learns from the answers' dates.
  server.clock.now = Date.now()
  await publishVip(server, vipJson(packageJson('V', { title: '月月会员' })))
  await publishBooks(server, booksJson(bookJson('B', 50, { title: '口袋书' })))
})
beforeEach(async () => {
  student = await stage.server.student()
  prepareDevice(student)
  // From its first screen on, as midnight may pass between what the server wrote and what is shown.
  heardServer(stage.server.clock.now)
})
const { open } = stage
const payment = (...products: Parameters<typeof productsText>[0]) => open(`/order/payment/${productsText(products)}`)
const sums = async () => (await screen.findByRole('region', { name: '金额' })).textContent
const orders = () => stage.server.db.selectFrom('orders').selectAll().where('uid', '=', student.uid).execute()

describe('确认订单', () => {
  test('says what it comes to, takes the best coupon with its reason, and another when it is chosen', async () => {
    await giveCoupon(stage.server, student)
    await giveCoupon(stage.server, student, { no: 'C_two', title: '减二元', off_value: 200 })
    await giveCoupon(stage.server, student, { no: 'C_books', title: '图书券', kinds: ['book'] })
    await payment(vipOf('V'))
    await screen.findByText('月月会员')
    await expect.poll(sums).toContain('优惠券−¥10.00')
    screen.getByText('已选最省的一张')
    await tap(/^优惠券/)
    const sheet = within(await screen.findByRole('dialog', { name: '选择优惠券' }))
    expect(sheet.getByRole('button', { name: /^图书券/ }).textContent).toContain('不可用：不适用于这些商品')
    await userEvent.click(sheet.getByRole('button', { name: /^减二元/ }))
    await expect.poll(sums).toContain('应付¥17.90')
    screen.getByText('“新人立减”还能多省 ¥8.00')
    // Another look finds what was chosen.
    await payment(vipOf('V'))
    await expect.poll(sums).toContain('应付¥17.90')
    await tap('提交订单并支付 ¥17.90')
    await screen.findByRole('heading', { level: 1, name: '待支付' })
    expect(await orders()).toMatchObject([{ state: 'pending', discount: 200, due: 1790 }])
  })

  test('pays from the wallet what it holds, or all of it', async () => {
    await topUp(stage.server, student, 1000)
    await payment(vipOf('V'))
    await expect.poll(sums).toContain('钱包抵扣−¥10.00')
    await userEvent.click(screen.getByRole('checkbox', { name: /用钱包余额抵扣/ }))
    await expect.poll(sums).toContain('应付¥19.90')
    await topUp(stage.server, student, 5000)
    await userEvent.click(screen.getByRole('checkbox', { name: /用钱包余额抵扣/ }))
    await expect.poll(sums).toContain('应付¥0.00')
    await tap('用钱包支付 ¥19.90')
    await screen.findByRole('heading', { level: 1, name: '已完成' })
    expect(await accounts(stage.server, student.uid)).toEqual({ 'outside:sandbox': -6000, sales: 1990, wallet: 4010 })
  })

  test('asks for an address where goods are shipped, and for what keeps it from being ordered', async () => {
    await payment(bookOf('B', 2))
    await screen.findByText('请填写收货地址')
    expect(await sums()).toContain('填写收货地址后计算待计算应付（不含运费）¥52.00')
    expect((await screen.findByRole('button', { name: /^提交订单/ })).hasAttribute('disabled')).toBe(true)
    await giveAddress(stage.server, student)
    await payment(bookOf('B', 2))
    await screen.findByText('湖南省长沙市开福区德雅路109号')
    await expect.poll(sums).toContain('运费共 0.52 千克，图书满 ¥99 免运费¥8.00')
    await payment(bookOf('B', 51))
    await screen.findByText('“口袋书”库存只剩 50 件，请减少数量')
  })

  test('takes another number of a book, as many as there are; the address says how many, and one step leads back', async () => {
    await giveAddress(stage.server, student)
    await open('/store/store_detail/B')
    await userEvent.click(await screen.findByRole('link', { name: '立即购买' }))
    await screen.findByRole('heading', { level: 1, name: '确认订单' })
    await userEvent.type(await screen.findByLabelText('备注（选填）'), '请放门卫')
    const number = within(await screen.findByRole('group', { name: '数量：口袋书' }))
    const more = number.getByRole('button', { name: '增加' })
    await userEvent.click(more)
    expect(more).toBe(document.activeElement)
    await userEvent.click(more)
    await expect.poll(sums).toContain('商品金额¥78.00')
    expect(stage.app?.path()).toBe(`/order/payment/${productsText([bookOf('B', 3)])}`)
    const typed = number.getByRole('textbox', { name: '购买数量' })
    await userEvent.clear(typed)
    await userEvent.type(typed, '80{Enter}')
    await number.findByText('库存只有 50 件')
    await expect.poll(sums).toContain('商品金额¥1300.00')
    expect(screen.getByDisplayValue('请放门卫')).toBeDefined()
    await userEvent.clear(typed)
    await userEvent.type(typed, '2{Enter}')
    await expect.poll(sums).toContain('商品金额¥52.00')
    await tap('返回')
    await expect.poll(() => stage.app?.path()).toBe('/store/store_detail/B')
    await userEvent.click(await screen.findByRole('link', { name: '立即购买' }))
    // Of another number: as the address says.
    await expect.poll(sums).toContain('商品金额¥26.00')
    expect(screen.getByDisplayValue('请放门卫')).toBeDefined()
  })

  test('whose answer was lost is the same order when the page is opened anew, though nothing was typed', async () => {
    await payment(vipOf('V'))
    stage.wire.fault = async ({ path, body }) => {
      if (path !== '/pcapi/order/create') return null
      stage.wire.fault = nobody
      const headers = { authorization: student.token, 'content-type': 'application/x-www-form-urlencoded' }
      await stage.server.app.inject({
        method: 'POST',
        url: path,
        headers,
        payload: new URLSearchParams(body).toString(),
      })
      throw new TypeError('Failed to fetch')
    }
    await tap(/^提交订单/)
    await tap('知道了')
    stage.wire.fault = null
    await payment(vipOf('V'))
    await tap(/^提交订单/)
    await screen.findByRole('heading', { level: 1, name: '待支付' })
    expect(await orders()).toHaveLength(1)
  })

  test('without a network says so and keeps what was typed; a damaged address of it is no page', async () => {
    await payment(vipOf('V'))
    await userEvent.type(await screen.findByLabelText('备注（选填）'), '请开票')
    stage.wire.fault = nobody
    await tap(/^提交订单/)
    await screen.findByText(/^没有连上服务器，填写的内容已保存/)
    await tap('知道了')
    stage.wire.fault = null
    await payment(vipOf('V'))
    expect(await screen.findByDisplayValue('请开票')).toBeDefined()
    expect(await orders()).toEqual([])
    // Lost on its way to the student, and sent again by them: one order.
    stage.wire.fault = async ({ path, body }) => {
      if (path !== '/pcapi/order/create') return null
      stage.wire.fault = nobody
      const headers = { authorization: student.token, 'content-type': 'application/x-www-form-urlencoded' }
      await stage.server.app.inject({
        method: 'POST',
        url: path,
        headers,
        payload: new URLSearchParams(body).toString(),
      })
      throw new TypeError('Failed to fetch')
    }
    await tap(/^提交订单/)
    await tap('知道了')
    await screen.findByText(/^下单和支付需要联网/)
    stage.wire.fault = null
    await tap(/^提交订单/)
    await screen.findByRole('heading', { level: 1, name: '待支付' })
    expect(await orders()).toHaveLength(1)
    await open('/order/payment/vip-V-0')
    await screen.findByText('抱歉，您访问的页面不存在。')
  })
})

describe('订单详情', () => {
  test('waits for the payment and shows it by itself', async () => {
    const { id } = await order(stage.server, student, { products: [vipOf('V')] })
    await open(`/order/order_detail/${id}?pay=sandbox`)
    await screen.findByRole('img', { name: '支付二维码，用手机扫码支付' })
    await atSandbox(stage.server, await begin(stage.server, student, id), 'pay')
    await tap('我已完成支付')
    await screen.findByRole('heading', { level: 1, name: '已完成' })
    await expect.poll(sums).toContain('实付¥19.90')
  })

  test('says that a payment was not found yet, and that one has failed', async () => {
    const { id } = await order(stage.server, student, { products: [vipOf('V')] })
    await open(`/order/order_detail/${id}?pay=sandbox`)
    await screen.findByRole('img', { name: '支付二维码，用手机扫码支付' })
    await tap('我已完成支付')
    await screen.findByText('还没有查到付款')
    screen.getByText(/如果没有付款，订单会保留到剩余时间用完，可以继续支付，也可以在本页取消订单。$/)
    const href = screen.getByRole('link', { name: '在这台电脑上打开支付页面' }).getAttribute('href') ?? ''
    await atSandbox(stage.server, new URL(href).pathname + new URL(href).search, 'fail')
    stage.server.clock.now += 2000
    await tap('我已完成支付')
    await screen.findByText('这次支付没有完成，没有扣款，可以重新支付。')
    screen.getByRole('button', { name: '去支付 ¥19.90' })
    // A reload waits for nothing.
    expect(window.location.search).toBe('')
  })

  test('whose time to pay has just ended is asked about until its result is known', async () => {
    const { id } = await order(stage.server, student, { products: [vipOf('V')] })
    const set = (values: { state?: 'cancelled'; expires_at?: number }) =>
      stage.server.db.updateTable('orders').set(values).where('id', '=', id).execute()
    await set({ expires_at: stage.server.clock.now - 1000 })
    const asked = Promise.withResolvers<void>()
    stage.wire.fault = async (sent, signal) => {
      if (!sent.path.endsWith(contract.order.state.path)) return null
      await asked.promise
      return nobody(sent, signal)
    }
    await open(`/order/order_detail/${id}`)
    await screen.findByText(/^已超过支付时间，正在确认最终结果/)
    asked.resolve()
    await screen.findByText(/^已超过支付时间。现在连不上服务器/)
    await set({ state: 'cancelled' })
    stage.wire.fault = null
    await screen.findByRole('heading', { level: 1, name: '已取消' })
  })

  test('is cancelled after a question, and bought again', async () => {
    const { id } = await order(stage.server, student, { products: [vipOf('V')] })
    await open(`/order/order_detail/${id}`)
    await tap('取消订单')
    const question = within(await screen.findByRole('dialog', { name: '取消订单' }))
    await userEvent.click(question.getByRole('button', { name: '取消订单' }))
    await screen.findByRole('heading', { level: 1, name: '已取消' })
    expect((await detail(stage.server, student, id)).state).toBe('cancelled')
    await userEvent.click(screen.getByRole('link', { name: '再次购买' }))
    await screen.findByRole('heading', { level: 1, name: '确认订单' })
  })

  test('goes from its parcel to its refund, and says why it was declined', async () => {
    await giveAddress(stage.server, student)
    const id = await buy(stage.server, student, { products: [bookOf('B')] })
    const parcel = { carrier: '邮政', number: 'EMS123' }
    await operate(stage.server.db, id, { kind: 'ship', parcel }, stage.server.clock.now)
    await open(`/order/order_detail/${id}`)
    await screen.findByText('EMS123')
    // This browser has no clipboard, as on a page without https: it is shown to be copied by hand.
    await tap('复制单号')
    await screen.findByText('请长按复制单号：EMS123')
    await tap('知道了')
    await tap('确认收货')
    await userEvent.click(
      within(await screen.findByRole('dialog', { name: '确认收货' })).getByRole('button', { name: '已收到' }),
    )
    await screen.findByRole('heading', { level: 1, name: '已完成' })
    expect(screen.getByRole('link', { name: '口袋书' }).getAttribute('href')).toBe('/store/store_detail/B')
    await tap('申请退款')
    const form = within(await screen.findByRole('dialog', { name: '申请退款' }))
    await userEvent.type(form.getByLabelText('退款原因（必填）'), '重复购买')
    await userEvent.click(form.getByRole('button', { name: '提交申请' }))
    await screen.findByRole('heading', { level: 1, name: '退款中' })
    await operate(stage.server.db, id, { kind: 'decline', reason: '已拆封' }, stage.server.clock.now)
    await open(`/order/order_detail/${id}`)
    await screen.findByText(/未同意：已拆封/)
    screen.getByRole('heading', { level: 1, name: '已完成' })
  })

  test('leads to what was bought, and says how much of it goes back where', async () => {
    await topUp(stage.server, student, 500)
    const bought = await buy(stage.server, student, { products: [vipOf('V')], wallet: true })
    await open(`/order/order_detail/${bought}`)
    await userEvent.click(await screen.findByRole('link', { name: '查看会员' }))
    await screen.findByRole('heading', { level: 1, name: '我的会员' })
    await stage.server.call(contract.order.askRefund, { id: bought, reason: '买错了' }, student.token)
    await operate(stage.server.db, bought, { kind: 'approve' }, stage.server.clock.now)
    await settleAll(stage.server)
    await open(`/order/order_detail/${bought}`)
    await screen.findByText(/已同意：¥5\.00 退到钱包，¥[\d.]+ 原路退回/)
  })

  test('says what it has become when it cannot be confirmed as received any more', async () => {
    await giveAddress(stage.server, student)
    const id = await buy(stage.server, student, { products: [bookOf('B')] })
    await operate(
      stage.server.db,
      id,
      { kind: 'ship', parcel: { carrier: '邮政', number: 'EMS1' } },
      stage.server.clock.now,
    )
    await open(`/order/order_detail/${id}`)
    await screen.findByText('EMS1')
    await stage.server.call(contract.order.askRefund, { id, reason: '买错了' }, student.token)
    await tap('确认收货')
    await tap('已收到')
    await screen.findByText('退款处理中，不用确认收货；退款没有通过时可以再确认')
    await tap('知道了')
    await screen.findByRole('heading', { level: 1, name: '退款中' })
    expect(screen.queryByRole('button', { name: '确认收货' })).toBeNull()
  })

  test('of another student is not there', async () => {
    const other = await stage.server.student()
    const { id } = await order(stage.server, other, { products: [vipOf('V')] })
    await open(`/order/order_detail/${id}`)
    await screen.findByText('订单不存在，请到“我的订单”里查看')
  })
})

test('我的订单: by where they stand', async () => {
  await buy(stage.server, student, { products: [vipOf('V')] })
  // Of one moment the number decides, which is chance.
  stage.server.clock.now++
  await order(stage.server, student, { products: [vipOf('V', 'V_month', 2)] })
  await open('/user/my_order')
  const list = async () => within(await screen.findByRole('list', { name: '订单' })).getAllByRole('link')
  expect((await list()).map((each) => each.textContent)).toEqual([
    expect.stringContaining('待支付'),
    expect.stringContaining('已完成'),
  ])
  await tap('已完成')
  await expect.poll(async () => (await list()).length).toBe(1)
  await tap('退款')
  await screen.findByText('还没有订单')
})

describe('我的钱包', () => {
  test('tells what came and went by months, with the way to the order', async () => {
    await topUp(stage.server, student, 5000)
    const { id } = await order(stage.server, student, { products: [vipOf('V')], wallet: true })
    await open('/user/my_wallet')
    await screen.findByText('¥30.10')
    screen.getByText('收入 ¥50.00 · 支出 ¥19.90')
    const rows = within(screen.getByRole('list', { name: '钱包记录' }))
    expect(rows.getByRole('link', { name: /^订单支付：月月会员\d/ }).getAttribute('href')).toBe(
      `/order/order_detail/${id}`,
    )
    expect(rows.getByText('+¥50.00')).toBeDefined()
    await tap('上个月')
    await screen.findByText('这个月没有收支')
    screen.getByText('¥30.10')
    expect(screen.getByRole('button', { name: '下个月' }).hasAttribute('disabled')).toBe(false)
  })

  test('is topped up also while another month cannot be read', async () => {
    await open('/user/my_wallet')
    await screen.findByText('这个月没有收支')
    stage.wire.fault = ({ path }) => (path === '/pcapi/user/myWalletRecord' ? json({}, 500) : null)
    await tap('上个月')
    await tap('充值')
    const sheet = within(await screen.findByRole('dialog', { name: '充值' }))
    expect(sheet.getByRole('radio', { name: /^沙箱支付/ })).toHaveProperty('checked', true)
  })

  test('is topped up by any amount of two decimals, once', async () => {
    await open('/user/my_wallet')
    await tap('充值')
    const sheet = within(await screen.findByRole('dialog', { name: '充值' }))
    await userEvent.click(sheet.getByRole('radio', { name: '其他金额' }))
    const amount = sheet.getByLabelText(/^金额/)
    for (const wrong of ['0.99', '12.345', '5001', 'abc']) {
      await userEvent.clear(amount)
      await userEvent.type(amount, wrong)
      expect(sheet.getByRole('button', { name: '充值' }).hasAttribute('disabled')).toBe(true)
    }
    await userEvent.clear(amount)
    await userEvent.type(amount, '12.3')
    await userEvent.click(sheet.getByRole('button', { name: '充值 ¥12.30' }))
    await sheet.findByRole('img', { name: '支付二维码，用手机扫码支付' })
    const href = sheet.getByRole('link', { name: '在这台电脑上打开支付页面' }).getAttribute('href') ?? ''
    await atSandbox(stage.server, new URL(href).pathname + new URL(href).search, 'pay')
    await userEvent.click(sheet.getByRole('button', { name: '我已完成支付' }))
    await screen.findByText('充值成功，余额 ¥12.30')
    await screen.findByText('¥12.30')
    const month = dateOf(dayOf(stage.server.clock.now)).slice(0, 7)
    expect(await stage.server.call(contract.user.myWalletRecord, { month }, student.token)).toMatchObject({
      balance: 1230,
    })
  })
})
