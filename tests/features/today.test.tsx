import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { DAILY_COUNT } from '#src/domain/study/task.ts'
import { reviewsToday } from '#src/domain/study/plan.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { libraryListQuery } from '#src/features/question/queries.ts'
import { prepareToday } from '#src/features/question/today/prepare.ts'
import { todayList } from '#src/features/question/today/todayList.ts'
import { readToday } from '#src/features/question/today/task.ts'
import { openList } from '#src/features/question/lists/listStudy.ts'
import { OWNER_KEYS } from '#src/device/keys.ts'
import { blockQuery } from '#src/features/question/practice/block.ts'
import { keepQuestions } from '#src/offline/downloads/keptQuestions.ts'
import { dailyDealt, todayBatch, todayDealt } from '#src/offline/drafts/practice.ts'
import { offline } from '#src/offline/index.ts'
import { readFigures } from '#src/offline/record/figures.ts'
import { session } from '#src/session/session.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { placeIn } from '#tests/support/states.ts'
import { nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'
import { setVisitorDays } from '#tests/support/visitorDays.ts'

const PER_CHAPTER = 40
const GOAL = 16
const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 5, perChapter: PER_CHAPTER }))
})
const visitor = setVisitorDays(GOAL)

const today = () => dayOf(Date.now())
const placeOf = (no: string) => placeIn('L', `L_c${Math.ceil(Number(no.slice(3)) / PER_CHAPTER)}`)
const answer = (questionNo: string, right = true, spentMs = 30_000) =>
  offline.recordAnswer({
    questionNo,
    response: { kind: 'choice', ids: [right ? 'B' : 'A'] },
    spentMs,
    from: 'library',
    version: 1,
    right,
    place: placeOf(questionNo),
  })
/** Answers wrongly; the question stays on the device, as the player keeps it. */
const miss = async (questionNo: string) => {
  await answer(questionNo, false)
  const { chapterNo } = placeOf(questionNo)
  const { questions } = await visitor.client.fetchQuery(blockQuery(chapterNo ?? '', 0))
  const missed = questions.filter(({ no }) => no === questionNo)
  const located = missed.map((question) => ({ question, chapterNo: chapterNo ?? '', libraryNo: 'L', retired: false }))
  await keepQuestions(offline.owner, located)
}
/** Opens the sitting as its page does. */
const sit = async (minutes: number | null = null) => {
  const { state } = await openList(todayList(visitor.client, minutes))
  return state?.items.map(({ part }) => part.no) ?? []
}
const dealt = async () => {
  const found = await readToday(today())
  if (!found) throw new Error('nothing was dealt')
  return found
}
const open = async (path = '/') => {
  await stage.open(path)
}
const card = async () => within(await screen.findByRole('region', { name: '今日任务' }))
const tap = async (letter: string) =>
  await userEvent.click(await screen.findByRole('radio', { name: new RegExp(`^${letter}．`) }))
const rows = async () => (await card()).getAllByRole('listitem').map((row) => row.textContent)

