import { screen, within } from '@testing-library/react'
import { clear } from 'idb-keyval'
import { userEvent } from '@testing-library/user-event'
import { beforeAll, describe, expect, test } from 'vitest'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { heardServer, serverNow } from '#src/offline/device/serverClock.ts'
import { cacheStore } from '#src/offline/device/cacheStore.ts'
import { keepDailyDone } from '#src/offline/record/daily.ts'
import { offline } from '#src/offline/index.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { newsJson, publishNews } from '#tests/support/news.ts'
import { placeIn } from '#tests/support/states.ts'
import { setScreens } from '#tests/support/screens.ts'

const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 1, perChapter: 9 }))
})

// The engine of these tests is a visitor's; its record grows from test to test.
const answer = (n: number, right: boolean) =>
  offline.recordAnswer({
    questionNo: `L_q${n}`,
    response: { kind: 'choice', ids: [right ? 'B' : 'A'] },
    spentMs: 60_000,
    from: 'library',
    version: 1,
    place: placeIn(),
    right,
  })
const open = async (path = '/') => await stage.open(path)
const panel = async () => within(await screen.findByRole('region', { name: '今日学习' }))
/** The row of 今日任务 that tells of 每日一练. */
const daily = async () =>
  within(await screen.findByRole('region', { name: '今日任务' })).getAllByRole('listitem')[1]?.textContent
const dialog = async () => within(await screen.findByRole('dialog', { name: '学习统计' }))

describe('a visitor who has not studied', () => {
  test('sees on the home page what the product does, and no panel', async () => {
    await open()
    await screen.findByText('断网照常做题')
    expect(screen.queryByRole('region', { name: '今日学习' })).toBeNull()
  })
  test('is told in 学习统计 what will be there and what to do first', async () => {
    await open('/question/library')
    await userEvent.click(await screen.findByRole('button', { name: '学习统计' }))
    expect(await (await dialog()).findByRole('heading', { name: '还没有学习记录' })).toBeTruthy()
    expect((await dialog()).getByRole('link', { name: '去做第一组题' })).toBeTruthy()
  })
})

