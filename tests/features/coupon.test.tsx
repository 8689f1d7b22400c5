import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { codeText } from '#src/domain/money/couponCode.ts'
import { putAway } from '#tests/support/notice.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { makeCode } from '#tests/support/coupons.ts'
import { giveCoupon, order, vipOf } from '#tests/support/orders.ts'
import type { TestServer } from '#tests/support/server.ts'
import { packageJson, publishVip, vipJson } from '#tests/support/shop.ts'
import { nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const DAY = 86_400_000
const stage = setScreens(async (server) => {
  server.clock.now = Date.now()
  await publishVip(server, vipJson(packageJson('V')))
})
type Student = Awaited<ReturnType<TestServer['student']>>
async function open(student: Student) {
  prepareDevice(student)
  await stage.open('/user/my_coupon')
}
const tickets = async () =>
  within(await screen.findByRole('list', { name: '优惠券' }))
    .getAllByRole('article')
    .map((each) => each.textContent)
const tab = (name: RegExp) => userEvent.click(screen.getByRole('button', { name }))
const code = () => screen.getByLabelText<HTMLInputElement>('兑换码')
const redeem = async (typed: string) => {
  await userEvent.clear(code())
  await userEvent.type(code(), typed)
  await userEvent.click(screen.getByRole('button', { name: '兑换' }))
}

describe('我的优惠券', () => {
  test('stand by what can be done with them, each with its terms in words and the way to use it', async () => {
    const student = await stage.server.student()
    await giveCoupon(stage.server, student, {
      no: 'C_vip',
      title: '会员九折',
      off_kind: 'percent',
      off_value: 10,
      off_most: 2000,
      kinds: ['vip'],
    })
    await giveCoupon(stage.server, student, {
      no: 'C_book',
      title: '图书满减',
      threshold: 6000,
      kinds: ['book'],
      until_at: Date.UTC(2031, 0, 1),
    })
    await giveCoupon(stage.server, student, { no: 'C_old', title: '旧券', until_at: Date.now() - DAY })
    await open(student)
    expect(await tickets()).toEqual([
      expect.stringMatching(/^9折无门槛，最多减 20 元会员九折限会员有效期至 2030年1月1日去使用$/),
      expect.stringMatching(/^10元满 60 元可用图书满减限图书有效期至 2031年1月1日去使用$/),
    ])
    expect(screen.getAllByRole('link', { name: '去使用' }).map((link) => link.getAttribute('href'))).toEqual([
      '/user/my_vip',
      '/store/store_list',
    ])
    await tab(/^过期\s*1/)
    expect(await tickets()).toEqual([expect.stringMatching(/旧券全部商品已于 .* 到期已过期$/)])
    await tab(/^已用\s*0/)
    expect(await screen.findByText('没有用过的优惠券')).toBeTruthy()
  })

  test('a used one leads to its order', async () => {
    const student = await stage.server.student()
    await giveCoupon(stage.server, student)
    const { id } = await order(stage.server, student, { products: [vipOf('V')] })
    await open(student)
    expect(await screen.findByText('没有可用的优惠券')).toBeTruthy()
    await tab(/^已用\s*1/)
    const link = await screen.findByRole('link', { name: '查看订单' })
    expect(link.getAttribute('href')).toBe(`/order/order_detail/${id}`)
  })

  test('without a network say so, and come with it', async () => {
    const student = await stage.server.student()
    await giveCoupon(stage.server, student)
    stage.wire.fault = (sent, signal) => (sent.path.includes('/coupon/') ? nobody(sent, signal) : null)
    await open(student)
    expect((await screen.findByRole('alert')).textContent).toContain('优惠券需要联网查看')
    stage.wire.fault = null
    await userEvent.click(screen.getByRole('button', { name: '重试' }))
    expect(await tickets()).toHaveLength(1)
  })
})

describe('a code', () => {
  test('mistyped is told at once, without asking the server; right, it becomes a coupon', async () => {
    const student = await stage.server.student()
    await giveCoupon(stage.server, student)
    await open(student)
    const made = codeText(await makeCode(stage.server, { coupon: 'C_half' }))
    await tickets()
    await tab(/^过期/)
    const asked = () => stage.wire.sent.filter(({ path }) => path.endsWith('coupon/redeem')).length
    await redeem(made.slice(0, -1))
    expect(await screen.findByText('兑换码输入有误，请对照原文检查')).toBeTruthy()
    expect(code().getAttribute('aria-invalid')).toBe('true')
    expect(asked()).toBe(0)
    await redeem(made.toLowerCase())
    expect(await screen.findByText(/^兑换成功：“新人立减”已放入可用优惠券，有效期至/)).toBeTruthy()
    expect(code().value).toBe('')
    await expect.poll(async () => (await tickets()).length).toBe(2)
  })

  test('from a book opens VIP, and the way to it', async () => {
    await open(await stage.server.student())
    expect(await screen.findByText(/图书附的激活码都在这里兑换/)).toBeTruthy()
    await redeem(await makeCode(stage.server, { duration: 'V_month', days: 30 }))
    expect(await screen.findByText(/^激活成功：“V会员”已开通，有效期至/)).toBeTruthy()
    expect(screen.getByRole('link', { name: '查看我的会员' }).getAttribute('href')).toBe('/user/my_vip')
  })

  test('that cannot be sent, or is refused, stays typed', async () => {
    await open(await stage.server.student())
    await screen.findByText('没有可用的优惠券')
    stage.wire.fault = nobody
    await redeem('junkao2099')
    await screen.findByText('当前没有网络，这项操作需要联网后再试。')
    await expect.poll(() => document.activeElement).toBe(code())
    expect(code().value).toBe('JUNKAO2099')
    const again = await screen.findByRole('button', { name: '重试' })
    stage.wire.fault = null
    await userEvent.click(again)
    await expect.poll(() => screen.queryByText(/^离线/)).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '兑换' }))
    await putAway('兑换码不存在或已被使用，请对照原文检查')
    expect(screen.getByText('兑换码不存在或已被使用，请对照原文检查')).toBeTruthy()
    await expect.poll(() => document.activeElement).toBe(code())
    expect([code().value, code().getAttribute('aria-invalid')]).toEqual(['JUNKAO2099', 'true'])
  })
})