describe('今日任务 on the home page', () => {
  test('goes through the parts in one sitting, records each as its own way does, and has its ticks at the end', async () => {
    await miss('L_q121')
    vi.setSystemTime(Date.now() + 3 * 86_400_000)
    await open()
    const first = [
      expect.stringMatching(/^复习1 题 · \d 分钟$/),
      expect.stringMatching(/^每日一练L 章节题库10 题 · \d 分钟$/),
    ]
    await expect.poll(rows).toEqual([...first, expect.stringMatching(/^新题补足每日 16 题5 题 · \d 分钟$/)])
    await userEvent.click((await card()).getByRole('link', { name: /^开始（约 \d+ 分钟）$/ }))
    await screen.findByRole('heading', { level: 1, name: /^第1题，共16题，单选题复习 · 今日任务$/ })
    expect(screen.getByText('复习 1 题')).toBeTruthy()
    await tap('A')
    await screen.findByText('回答错误', { selector: 'p:not([role])' })
    await userEvent.click(screen.getByRole('button', { name: '下一题' }))
    await screen.findByText('复习做完了 ✓ 接着是每日一练 10 题 · 今天轮到“L 章节题库”，每天换一科')
    await tap('B')
    await screen.findByText('回答正确', { selector: 'p:not([role])' })
    await userEvent.click(screen.getByRole('button', { name: '下一题' }))
    await screen.findByRole('heading', { level: 1, name: /^第3题/ })
    await userEvent.click(screen.getByRole('button', { name: '退出练习' }))
    await userEvent.click(await (await card()).findByRole('link', { name: /^继续（约 \d+ 分钟）$/ }))
    for (let n = 3; n <= 16; n++) {
      await screen.findByRole('heading', { level: 1, name: new RegExp(`^第${n}题`) })
      expect((await offline.things('setting')).get('dailyDone')?.value === today()).toBe(n > 11)
      await tap('B')
      await screen.findByText('回答正确', { selector: 'p:not([role])' })
      await userEvent.click(screen.getByRole('button', { name: n < 16 ? '下一题' : '查看结果' }))
    }
    const results = within(await screen.findByRole('list', { name: '各项任务' }))
    expect(results.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
      '复习做了 1/1 题，对 0 题',
      '每日一练做了 10/10 题，对 10 题',
      '新题做了 5/5 题，对 5 题',
    ])
    expect(screen.getByText('做对了 15 道题，没全对的 1 道已记下，到时候会排进今日任务。')).toBeTruthy()
    const sources = (await offline.waiting()).slice(-17).map(({ payload }) => Object(payload).from)
    expect(sources.filter(Boolean)).toEqual(['error', ...Array.from({ length: 15 }, () => 'library')])
    await userEvent.click(screen.getByRole('button', { name: '返回首页' }))
    expect(await (await card()).findByText(/^今天答了 16 题，答对 15 题/)).toBeTruthy()
    expect((await card()).getAllByRole('img', { name: '已完成' })).toHaveLength(3)
    await userEvent.click((await card()).getByRole('link', { name: /^再来一组（约 \d+ 分钟）$/ }))
    await screen.findByRole('heading', { level: 1, name: /^第1题，共10题，单选题新题 · 今日任务$/ })
  })
  test('expects as many minutes after one answer at a glance as before', async () => {
    await offline.add({ kind: 'setting', payload: { name: 'dayGoal', value: 24 } })
    await open()
    await (await card()).findByRole('link', { name: '开始（约 12 分钟）' })
    await answer('L_q150', true, 1_000)
    await open()
    // One question less, and all of them a little quicker.
    await (await card()).findByRole('link', { name: '开始（约 11 分钟）' })
  })
  test('tells the server that 每日一练 is done when its questions were answered somewhere else, once', async () => {
    await sit()
    for (const no of (await dealt()).daily) await answer(no)
    const told = async () =>
      (await offline.waiting()).filter(({ payload }) => Object(payload).name === 'dailyDone').length
    expect(await told()).toBe(0)
    await open()
    await expect.poll(rows).toContainEqual('每日一练L 章节题库已完成')
    expect((await offline.things('setting')).get('dailyDone')?.value).toBe(today())
    await open()
    await expect.poll(rows).toContainEqual('每日一练L 章节题库已完成')
    expect(await told()).toBe(1)
  })
  test('says so where all of 每日一练 is among the reviews, and gives it no tick', async () => {
    for (let n = 1; n <= 5 * PER_CHAPTER; n++) await answer(`L_q${n}`, n > 12)
    vi.setSystemTime(Date.now() + 3 * 86_400_000)
    await prepareToday(visitor.client)
    await open()
    await expect
      .poll(async () => (await rows()).slice(0, 2))
      .toEqual([expect.stringMatching(/^复习12 题/), '每日一练L 章节题库都在复习里'])
    expect((await card()).queryAllByRole('img', { name: '已完成' })).toEqual([])
  })
  test('cuts the sitting to the minutes that are chosen', async () => {
    await open()
    await userEvent.click(await (await card()).findByRole('radio', { name: '5 分钟' }))
    await userEvent.click(await (await card()).findByRole('link', { name: '开始（约 5 分钟）' }))
    await screen.findByRole('heading', { level: 1, name: /^第1题/ })
    expect(stage.app?.router.state.location.search).toEqual({ minutes: 5 })
  })
})