describe('whoever has studied', () => {
  beforeAll(async () => {
    for (let n = 1; n <= 6; n++) await answer(n, n > 2)
  })
  test('sees the day on the home page, and it follows each answer', async () => {
    await open()
    const today = await panel()
    expect(await today.findByText('再做 14 题，达成今日目标。')).toBeTruthy()
    expect(today.getByText('67%')).toBeTruthy()
    await answer(7, true)
    expect(await today.findByText('再做 13 题，达成今日目标。')).toBeTruthy()
    expect(today.getByText('71%')).toBeTruthy()
  })
  test('has 每日一练 of the day’s library in 今日任务, and sees that it is done', async () => {
    await open()
    await expect.poll(daily).toMatch(/^每日一练L 章节题库9 题 · \d+ 分钟$/)
    await offline.add({ kind: 'setting', payload: { name: 'dailyDone', value: dayOf(Date.now()) } })
    await expect.poll(daily).toBe('每日一练L 章节题库已完成')
  })
  test('is not told that 每日一练 is done when it was another library’s', async () => {
    const today = dayOf(Date.now())
    await keepDailyDone(offline, today, 'another')
    await open()
    await expect.poll(daily).toMatch(/9 题 · \d+ 分钟$/)
    stage.close()
    await keepDailyDone(offline, today, 'L')
    await open()
    await expect.poll(daily).toBe('每日一练L 章节题库已完成')
  })
  test('goes on with the chapter of the last time, after a new start too', async () => {
    await open('/question/library_study/L_c1/20/%E7%AC%AC1%E7%AB%A0')
    await screen.findAllByText(/第1章/)
    await expect.poll(() => localStorage.getItem('jk-last:anon')).toBe('L_c1/20/第1章')
    stage.close()
    await open()
    const link = await screen.findByRole('link', { name: '继续学习 第1章' })
    expect(decodeURI(link.getAttribute('href') ?? '')).toBe('/question/library_study/L_c1/20/第1章')
  })
  test('reads each chart as a table: the week, days, reviews', async () => {
    await open()
    await userEvent.click(await (await panel()).findByRole('button', { name: '学习统计' }))
    const stats = await dialog()
    expect((await stats.findByRole('table', { name: '最近五周每天的答题数' })).textContent).toContain('7题')
    expect(stats.queryByRole('cell', { name: /达成目标/ })).toBeNull()
    expect(stats.getByRole('heading', { name: '最近 7 天学了 1 天，共 7 分钟，正确率 71%' })).toBeTruthy()
    const week = stats.getByRole('table', { name: '最近 7 天每天的答题用时与正确率' })
    expect(week.textContent).toContain('7 分钟7 题71%')
    expect(within(week).getAllByRole('cell', { name: '没有学习' })).toHaveLength(6)
    const daily = stats.getByRole('table', { name: '最近 30 天每天的答题数与正确率' })
    expect(daily.textContent).toContain('7 题71%7 分钟')
    expect(stats.getByRole('table', { name: '接下来 14 天每天复习的题数' })).toBeTruthy()
  })
  test('has one table of how things stand, by library, by chapter or by point', async () => {
    await open()
    await userEvent.click(await (await panel()).findByRole('button', { name: '学习统计' }))
    const stats = await dialog()
    expect(await stats.findByRole('row', { name: /^L 章节题库\s*7 次作答\s+71%\s+71%\s+7 分钟$/ })).toBeTruthy()
    expect(stats.queryByRole('row', { name: /^军史/ })).toBeNull()
    // Its columns are explained where they stand.
    expect(stats.getByText(/^正确率按全部作答算；掌握是做过的题里最近一次答对的比例/)).toBeTruthy()
    await userEvent.click(stats.getByRole('button', { name: '章节' }))
    expect(await stats.findByRole('row', { name: /^第1章\s*7 次作答/ })).toBeTruthy()
    await userEvent.click(stats.getByRole('button', { name: '知识点' }))
    expect(await stats.findByRole('row', { name: /^军史\s*7 次作答/ })).toBeTruthy()
    expect(stats.queryByRole('row', { name: /^第1章/ })).toBeNull()
  })
  test('takes the expected exam date with one tap, which leaves what else was typed as it is', async () => {
    const exam = {
      no: 'E1',
      kind: 'exam' as const,
      source: '本站预计',
      note: '以当年官方公告为准',
      title: '笔试（预计）',
    }
    const from = '2047-06-05'
    await publishNews(stage.server, newsJson({ calendar: [{ ...exam, from }] }))
    // Neither the server nor this device answers with a home page from before.
    stage.server.clock.now += 120_000
    await clear(cacheStore(offline.owner))
    await open()
    await userEvent.click(await (await panel()).findByRole('button', { name: '设置考试日期' }))
    const stats = await dialog()
    await userEvent.type(await stats.findByLabelText('每日目标（题）'), '9')
    await userEvent.click(await stats.findByRole('button', { name: '用预计日期 2047年6月5日' }))
    expect(stats.getByLabelText<HTMLInputElement>('考试日期').value).toBe(from)
    await expect.poll(async () => (await offline.things('setting')).get('examDate')?.value).toBe(from)
    expect((await offline.things('setting')).has('dayGoal')).toBe(false)
    expect(stats.queryByRole('button', { name: /^用预计日期/ })).toBeNull()
    await offline.add({ kind: 'setting', payload: { name: 'examDate', value: '' } })
    await publishNews(stage.server, newsJson({ calendar: [{ ...exam, from, withdrawn: true }] }))
  })
  test('sets goal, minutes and exam date, without a network, and the panel follows', async () => {
    stage.wire.fault = () => Promise.reject(new TypeError('no network'))
    await open()
    await userEvent.click(await (await panel()).findByRole('button', { name: '设置考试日期' }))
    const stats = await dialog()
    const field = (name: string) => stats.getByLabelText<HTMLInputElement>(name)
    const date = await stats.findByLabelText('考试日期')
    await expect.poll(() => document.activeElement).toBe(date)
    expect(stats.getAllByRole('heading', { level: 3 })[0]?.textContent).toBe('学习计划')
    await userEvent.clear(field('每日目标（题）'))
    await userEvent.click(stats.getByRole('button', { name: '保存计划' }))
    expect((await stats.findByRole('alert')).textContent).toContain('每日目标填 1–1000 题')
    await userEvent.type(field('每日目标（题）'), '7')
    await userEvent.type(field('考试日期'), dateOf(dayOf(Date.now()) + 30))
    await userEvent.click(stats.getByRole('button', { name: '保存计划' }))
    await expect
      .poll(async () => [...(await offline.things('setting')).keys()].toSorted())
      .toEqual(expect.arrayContaining(['dayGoal', 'examDate']))
    // The date is set, so the way to it is gone; the dialog is not.
    const home = await panel()
    await expect.poll(() => home.queryByRole('button', { name: '设置考试日期', hidden: true })).toBeNull()
    await userEvent.click((await dialog()).getByRole('button', { name: '关闭' }))
    await expect.poll(() => document.activeElement?.textContent).toBe('学习统计')
    expect(await (await panel()).findByText('今日目标已达成 ✓')).toBeTruthy()
    await expect.poll(() => screen.queryByText('距考试')?.parentElement?.textContent).toBe('距考试 30 天')
    await userEvent.click(await (await panel()).findByRole('button', { name: '学习统计' }))
    expect(await (await dialog()).findByRole('cell', { name: /7\s*题，达成目标$/ })).toBeTruthy()
  })
  test('has the server’s day as today, also on a phone whose date is ahead, and sees the answers of that day', async () => {
    await open()
    await (await panel()).findByText('今日目标已达成 ✓')
    heardServer(Date.now() - 86_400_000)
    await (await panel()).findByText('再做 7 题，达成今日目标。')
    await answer(8, true)
    await (await panel()).findByText('再做 6 题，达成今日目标。')
    // Clocks that are close are one: nobody's day ends by the seconds that an answer of the server takes.
    heardServer(Date.now() - 30_000)
    expect(Date.now() - serverNow()).toBeLessThan(1_000)
    await (await panel()).findByText('今日目标已达成 ✓')
  })
})
