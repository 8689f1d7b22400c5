import '#src/features/inbox/InboxSheet.tsx'
import '#src/player/tools/DeviceSettings.tsx'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { reviewsADay } from '#src/domain/study/plan.ts'
import { offline } from '#src/offline/index.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { heardServer } from '#src/offline/device/serverClock.ts'
import { session } from '#src/session/session.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { emptyDevice } from '#tests/support/emptyDevice.ts'
import { giveCoupon, order, vipOf } from '#tests/support/orders.ts'
import type { TestServer } from '#tests/support/server.ts'
import { packageJson, publishVip, vipJson } from '#tests/support/shop.ts'
import { placeIn } from '#tests/support/states.ts'
import { nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const DAY = 86_400_000
let student: Awaited<ReturnType<TestServer['student']>>
const stage = setScreens(async (server) => {
  server.clock.now = Date.now()
  await publishVip(server, vipJson(packageJson('V')))
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 1, perChapter: 30 }))
})
beforeEach(async () => {
  await emptyDevice()
  student = await stage.server.student()
  prepareDevice(student)
  heardServer(stage.server.clock.now)
})
const { open } = stage
/** There is room for the menu beside each page. */
function widen(): void {
  const { matchMedia } = window
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(matchMedia.call(window, query), query.includes('768px') && { matches: true }),
  )
}
const waiting = () =>
  [...screen.getByRole('navigation', { name: '待处理' }).children].map((each) =>
    each.textContent?.replaceAll(/\s+/g, ' '),
  )
const rows = (section: string) =>
  within(screen.getByRole('region', { name: section }))
    .getAllByRole('listitem')
    .map((each) => each.textContent?.replaceAll(/\s+/g, ' '))

/** A sync has brought it so. */
const plantNotice = () =>
  openRecord().run(['things'], 'readwrite', async (tx) => {
    const each = {
      kind: 'notice',
      id: 'L_q1',
      body: { at: Date.now(), version: 2, was: false, right: true, chosen: [] },
    }
    tx.objectStore('things').put({ owner: offline.owner, kind: each.kind, id: each.id, base: each, view: each })
  })
const miss = (questionNo: string) =>
  offline.recordAnswer({
    questionNo,
    response: { kind: 'choice', ids: ['A'] },
    spentMs: 60_000,
    from: 'library',
    version: 1,
    right: false,
    place: placeIn(),
  })