describe('the sitting of 今日任务', () => {
  test('of a new visitor has 每日一练 and what the goal needs beside it, each question once', async () => {
    const nos = await sit()
    const { review, daily, fresh } = await dealt()
    expect([review.length, daily.length, fresh.length]).toEqual([0, DAILY_COUNT, GOAL - DAILY_COUNT])
    expect(nos).toEqual([...daily, ...fresh])
    expect(new Set(nos).size).toBe(nos.length)
  })
  test('begins with the reviews that 今日复习 would have, and takes no new question beyond the goal', async () => {
    for (const no of ['L_q1', 'L_q2', 'L_q3']) await miss(no)
    vi.setSystemTime(Date.now() + 3 * 86_400_000)
    await sit()
    const { review, daily, fresh } = await dealt()
    expect(review.toSorted()).toEqual(['L_q1', 'L_q2', 'L_q3'])
    const { until } = reviewsToday((await readFigures(offline, Date.now())).plan, null)
    const due = (await offline.shelf('due', { to: until })).map(({ questionNo }) => questionNo)
    expect(review.toSorted()).toEqual(due.toSorted())
    expect(daily.length + fresh.length).toBe(GOAL - review.length)
  })
  test('asks once what is due and in 每日一练 as well, and the card counts it once', async () => {
    const missed = ['L_q1', 'L_q2', 'L_q3']
    for (let n = 1; n <= 5 * PER_CHAPTER; n++) await answer(`L_q${n}`, !missed.includes(`L_q${n}`))
    vi.setSystemTime(Date.now() + 3 * 86_400_000)
    await prepareToday(visitor.client)
    await open()
    await expect
      .poll(async () => (await rows()).slice(0, 2))
      .toEqual([expect.stringMatching(/^复习3 题/), expect.stringMatching(/^每日一练L 章节题库7 题/)])
    const nos = await sit()
    const { review, daily, finishes } = await dealt()
    expect([review.toSorted(), daily.length, finishes]).toEqual([missed, DAILY_COUNT - 3, 'L'])
    expect(nos).toEqual([...new Set(nos)])
  })
  test('takes new questions from the chapter that was studied last, then from the next undone one', async () => {
    localStorage.setItem(OWNER_KEYS.lastChapter(offline.owner), 'L_c3/20/第3章')
    for (let n = 2 * PER_CHAPTER + 1; n <= 3 * PER_CHAPTER - 2; n++) await answer(`L_q${n}`)
    vi.setSystemTime(Date.now() + 86_400_000)
    await sit()
    const { daily, fresh } = await dealt()
    const chapters = fresh.map((no) => placeOf(no).chapterNo)
    const left = ['L_q119', 'L_q120'].filter((no) => !daily.includes(no))
    expect(fresh.slice(0, left.length)).toEqual(left)
    expect(chapters.slice(left.length).every((no) => no === 'L_c1')).toBe(true)
  })
  test('is cut to the minutes there are, and goes on with the rest the next time', async () => {
    // Beside the 20 of 30 seconds with which everybody begins this makes a minute each.
    await answer('L_q150', true, 660_000)
    vi.setSystemTime(Date.now() + 86_400_000)
    const short = await sit(5)
    expect(short).toHaveLength(5)
    expect((await dealt()).finishes).toBeNull()
    for (const no of short) await answer(no)
    const rest = await sit()
    expect(rest).toHaveLength(GOAL - 5)
    expect(rest.filter((no) => short.includes(no))).toEqual([])
    expect((await dealt()).finishes).toBe('L')
  })
  test('that was left has no more what another device did of it since, nor more new questions than the goal still needs', async () => {
    const nos = await sit()
    const { daily, fresh } = await dealt()
    await offline.saveDraft({
      key: todayBatch.key(),
      value: {
        v: 1,
        at: 0,
        mode: 'practice',
        items: nos.map((no) => ({ no, chapterNo: placeOf(no).chapterNo ?? '', libraryNo: 'L', block: 0 })),
        parts: {},
      },
    })
    for (const no of daily.slice(0, 4)) await answer(no)
    expect(await sit()).toEqual([...daily.slice(4), ...fresh])
    const other = Array.from({ length: PER_CHAPTER }, (_, i) => `L_q${i + 1}`).find((no) => !nos.includes(no))
    await answer(other ?? '')
    expect(await sit()).toEqual([...daily.slice(4), ...fresh.slice(0, -1)])
  })
  test('in which an earlier release has dealt a question twice has it once, and misses none', async () => {
    const nos = await sit()
    const [twice = ''] = nos
    const items = [twice, ...nos].map((no) => ({
      no,
      chapterNo: placeOf(no).chapterNo ?? '',
      libraryNo: 'L',
      block: 0,
    }))
    await offline.saveDraft({ key: todayBatch.key(), value: { v: 1, at: 0, mode: 'practice', items, parts: {} } })
    const { state, missing } = await openList(todayList(visitor.client, null))
    expect([state?.items.map(({ part }) => part.no), missing]).toEqual([nos, 0])
  })
  test('on another device has the same 每日一练 without what was done of it', async () => {
    await sit()
    const { daily } = await dealt()
    for (const no of daily.slice(0, 4)) await answer(no)
    // Nothing of what was dealt there is known here.
    for (const key of [todayBatch.key(), todayDealt.key(), dailyDealt.key('L')]) await offline.dropDraft(key)
    await sit()
    expect((await dealt()).daily).toEqual(daily.slice(4))
  })
})

