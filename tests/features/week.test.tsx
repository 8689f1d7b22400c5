import '#src/features/stats/poster/PosterDialog.tsx'
import '#src/features/stats/week/WeekPage.tsx'
import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeAll, describe, expect, test } from 'vitest'
import { mondayOf } from '#src/domain/study/stats.ts'
import { isFirstWeek, WEEK_DAYS, weekName, weekOf } from '#src/domain/study/week.ts'
import { dateOf, dayOf, startOf } from '#src/domain/time/day.ts'
import { WeekTiles } from '#src/features/stats/week/WeekTiles.tsx'
import { serverNow } from '#src/offline/device/serverClock.ts'
import { offline } from '#src/offline/index.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { placeIn } from '#tests/support/states.ts'
import { setScreens } from '#tests/support/screens.ts'

const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 1, perChapter: 9 }))
})

const today = () => dayOf(serverNow())
const monday = () => mondayOf(today())
/** At one o'clock of a day in Beijing, so that no week of another zone has it. */
const answer = (n: number, right: boolean, day: number) =>
  offline.addAll([
    {
      kind: 'answer',
      payload: {
        questionNo: `L_q${n}`,
        response: { kind: 'choice', ids: [right ? 'B' : 'A'] },
        spentMs: 120_000,
        from: 'library',
        version: 1,
      },
      place: placeIn(),
      right,
      at: startOf(day) + 3_600_000,
    },
  ])
const open = async (path = '/report/week') => await stage.open(path)
const report = async () => within(await screen.findByRole('region', { name: '周报' }))
const tileOf = async (name: string) =>
  (await (await report()).findByText(name, { selector: 'dt' })).nextSibling?.textContent

describe('a week without study', () => {
  test('says kindly what to do first, and leads there', async () => {
    await open()
    expect(await (await report()).findByRole('heading', { name: '这周还没有开始' })).toBeTruthy()
    expect((await report()).getByRole('link', { name: '去做今日任务' }).getAttribute('href')).toBe('/today')
    expect((await report()).queryByRole('button', { name: '生成海报' })).toBeNull()
  })
  test('of long ago leads back to this week', async () => {
    await open('/report/week?week=2020-W01')
    expect(await (await report()).findByText('2020 年第 01 周 · 12月30日 – 1月5日')).toBeTruthy()
    await userEvent.click((await report()).getByRole('link', { name: '看本周' }))
    expect(await (await report()).findByText(/^本周 · /)).toBeTruthy()
  })
})

describe('the figures of a week that stand alone', () => {
  const shown = (studiedOn: number, monday: number) => {
    const days = new Map([studiedOn, monday].map((day) => [day, { answered: 3, right: 1, spentMs: 60_000 }]))
    const parts = { monday, today: monday, week: weekOf(days, monday, monday), isFirst: isFirstWeek(days, monday) }
    return render(<WeekTiles {...parts} />).container.lastElementChild?.textContent
  }
  const MONDAY = mondayOf(20_000)
  test('are those of a first week: a newcomer is not told of a week before', () => {
    expect(shown(MONDAY, MONDAY)).toBe('这是你学习的第一周，下周就能和这周比了。')
  })
  test('are those after a week without study', () => {
    expect(shown(MONDAY - 20, MONDAY)).toBe('上周同期没有做题，下周再来比一比。')
  })
})

describe('a week with study', () => {
  beforeAll(async () => {
    // The same day of last week, and today.
    for (const n of [1, 2, 3, 4]) await answer(n, n > 2, today() - WEEK_DAYS)
    for (const n of [1, 5, 6, 7, 8]) await answer(n, n !== 1, today())
  })
  test('is told without a network, beside the same days of the week before', async () => {
    stage.wire.fault = () => Promise.reject(new TypeError('no network'))
    await open()
    expect(await tileOf('学习天数')).toBe('1/7 天连续学习 1 天')
    expect(await tileOf('答题用时')).toBe('10 分钟比上周同期多 2 分钟')
    expect(await tileOf('答题')).toBe('5 次比上周同期多 1 次')
    expect(await tileOf('正确率')).toBe('80%比上周同期高 30 个百分点')
    expect((await report()).getByRole('heading', { name: '这周学了 1 天，共 10 分钟，正确率 80%' })).toBeTruthy()
  })
  test('is a table for who cannot see its chart, with a day of no study told from one that is not there yet', async () => {
    await open()
    const table = await (await report()).findByRole('table', { name: /每天的答题用时与正确率$/ })
    const rows = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent ?? '')
    const passed = today() - monday()
    expect(rows).toHaveLength(WEEK_DAYS)
    expect(rows[passed]).toMatch(/10 分钟5 题80%$/)
    expect(rows.filter((row) => row.includes('没有学习'))).toHaveLength(passed)
    expect(rows.filter((row) => row.includes('还没到'))).toHaveLength(WEEK_DAYS - 1 - passed)
  })
  test('names the points of its mistakes, each question in the week of its last one', async () => {
    await open()
    const missed = async (name: RegExp) => within(await (await report()).findByRole('region', { name }))
    expect((await missed(/^这周做错 1 题/)).getByRole('listitem').textContent).toContain('错 1 题')
    stage.close()
    await open(`/report/week?week=${weekName(monday() - WEEK_DAYS)}`)
    // Question 1 was missed again since.
    expect((await missed(/^上周做错 1 题/)).getByRole('listitem').textContent).toContain('错 1 题')
  })
  test('shows next week as the plan of 学习统计 has it', async () => {
    await open()
    expect(await (await report()).findByRole('region', { name: /^下周(要复习 \d+ 题|没有到期的复习)$/ })).toBeTruthy()
  })
  test.each([
    ['by its name', () => weekName(monday() - WEEK_DAYS)],
    ['by one of its dates', () => dateOf(monday() - 1)],
  ])('has an address %s', async (_, week) => {
    await open(`/report/week?week=${week()}`)
    expect(await (await report()).findByText(/^上周 · /)).toBeTruthy()
    expect(await tileOf('答题')).toBe('4 次')
  })
  test.each(['2026-W99', 'x', '2999-W01'])('is this one where the address says %s', async (week) => {
    await open(`/report/week?week=${week}`)
    expect(await (await report()).findByText(/^本周 · /)).toBeTruthy()
  })
  test('makes a poster that names nobody, and says so of a browser that cannot draw', async () => {
    await open()
    await userEvent.click(await (await report()).findByRole('button', { name: '生成海报' }))
    const dialog = within(await screen.findByRole('dialog', { name: '海报' }))
    expect(dialog.getByRole('img', { name: /^海报：\d+月\d+日 – \d+月\d+日 我答题 5 次；/ })).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: '连续学习' }))
    expect(dialog.getByRole('img', { name: /^海报：我已连续学习 1 天；/ })).toBeTruthy()
    // A visitor has no nickname to show.
    expect(dialog.queryByRole('checkbox')).toBeNull()
    expect(dialog.getByRole('alert').textContent).toContain('换一个浏览器')
  })
})
