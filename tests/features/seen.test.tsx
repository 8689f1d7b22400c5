import '#src/features/address/AddressPage.tsx'
import '#src/features/coupon/CouponPage.tsx'
import '#src/features/order/MyOrderPage.tsx'
import '#src/features/order/OrderPage.tsx'
import '#src/features/order/CheckoutPage.tsx'
import '#src/features/wallet/WalletPage.tsx'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { onlineManager } from '@tanstack/react-query'
import { keys, values } from 'idb-keyval'
import { beforeEach, describe, expect, test } from 'vitest'
import { operate } from '#server/order/operator.ts'
import { productsText } from '#src/domain/money/products.ts'
import { cacheStore } from '#src/offline/device/cacheStore.ts'
import { purgeCaches } from '#src/offline/device/storage.ts'
import { session } from '#src/session/session.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { bookOf, buy, giveAddress, giveCoupon, order, topUp, vipOf } from '#tests/support/orders.ts'
import type { TestServer } from '#tests/support/server.ts'
import { bookJson, booksJson, packageJson, publishBooks, publishVip, vipJson } from '#tests/support/shop.ts'
import { json, nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

let student: Awaited<ReturnType<TestServer['student']>>
const stage = setScreens(async (server) => {
  server.clock.now = Date.now()
  await publishVip(server, vipJson(packageJson('V', { title: '月月会员' })))
  await publishBooks(server, booksJson(bookJson('B', 50, { title: '口袋书' })))
})
beforeEach(async () => {
  student = await stage.server.student()
  prepareDevice(student)
})

/** As a browser that was started anew. */
const { open } = stage
const kept = async (): Promise<string> => (await keys<string>(cacheStore(session.owner()))).join('\n')
const keptText = async (): Promise<string> => JSON.stringify(await values(cacheStore(session.owner())))
/** Looks at a screen with a network, until the device has kept it. */
const look = async (path: string, text: string | RegExp, call: string) => {
  await open(path)
  await screen.findAllByText(text)
  await expect.poll(kept).toContain(call)
}
const OLD = /^离线，以下是 \d+月\d+日 \d\d:\d\d 的内容；.*需要联网$/
const button = (name: string | RegExp) => screen.findByRole<HTMLButtonElement>('button', { name })
const held = async (name: string | RegExp) => {
  const found = await button(name)
  const why = document.getElementById(found.getAttribute('aria-describedby') ?? '')
  return found.disabled && why?.textContent
}

describe('an order that was looked at once', () => {
  test('is there without a network, says when that was, and lets nothing be done; with one it is as it is now', async () => {
    const { id } = await order(stage.server, student, { products: [vipOf('V')] })
    const path = `/order/order_detail/${id}`
    await look(path, '月月会员', 'order/detail')
    stage.wire.fault = nobody
    await open(`${path}?pay=sandbox`)
    await screen.findByRole('heading', { level: 1, name: '待支付' })
    await screen.findByText(OLD)
    expect(await held('去支付 ¥19.90')).toMatch(OLD)
    expect(await held('取消订单')).toMatch(OLD)
    // A payment that was under way is not asked about over a dead line: nobody is told of a failure they did not cause.
    expect(screen.queryByRole('dialog')).toBeNull()
    await stage.server.db.updateTable('orders').set({ state: 'cancelled' }).where('id', '=', id).execute()
    stage.wire.fault = null
    onlineManager.setOnline(false)
    onlineManager.setOnline(true)
    await screen.findByRole('heading', { level: 1, name: '已取消' })
    await expect.poll(() => screen.queryByText(OLD)).toBeNull()
    screen.getByRole('link', { name: '再次购买' })
  })

  test('keeps what was done with it, and holds what could be done next', async () => {
    await giveAddress(stage.server, student)
    const id = await buy(stage.server, student, { products: [bookOf('B')] })
    await operate(
      stage.server.db,
      id,
      { kind: 'ship', parcel: { carrier: '邮政', number: 'EMS123' } },
      stage.server.clock.now,
    )
    const path = `/order/order_detail/${id}`
    await look(path, 'EMS123', 'order/detail')
    await userEvent.click(await button('申请退款'))
    await userEvent.type(await screen.findByLabelText('退款原因（必填）'), '重复购买')
    await userEvent.click(await button('提交申请'))
    await screen.findByRole('heading', { level: 1, name: '退款中' })
    // The answer of asking anew is what is kept, a moment later.
    const asked = () => stage.wire.sent.filter(({ path: each }) => each === '/pcapi/order/detail').length
    await expect.poll(asked).toBe(2)
    await expect.poll(() => stage.app?.queryClient.isFetching()).toBe(0)
    await expect.poll(keptText).toContain('refunding')
    stage.wire.fault = nobody
    await open(path)
    await screen.findByText(OLD)
    screen.getByRole('heading', { level: 1, name: '退款中' })
    screen.getByText('EMS123')
    expect((await button('复制单号')).disabled).toBe(false)
  })

  test('holds 确认收货, 申请退款 and 再次购买', async () => {
    await giveAddress(stage.server, student)
    const shipped = await buy(stage.server, student, { products: [bookOf('B')] })
    await operate(
      stage.server.db,
      shipped,
      { kind: 'ship', parcel: { carrier: '邮政', number: 'E1' } },
      stage.server.clock.now,
    )
    const done = await buy(stage.server, student, { products: [vipOf('V')] })
    await look(`/order/order_detail/${shipped}`, '确认收货', 'order/detail')
    await look(`/order/order_detail/${done}`, '再次购买', done)
    stage.wire.fault = nobody
    await open(`/order/order_detail/${shipped}`)
    // The line turns out to be dead a moment after what was kept is shown.
    await screen.findByText(OLD)
    expect(await held('确认收货')).toMatch(OLD)
    expect(await held('申请退款')).toMatch(OLD)
    await open(`/order/order_detail/${done}`)
    await screen.findByText(OLD)
    expect(await held('再次购买')).toMatch(OLD)
  })

  test('says that it is old where the server fails, too', async () => {
    const { id } = await order(stage.server, student, { products: [vipOf('V')] })
    await look(`/order/order_detail/${id}`, '月月会员', 'order/detail')
    stage.wire.fault = () => json({}, 500)
    await open(`/order/order_detail/${id}`)
    await screen.findByText(/^服务器开小差了，以下是 /)
  })

  test('is told whatever the student has turned to since', async () => {
    const { id } = await order(stage.server, student, { products: [vipOf('V')] })
    await look(`/order/order_detail/${id}`, '月月会员', 'order/detail')
    session.setChoice({ key: '43', name: '湖南' }, { key: 'wz', name: '文职' })
    stage.wire.fault = nobody
    await open(`/order/order_detail/${id}`)
    await screen.findByText('月月会员')
    await screen.findByText(OLD)
  })
})

test('a balance of another time is said to be one in every month, and is not topped up', async () => {
  await topUp(stage.server, student, 5000)
  await look('/user/my_wallet', '¥50.00', 'user/myWalletRecord')
  stage.wire.fault = nobody
  await open('/user/my_wallet')
  await screen.findByText(OLD)
  await userEvent.click(await button('上个月'))
  await screen.findByText(/^这个月的记录需要联网查看/)
  screen.getByText('¥50.00')
  expect(await held('充值')).toMatch(OLD)
})

describe('what was looked at once', () => {
  test.each<[string, string | RegExp, string, string, string[]]>([
    ['/user/my_order', '月月会员', 'order/list', '订单需要联网查看', []],
    ['/user/my_wallet', '¥30.10', 'user/myWalletRecord', '钱包余额和记录需要联网查看', ['充值']],
    ['/user/my_coupon', '新人立减', 'coupon/mine', '优惠券需要联网查看', ['兑换']],
    ['/user/my_address', /德雅路109号/, 'user/myAddress', '收货地址需要联网查看', ['删除']],
  ])('%s is there without a network; nothing of it after a logout, and for nobody else', async (...row) => {
    const [path, text, call, away, acts] = row
    await topUp(stage.server, student, 5000)
    await order(stage.server, student, { products: [vipOf('V')], wallet: true })
    await giveCoupon(stage.server, student)
    await giveAddress(stage.server, student)
    await look(path, text, call)
    stage.wire.fault = nobody
    await open(path)
    await screen.findByText(OLD)
    expect(screen.getAllByText(text).length).toBeGreaterThan(0)
    expect(await Promise.all(acts.map(held))).toEqual(acts.map(() => expect.stringMatching(OLD)))

    // Whose token the server has ended may not look at it any more.
    const { token } = session.get()
    session.expire(token)
    await open(path)
    await screen.findByText(new RegExp(`^${away}`))
    expect(screen.queryByText(text)).toBeNull()
    session.login(token, student.uid)

    const owner = session.owner()
    // As offline.logout() does; the engine of this page began as a visitor's.
    await purgeCaches(owner, Date.now())
    stage.close()
    await expect
      .poll(async () => (await indexedDB.databases()).map(({ name }) => name))
      .not.toContain(`jk-cache:${owner}`)
    const rest = JSON.stringify(localStorage) + JSON.stringify(sessionStorage)
    expect(rest).not.toMatch(/月月会员|新人立减|德雅路|王小兵/)
    prepareDevice({ ...(await stage.server.student()) })
    await open(path)
    await screen.findByText(new RegExp(`^${away}`))
    expect(screen.queryByText(text)).toBeNull()
  })
})

describe('what a student has just changed', () => {
  test('an address saved from the payment page is on the address page without a network, and so is its removal', async () => {
    await look('/user/my_address', '还没有收货地址', 'user/myAddress')
    await open(`/order/payment/${productsText([bookOf('B')])}`)
    await userEvent.click(await button(/^填写收货地址/))
    await userEvent.click(await button('新增收货地址'))
    await expect.poll(async () => (await button(/^省市区/)).disabled).toBe(false)
    await userEvent.type(await screen.findByLabelText('粘贴识别'), '李小四 13900002222 广东省深圳市南山区科苑路15号')
    await userEvent.click(await button('识别并填写'))
    await screen.findByText('已填好，请核对')
    // The network goes right after the server's answer: nothing can be asked for anew.
    stage.wire.fault = ({ path }) => (path === '/pcapi/user/saveAddress' ? null : Promise.reject(new TypeError('gone')))
    await userEvent.click(await button('保存'))
    await expect.poll(keptText).toContain('科苑路15号')
    stage.wire.fault = nobody
    await open('/user/my_address')
    await screen.findByText(OLD)
    await screen.findByText(/科苑路15号/)

    stage.wire.fault = null
    await open('/user/my_address')
    await expect.poll(async () => (await button('删除')).disabled).toBe(false)
    stage.wire.fault = ({ path }) => (path === '/pcapi/user/delAddress' ? null : Promise.reject(new TypeError('gone')))
    await userEvent.click(await button('删除'))
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '删除' }))
    await expect.poll(keptText).not.toContain('科苑路15号')
    stage.wire.fault = nobody
    await open('/user/my_address')
    await screen.findByText('还没有收货地址')
  })

  test('an order cancelled right before the network goes is cancelled without one', async () => {
    const { id } = await order(stage.server, student, { products: [vipOf('V')] })
    await look(`/order/order_detail/${id}`, '月月会员', 'order/detail')
    stage.wire.fault = ({ path }) => (path === '/pcapi/order/cancel' ? null : Promise.reject(new TypeError('gone')))
    await userEvent.click(await button('取消订单'))
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '取消订单' }))
    await screen.findByRole('heading', { level: 1, name: '已取消' })
    await expect.poll(keptText).toMatch(/state\W+cancelled/)
    await open(`/order/order_detail/${id}`)
    await screen.findByText(OLD)
    screen.getByRole('heading', { level: 1, name: '已取消' })
  })
})