describe('我的 on a phone', () => {
  test('lists learning, then what was bought, then the account, each row leading to its page', async () => {
    await open('/user')
    await screen.findByRole('heading', { level: 1, name: '我的' })
    expect(rows('学习')).toEqual(['错题', '收藏', '笔记', '题集', '课程', '学习统计'])
    expect(rows('订单与权益')).toEqual(['订单', '优惠券', '钱包', '会员', '收货地址'])
    expect(rows('账号与设置')).toEqual([
      '资料',
      '消息',
      '学习计划',
      '设备与数据',
      '平台承诺',
      '用户协议',
      '隐私政策',
      '关于我们',
    ])
    await userEvent.click(within(screen.getByRole('region', { name: '学习' })).getByRole('link', { name: /^课程/ }))
    await expect.poll(() => window.location.pathname).toBe('/user/my_course')
  })

  test('shows who it is, today’s figures and what is waiting, and all of it without a network as well', async () => {
    await miss('L_q1')
    await miss('L_q2')
    await plantNotice()
    await order(stage.server, student, { products: [vipOf('V')] })
    await giveCoupon(stage.server, student, { no: 'C_soon', title: '快到期', until_at: Date.now() + DAY })
    await giveCoupon(stage.server, student, { no: 'C_later', title: '还早', until_at: Date.now() + 30 * DAY })
    const shown = async () => {
      await expect.poll(waiting).toEqual(['0 今日待复习', '1 待支付', '1 券快到期', '1 未读消息'])
      await expect.poll(() => rows('学习')[0]).toBe('错题2 题')
      expect(rows('订单与权益')[1]).toBe('优惠券2 张可用')
      const who = within(screen.getByRole('region', { name: '我' }))
      await who.findByRole('link', { name: /^学员\d{4}/ })
      expect(who.getByRole('link').textContent).toContain('连续 1 天')
      expect(who.getByText('今日答题').nextSibling?.textContent).toBe('2/20 题')
    }
    await open('/user')
    await shown()
    await stage.app?.kept()
    stage.wire.fault = nobody
    await open('/user')
    await shown()
    expect(screen.queryByRole('progressbar')).toBeNull()
  })

  test('counts as 今日待复习 what today’s plan holds, not all that is overdue', async () => {
    await offline.add({ kind: 'setting', payload: { name: 'minutesADay', value: 5 } })
    for (let n = 1; n <= 12; n++) await miss(`L_q${n}`)
    const planned = reviewsADay(
      { minutesADay: 5, mostADay: Infinity },
      { done: 12, mastered: 0, answered: 12, right: 0, spentMs: 12 * 60_000 },
    )
    expect(planned).toBeLessThan(12)
    heardServer(stage.server.clock.now + 5 * DAY)
    await open('/user')
    await expect.poll(() => waiting()[0]).toBe(`${planned} 今日待复习`)
  })

  test('does not count an order whose time to pay has run out, nor what it was never told', async () => {
    stage.wire.fault = (sent) => (/order\/list|coupon\/mine/.test(sent.path) ? nobody(sent, null) : null)
    await open('/user')
    await screen.findByRole('heading', { level: 1, name: '我的' })
    await expect.poll(waiting).toEqual(['0 今日待复习', '— 待支付', '— 券快到期', '0 未读消息'])
    stage.wire.fault = null
    await order(stage.server, student, { products: [vipOf('V')] })
    await miss('L_q1')
    heardServer(stage.server.clock.now + DAY)
    await open('/user')
    await expect.poll(() => waiting().slice(0, 2)).toEqual(['1 今日待复习', '0 待支付'])
  })

  test('opens messages and statistics where it stands', async () => {
    await open('/user')
    const account = within(await screen.findByRole('region', { name: '账号与设置' }))
    await userEvent.click(account.getByRole('button', { name: '消息' }))
    const inbox = within(await screen.findByRole('dialog', { name: '消息' }))
    await userEvent.click(inbox.getByRole('button', { name: '关闭' }))
    await userEvent.click(screen.getByRole('button', { name: '学习统计' }))
    await screen.findByRole('dialog', { name: '学习统计' })
  })

  test('has a row for logging in when the login has expired', async () => {
    session.expire(student.token)
    await open('/user')
    await userEvent.click(
      within(await screen.findByRole('region', { name: '我' })).getByRole('button', { name: /^登录/ }),
    )
    await screen.findByRole('dialog', { name: '登录' })
  })

  test.each(['/user/my_error', '/user/my_order', '/user/my_userinfo', '/device'])(
    '%s has the way back to it',
    async (path) => {
      await open(path)
      await userEvent.click(within(screen.getByRole('main')).getByRole('link', { name: '我的' }))
      await screen.findByRole('heading', { level: 1, name: '我的' })
      expect(window.location.pathname).toBe('/user')
    },
  )
})

describe('我的 where there is room for the menu', () => {
  test('leads to a student’s courses, with the menu in the same order', async () => {
    widen()
    await open('/user')
    await expect.poll(() => window.location.pathname).toBe('/user/my_course')
    const menu = within(screen.getByRole('navigation', { name: '个人中心' })).getAllByRole('link')
    expect(menu.map(({ textContent }) => textContent)).toEqual([
      '我的错题',
      '我的收藏',
      '我的笔记',
      '我的题集',
      '我的课程',
      '我的订单',
      '我的优惠券',
      '我的钱包',
      '我的会员',
      '收货地址',
      '我的资料',
    ])
  })
})

describe('设备与数据', () => {
  test('is open to a visitor, who finds settings, storage, statistics and the way to log in', async () => {
    prepareDevice()
    await open('/')
    await userEvent.click(within(screen.getByRole('contentinfo')).getByRole('link', { name: '设备与数据' }))
    await screen.findByRole('heading', { level: 1, name: '设备与数据' })
    await screen.findByRole('group', { name: '字号' })
    await screen.findByRole('region', { name: '存储空间' })
    await screen.findByRole('button', { name: '学习统计' })
    expect(within(screen.getByRole('main')).queryByRole('link', { name: '我的' })).toBeNull()
    await userEvent.click(within(screen.getByRole('region', { name: '登录' })).getByRole('button', { name: '登录' }))
    await screen.findByRole('dialog', { name: '登录' })
  })
})
