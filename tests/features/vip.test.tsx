import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { offline } from '#src/offline/index.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { giveVip, packageJson, publishVip, vipJson } from '#tests/support/shop.ts'
import { nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const DAY = 86_400_000
const stage = setScreens(async (server) => {
  server.clock.now = Date.now()
  await publishVip(
    server,
    vipJson(
      packageJson('A', { unlocks: [{ kind: 'set' }, { kind: 'function', title: '自由组卷' }] }),
      packageJson('B', { features: { F_practice: true } }),
    ),
  )
})
const { open } = stage

describe('a VIP package', () => {
  beforeEach(() => prepareDevice())

  test('says what it opens, for how long, what that is a day, and how it compares', async () => {
    await open('/vip/vip_detail/A')
    await screen.findByRole('heading', { level: 1, name: 'A会员' })
    const opens = within(screen.getByRole('region', { name: '开通后可以用' })).getAllByRole('listitem')
    expect(opens.map(({ textContent }) => textContent)).toEqual([
      '全部标有 VIP 的题集（暂未上架，上架后可用）',
      '功能：自由组卷',
    ])
    const month = screen.getByRole('radio', { name: /月卡.*¥19\.90.*30 天.*每天约 ¥0\.66/ })
    expect(month).toHaveProperty('checked', true)
    const buy = screen.getByRole('link', { name: '立即购买' })
    expect(buy.getAttribute('href')).toBe('/order/payment/vip-A-1-A_month')
    await userEvent.click(screen.getByRole('radio', { name: /到考.*¥128\.00.*到考试当天.*未设置考试日期/ }))
    expect(screen.getByText(/^合计/).textContent).toContain('¥128.00')
    expect(screen.getByRole('button', { name: '先设置考试日期' }).matches(':disabled')).toBe(true)
    const table = await screen.findByRole('table', { name: '对比' })
    const rows = within(table)
      .getAllByRole('row')
      .map((row) =>
        [...row.children].map(
          (cell) => cell.querySelector('[role=img]')?.getAttribute('aria-label') ?? cell.textContent,
        ),
      )
    expect(rows).toEqual([
      ['内容', '免费用户', 'A会员', 'B会员'],
      ['章节练习', '有', '没有', '有'],
      ['VIP 题集', '试做10题', '有', '没有'],
    ])
    await userEvent.click(screen.getByRole('button', { name: 'B会员' }))
    await screen.findByRole('heading', { level: 1, name: 'B会员' })
  })

  test('until the exam is as many days as the student has set', async () => {
    const examDay = dayOf(Date.now()) + 99
    await offline.addAll([{ kind: 'setting', payload: { name: 'examDate', value: dateOf(examDay) } }])
    await open('/vip/vip_detail/A')
    expect(await screen.findByRole('radio', { name: /到考试当天，100 天.*每天约 ¥1\.28/ })).toBeTruthy()
  })

  test('without a network, never opened, says so; with what was kept, that prices may be others', async () => {
    stage.wire.fault = nobody
    await open('/vip/vip_detail/A')
    expect((await screen.findByRole('alert')).textContent).toContain('此内容尚未下载，联网后可查看')
    stage.wire.fault = (sent, signal) => (sent.path.endsWith('store/prices') ? nobody(sent, signal) : null)
    await userEvent.click(screen.getByRole('button', { name: '重试' }))
    expect(await screen.findByText('这里是上次看到的价格，价格以联网为准')).toBeTruthy()
  })
})

describe('我的会员', () => {
  test('who has none is told what stays theirs, and what there is', async () => {
    prepareDevice(await stage.server.student())
    await open('/user/my_vip')
    expect(await screen.findByText(/还没有开通会员。错题、笔记、收藏和学习记录不开通也能一直用/)).toBeTruthy()
    await userEvent.click(await screen.findByRole('button', { name: /^A会员.*¥19\.90 起/ }))
    await screen.findByRole('heading', { level: 1, name: 'A会员' })
  })

  test('says until when, warns when that is soon, and keeps what is over', async () => {
    const student = await stage.server.student()
    await giveVip(stage.server, student.uid, 'A', Date.now() + 2.5 * DAY)
    await giveVip(stage.server, student.uid, 'B', Date.now() - DAY)
    prepareDevice(student)
    await open('/user/my_vip')
    const rows = within(await screen.findByRole('list', { name: '我的会员' })).getAllByRole('listitem')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/A会员.*有效期至 .*，还有 3 天到期.*查看与续期/),
      expect.stringMatching(/B会员.*已于 .* 到期.*再次开通/),
    ])
    expect(screen.queryByRole('heading', { name: '可以开通' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '查看 A会员' }))
    expect(await screen.findByText(/^已开通，有效期至 .*，还有 3 天到期/)).toBeTruthy()
  })
})
