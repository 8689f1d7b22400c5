import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { heardServer } from '#src/offline/device/serverClock.ts'
import { countdownText, windowText } from '#src/features/exam/texts.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { tap } from '#tests/support/tap.ts'
import { nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
/** As a file says it, in Beijing. */
const time = (at: number) => new Date(at + 8 * HOUR).toISOString().slice(0, 16).replace('T', ' ')
const held = (no: string, from: number, to: number) => ({
  ...examJson({ no, paper: [['X_q1', 'X_q2']] }),
  startsAt: time(Date.now() + from),
  endsAt: time(Date.now() + to),
})

let comingAt = 0
const stage = setScreens(async (server) => {
  server.clock.now = Date.now()
  const { questions, ...bank } = bankJson({ prefix: 'X', chapters: 1, perChapter: 4 })
  const mixed = questions.map((each) => (each.no === 'X_q3' ? { ...each, type: 'multiple', answer: 'AB' } : each))
  await importBank(server.db, server.mediaDir, { ...bank, questions: mixed })
  await publishExam(server.db, examJson({ no: 'ALWAYS', paper: [['X_q1', 'X_q2'], ['X_q3']] }))
  await publishExam(server.db, held('OVER', -3 * HOUR, -HOUR))
  // Files say times by the minute.
  comingAt = Math.floor((Date.now() + HOUR) / MINUTE) * MINUTE
  await publishExam(server.db, { ...held('COMING', HOUR, 3 * HOUR), startsAt: time(comingAt) })
  await publishExam(server.db, held('RUNNING', -HOUR, HOUR))
  await publishExam(server.db, { ...examJson({ no: 'PAID', paper: [['X_q1']] }), price: 990, vip: true, kind: 'past' })
})

const { open } = stage
const cards = async () =>
  (await screen.findAllByRole('button', { name: /满分/ })).map((card) => card.querySelector('strong')?.textContent)

describe('the list of exams', () => {
  beforeEach(() => prepareDevice())

  test('says what matters most first, and goes by what can be done with each', async () => {
    await open('/exam/exam_list')
    expect(await cards()).toEqual(['RUNNING 模考', 'ALWAYS 模考', 'PAID 模考', 'COMING 模考', 'OVER 模考'])
    expect(screen.getByRole('button', { name: /PAID/ }).textContent).toMatch(
      /真题.*¥9\.90.*进行中.*VIP.*未解锁.*随时可考/,
    )
    expect(screen.queryByText(/人报名/), 'nobody has applied yet').toBeNull()
    await tap('可报名')
    expect(await cards()).toEqual(['RUNNING 模考', 'ALWAYS 模考', 'PAID 模考', 'COMING 模考'])
    await tap('进行中')
    expect(await cards()).toEqual(['RUNNING 模考', 'ALWAYS 模考', 'PAID 模考'])
    await tap('已结束')
    expect(await cards()).toEqual(['OVER 模考'])
    await tap('我的')
    expect(screen.getByText(/还没有报名/)).toBeTruthy()
    expect(screen.getByRole('button', { name: '我的' }).getAttribute('aria-pressed')).toBe('true')
  })

  test('moves an exam on when its time comes', async () => {
    await open('/exam/exam_list')
    await tap('进行中')
    expect(await cards()).not.toContain('COMING 模考')
    heardServer(Date.now() + 2 * HOUR)
    await expect.poll(cards).toContain('COMING 模考')
    expect(await cards()).not.toContain('RUNNING 模考')
  })

  test('without a network, never opened, says so and can be tried again', async () => {
    stage.wire.fault = nobody
    await open('/exam/exam_list')
    expect((await screen.findByRole('alert')).textContent).toContain('此内容尚未下载，联网后可查看')
    stage.wire.fault = null
    await tap('重试')
    expect(await cards()).toContain('ALWAYS 模考')
  })
})

describe('an exam', () => {
  test('says nothing of multiple choice where its paper has none', async () => {
    prepareDevice()
    await open('/exam/exam_detail/PAID')
    await screen.findByText('题量与满分')
    expect(screen.queryByText('判分规则')).toBeNull()
  })
  test('says its time, rules and sections, and asks a visitor to log in', async () => {
    prepareDevice()
    await open('/exam/exam_list')
    await tap(/ALWAYS 模考/)
    await screen.findByRole('heading', { level: 1, name: 'ALWAYS 模考' })
    const facts = (name: string) => screen.getByText(name).nextElementSibling?.textContent
    expect(facts('考试时间')).toBe('随时可考')
    expect(facts('考试时长')).toBe('60 分钟')
    expect(facts('题量与满分')).toBe('3 题，1.5 分')
    expect(facts('判分规则')).toBe('多选题少选得一半，错选不得分')
    expect(screen.queryByText('已报名')).toBeNull()
    const sections = within(screen.getByRole('region', { name: '试卷结构' })).getAllByRole('listitem')
    expect(sections.map((each) => each.textContent)).toEqual([
      '第1大题每小题 0.5 分2 题 · 1 分',
      '第2大题每小题 0.5 分1 题 · 0.5 分',
    ])
    await tap('登录后报名')
    expect(await screen.findByRole('dialog', { name: '登录' })).toBeTruthy()
  })

  test('is applied for once, waits with a countdown, and opens when its time comes', async () => {
    prepareDevice(await stage.server.student())
    await open('/exam/exam_detail/COMING')
    await tap('报名')
    const entry = await screen.findByRole('button', { name: '已报名，等待开考' })
    expect(document.activeElement?.contains(entry)).toBe(true)
    expect(document.activeElement).not.toBe(document.body)
    expect(entry).toHaveProperty('disabled', true)
    const left = comingAt - Date.now()
    const said = [0, 1, 2].map((seconds) => `距开考${countdownText(left + seconds * 1_000)}`)
    expect(said).toContain(screen.getByRole('timer').textContent)
    expect(screen.getByText('已报名', { selector: 'dt' }).nextElementSibling?.textContent).toBe('1 人')
    heardServer(Date.now() + HOUR + MINUTE)
    expect(await screen.findByRole('button', { name: '进入考试' })).toHaveProperty('disabled', false)
    expect(screen.getByRole('timer').textContent).toMatch(/^距结束1 小时 \d+ 分$/)
    await tap('全部考试')
    await tap('我的')
    expect(await cards()).toEqual(['COMING 模考'])
  })

  test('cannot be applied for without a network, which is said, and then can', async () => {
    prepareDevice(await stage.server.student())
    await open('/exam/exam_detail/RUNNING')
    await screen.findByRole('button', { name: '报名' })
    stage.wire.fault = nobody
    await tap('报名')
    await screen.findByText('当前没有网络，这项操作需要联网后再试。')
    expect(await stage.server.call(contract.exam.detail, { no: 'RUNNING' })).toMatchObject({ applyCount: 0 })
    stage.wire.fault = null
    await tap('报名')
    expect(await screen.findByRole('button', { name: '进入考试' })).toBeTruthy()
  })

  test('that is sold says what it costs, and one that is over takes nobody any more', async () => {
    prepareDevice(await stage.server.student())
    await open('/exam/exam_detail/PAID')
    expect((await screen.findByText('¥9.90', { selector: 'b' })).closest('p')?.textContent).toBe('报名 ¥9.90VIP 可用')
    expect(screen.getByRole('link', { name: '立即购买' }).getAttribute('href')).toBe('/order/payment/exam-PAID-1')
    expect(screen.queryByRole('button', { name: '报名' })).toBeNull()
    await open('/exam/exam_detail/OVER')
    expect(await screen.findByText('考试已结束，不能再报名。')).toBeTruthy()
    expect(screen.queryByRole('button', { name: '报名' })).toBeNull()
  })

  test('that does not exist says so, with a way back', async () => {
    prepareDevice()
    await open('/exam/exam_detail/NONE')
    expect((await screen.findByRole('alert')).textContent).toContain('考试不存在或已下架，请返回看看其他考试')
  })
})

test('times are told in the two largest units', () => {
  expect([0, 999, 59_001, MINUTE, 61_000, HOUR, 25 * HOUR, 49 * HOUR + 5 * MINUTE].map(countdownText)).toEqual([
    '0 分 0 秒',
    '0 分 1 秒',
    '1 分 0 秒',
    '1 分 0 秒',
    '1 分 1 秒',
    '1 小时 0 分',
    '1 天 1 小时',
    '2 天 1 小时',
  ])
})

test('a window within a day is told by one date, and of one that began days ago only the end', () => {
  const from = Date.parse('2099-05-16T01:00:00Z')
  const [day, days] = [
    { from, to: from + 3 * HOUR },
    { from, to: from + 48 * HOUR },
  ]
  expect(windowText(day, from + HOUR)).toBe('2099年5月16日 09:00–12:00')
  const both = '2099年5月16日 09:00 至 2099年5月18日 09:00'
  expect([-HOUR, HOUR, 15 * HOUR, 48 * HOUR].map((after) => windowText(days, from + after))).toEqual([
    both,
    both,
    '即日起至 2099年5月18日 09:00',
    both,
  ])
  expect(windowText(null, from)).toBe('随时可考')
})