describe('without a network', () => {
  test('the sitting is there from the first visit on', async () => {
    await prepareToday(visitor.client)
    stage.wire.fault = nobody
    expect(await sit()).toHaveLength(GOAL)
  })
  test('a device with one chapter leaves out what it has not, and says so', async () => {
    await open('/question/library_study/L_c4/20/x')
    await screen.findByRole('heading', { level: 1, name: /^第1题/ })
    await stage.app?.kept()
    stage.wire.fault = nobody
    await open('/today')
    await screen.findByRole('heading', { level: 1, name: /新题 · 今日任务$/ })
    await screen.findByText('每日一练有题还没有下载，联网后可做')
  })
  test('a device with fewer new questions than the goal asks for deals them, and notes that there are more', async () => {
    await open('/question/library_study/L_c4/20/x')
    await screen.findByRole('heading', { level: 1, name: /^第1题/ })
    await stage.app?.kept()
    await visitor.client.ensureQueryData(libraryListQuery())
    for (let n = 3 * PER_CHAPTER + 4; n <= 4 * PER_CHAPTER; n++) await answer(`L_q${n}`)
    vi.setSystemTime(Date.now() + 86_400_000)
    stage.wire.fault = nobody
    expect(await sit()).toEqual(['L_q121', 'L_q122', 'L_q123'])
    expect((await dealt()).away).toEqual(['daily', 'fresh'])
  })
  test('a device with nothing says that, and tries again', async () => {
    session.setChoice({ key: '77', name: '北京' }, { key: 'jg', name: '高中士兵考军官院校' })
    stage.wire.fault = nobody
    await open('/today')
    await userEvent.click(await screen.findByRole('button', { name: '重试' }))
    await screen.findByRole('button', { name: '重试' })
  })
})
