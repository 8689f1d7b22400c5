import { beginning } from '#tests/support/drafts.ts'
import { screen, within } from '@testing-library/react'
import { more } from '#tests/support/more.ts'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dayOf } from '#src/domain/time/day.ts'
import { dailyList } from '#src/features/question/daily.ts'
import { blockQuery } from '#src/features/question/practice/block.ts'
import { outlineQuery } from '#src/features/question/queries.ts'
import { createQueryClient } from '#src/offline/device/cache.ts'
import { keepDailyDone, readDailyDone } from '#src/offline/record/daily.ts'
import { offline } from '#src/offline/index.ts'
import { keptQuestions } from '#src/offline/downloads/keptQuestions.ts'
import { session } from '#src/session/session.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { placeIn } from '#tests/support/states.ts'
import { nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'E', chapters: 3, perChapter: 3 }))
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'D', chapters: 2, perChapter: 3 }))
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'F', chapters: 2, perChapter: 3 }))
  await importBank(server.db, server.mediaDir, tree())
})

/** T_a holds T_b and T_c3, T_b holds T_c1 and T_c2; T_c4 stands beside T_a. Each leaf has three questions. */
function tree() {
  const bank = bankJson({ prefix: 'T', chapters: 4, perChapter: 3 })
  const [c1, c2, c3, c4] = bank.chapters
  const node = (no: string, parent: string | null) => ({ no, parent, title: no })
  const below = (parent: string, chapter: typeof c1) => ({ ...chapter, parent })
  const chapters = [node('T_a', null), node('T_b', 'T_a'), below('T_b', c1), below('T_b', c2), below('T_a', c3), c4]
  return { ...bank, chapters }
}

const dayAfter = (days: number): number => Date.UTC(2026, 10, 21, 4) + days * 86_400_000
const { open } = stage
const tap = async (letter: string) =>
  await userEvent.click(await screen.findByRole('radio', { name: new RegExp(`^${letter}．`) }))
const homeOf = (questionNo: string) =>
  placeIn(questionNo.slice(0, 1), `${questionNo.slice(0, 1)}_c${Math.ceil(Number(questionNo.slice(3)) / 3)}`)
const answered = (questionNo: string, right: boolean) =>
  offline.recordAnswer({
    questionNo,
    response: { kind: 'choice', ids: [right ? 'B' : 'A'] },
    spentMs: 1000,
    from: 'library',
    version: 1,
    right,
    place: homeOf(questionNo),
  })

test('with nothing wrong there is nothing to study, and it says where misses come from', async () => {
  await open('/question/library_error_study/E_c2/answer/0')
  await screen.findByRole('heading', { name: '没有错题' })
  await screen.findByText('做错的题会自动收到这里。')
})

test('a miss in chapter practice is in the error book at once, and is studied from there without a network', async () => {
  await open('/question/library_study/E_c1/5/x')
  await tap('A')
  await screen.findByText('回答错误', { selector: 'p:not([role])' })
  await expect.poll(async () => (await keptQuestions(offline.owner, ['E_q1'])).has('E_q1')).toBe(true)
  stage.wire.fault = nobody
  await open('/question/library_error_study/all/answer/0')
  await screen.findByRole('heading', { level: 1, name: /^第1题，共1题/ })
  await tap('B')
  await screen.findByText('回答正确', { selector: 'p:not([role])' })
  const [state] = (await offline.states(['E_q1'])).values()
  expect(state).toMatchObject({ times: 2, wrong: 1, book: { rights: 1, from: 'library' } })
  const ops = await offline.waiting()
  expect(ops.at(-1)?.payload).toMatchObject({ questionNo: 'E_q1', from: 'error' })
  await userEvent.click(screen.getByRole('button', { name: '查看结果' }))
  await screen.findByRole('button', { name: '返回我的错题' })
})

test('the mistakes of a batch that are done once more are recorded as from where the batch was', async () => {
  await answered('E_q1', false)
  await open('/question/library_error_study/all/answer/0')
  await tap('A')
  await userEvent.click(await screen.findByRole('button', { name: '查看结果' }))
  await userEvent.click(await screen.findByRole('button', { name: /错题再做一遍/ }))
  await screen.findByRole('heading', { level: 1, name: /^第1题，共1题/ })
  await tap('B')
  await screen.findByText('回答正确', { selector: 'p:not([role])' })
  const ops = await offline.waiting()
  expect(ops.at(-1)?.payload).toMatchObject({ questionNo: 'E_q1', from: 'error' })
})

test('whoever looks back at mistakes comes back to the summary, by the cross and by the way back of the phone', async () => {
  await answered('E_q1', false)
  await open('/question/library_error_study/all/answer/0')
  await tap('A')
  await userEvent.click(await screen.findByRole('button', { name: '查看结果' }))
  const backs = [
    async () => await userEvent.click(await screen.findByRole('button', { name: '返回小结' })),
    async () => {
      await screen.findByRole('button', { name: '返回小结' })
      window.history.back()
    },
  ]
  for (const back of backs) {
    await userEvent.click(await screen.findByRole('button', { name: '回看 1 道错题' }))
    await screen.findByRole('heading', { level: 1, name: /^第1题，共1题/ })
    await back()
    await screen.findByRole('heading', { name: '本组完成' })
  }
})

test('每日一练 is the same the whole day, waits where it was left, and is done for the day when all is answered', async () => {
  const day = dayOf(Date.now())
  await open(`/question/library_study/D/4/每日一练?day=${day}`)
  const heading = async () => await screen.findByRole('heading', { level: 1, name: /^第\d题，共4题/ })
  await heading()
  const first = screen.getByText(/第.章第.题/).textContent
  await tap('B')
  await screen.findByText('回答正确', { selector: 'p:not([role])' })
  stage.wire.fault = nobody
  await open(`/question/library_study/D/4/每日一练?day=${day}`)
  // It goes on at the question behind the one that was answered, which is still there.
  await screen.findByRole('heading', { level: 1, name: /^第2题，共4题/ })
  await userEvent.click(screen.getByRole('button', { name: '上一题' }))
  await screen.findByRole('heading', { level: 1, name: /^第1题，共4题/ })
  expect(screen.getByText(/第.章第.题/).textContent).toBe(first)
  const next = async () => await userEvent.click(await screen.findByRole('button', { name: /^下一题|^完成|^查看/ }))
  for (let i = 0; i < 3; i++) {
    await next()
    await screen.findByRole('heading', { level: 1, name: new RegExp(`^第${i + 2}题`) })
    expect((await offline.things('setting')).get('dailyDone')).toBeUndefined()
    await tap('B')
    await screen.findByText('回答正确', { selector: 'p:not([role])' })
  }
  await expect.poll(async () => (await offline.things('setting')).get('dailyDone')?.value).toBe(day)
  await more('练习设置')
  const sheet = within(await screen.findByRole('dialog', { name: '练习设置' }))
  expect(sheet.getByRole('radio', { name: '即时反馈' })).toBeTruthy()
  expect(sheet.queryByRole('radio', { name: '乱序' })).toBeNull()
  await userEvent.keyboard('{Escape}')
  await userEvent.click(screen.getByRole('button', { name: '查看结果' }))
  await screen.findByRole('button', { name: '返回首页' })
})

describe('每日一练 of several libraries and days', () => {
  let client: ReturnType<typeof createQueryClient>
  beforeEach(() => {
    client = createQueryClient(session.owner())
  })
  afterEach(() => client.clear())
  const daily = (libraryNo: string, day: number) => dailyList(client, { libraryNo, day, size: 3 })
  test('deals what was answered long ago where the rest is not on the device', async () => {
    const { blocks } = await client.fetchQuery(outlineQuery('F'))
    const [first] = blocks
    if (!first) throw new Error('no block')
    const { questions } = await client.fetchQuery(blockQuery(first.no, first.at))
    const nos = questions.map(({ no }) => no)
    for (const no of nos) await answered(no, true)
    stage.wire.fault = nobody
    expect((await daily('F', 7).pick()).sort()).toEqual(nos.sort())
  })
  test('keeps the batch of one library when another one’s is begun on the same day', async () => {
    const nos = await daily('D', 8).pick()
    await daily('F', 8).pick()
    expect(await daily('D', 8).still?.(nos)).toEqual(new Set(nos))
  })
  test('finished in a tab of yesterday, does not undo that today’s is done', async () => {
    const today = dayOf(Date.now()) + 3
    const doneOn = async () => (await offline.things('setting')).get('dailyDone')?.value
    await daily('D', today).pick()
    daily('D', today).onDone?.()
    await expect.poll(doneOn).toBe(today)
    await keepDailyDone(offline, today - 1, 'E')
    await keepDailyDone(offline, today, 'E')
    expect(await doneOn()).toBe(today)
    expect(await readDailyDone(offline)).toEqual({ day: today, libraries: ['D', 'E'] })
  })
})

test('only what belongs to the chapter, what was answered longest ago first, from chapters that are on this device', async () => {
  await open('/question/library_study/E_c2/5/x')
  await screen.findByRole('heading', { level: 1, name: /^第1题/ })
  await stage.app?.kept()
  await answered('E_q4', false)
  await answered('E_q5', false)
  await answered('E_q6', true)
  await open('/question/library_error_study/E_c2/recite/0')
  await screen.findByRole('heading', { level: 1, name: /^第1题，共2题/ })
  await screen.findByText(/第2章第1题/)
  await screen.findByText('背题', { selector: '[aria-pressed=true]' })
})

describe.each([
  ['错题练习', (no: string) => `/question/library_error_study/${no}/answer/0`],
  ['今日复习', (no: string) => `/question/library_error_study/${no}/answer/1`],
  ['收藏练习', (no: string) => `/question/library_collect_study/${no}/x`],
  ['笔记练习', (no: string) => `/question/library_note_study/${no}`],
])('%s of a chapter that holds others', (_, path) => {
  test.each([
    ['T_b', 2],
    ['T_a', 3],
    ['T', 4],
    ['T_c2', 1],
  ])('(%s) has what is in all leaves below it, without a network too', async (no, total) => {
    vi.useFakeTimers({ toFake: ['Date'], now: dayAfter(20) })
    await open('/question/library')
    await screen.findByRole('region', { name: 'T 章节题库' })
    await open('/question/library_study/T/20/x')
    await screen.findByRole('heading', { level: 1, name: /^第1题/ })
    for (const questionNo of ['T_q1', 'T_q4', 'T_q7', 'T_q10']) {
      await answered(questionNo, false)
      const place = homeOf(questionNo)
      await offline.add({ kind: 'collect', payload: { questionNo, folder: '', over: [] }, place })
      await offline.add({ kind: 'note', payload: { questionNo, text: '记', over: [] }, place })
    }
    vi.setSystemTime(dayAfter(23))
    stage.wire.fault = nobody
    await open(path(no))
    await screen.findByRole('heading', { level: 1, name: new RegExp(`^第1题，共${total}题`) })
  })
})

test('the spaced review has what is due, and nothing of today', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: dayAfter(0) })
  await answered('E_q4', false)
  await open('/question/library_error_study/all/answer/1')
  await screen.findByRole('heading', { name: '今天没有要复习的题' })
  const due = await offline.shelf('due', { to: dayOf(Date.now()) + 1 })
  expect(due.map(({ questionNo }) => questionNo)).toContain('E_q4')
})

test('a chapter that is not on this device is not fetched for a question of it, and the page says what is missing', async () => {
  await open('/question/library')
  await answered('E_q8', false)
  const before = stage.wire.sent.length
  await open('/question/library_error_study/E_c3/answer/0')
  await screen.findByRole('heading', { name: '题目还没有下载' })
  const asked = stage.wire.sent.slice(before).map(({ path }) => path)
  expect(asked.filter((path) => /question\/(chapter|block)$/.test(path))).toEqual([])
})

describe('选项乱序', () => {
  /** Ids of the first question's options, as they are on the screen. */
  const shown = async () => {
    await screen.findByRole('heading', { level: 1, name: /^第1题/ })
    return screen.getAllByRole('radio').map((each) => each.closest('label')?.textContent?.slice(1))
  }
  const inBank = async (): Promise<boolean> => {
    const numbers = (await shown()).map((text) => Number(text?.replace(/\D/g, '')))
    return numbers.every((number, i) => i === 0 || number > (numbers[i - 1] ?? 0))
  }
  test.each([
    ['错题', '/question/library_error_study/E_c1/answer/0'],
    ['收藏', '/question/library_collect_study/all/x'],
  ])('holds in %s练习, and after coming back to it', async (_, path) => {
    await open('/question/library_study/E_c1/5/x')
    await screen.findByRole('heading', { level: 1, name: /^第\d题/ })
    for (const no of ['E_q1', 'E_q2', 'E_q3']) await answered(no, false)
    const collected = { questionNo: 'E_q1', folder: '', over: [] }
    await offline.add({ kind: 'collect', payload: collected, place: placeIn('E', 'E_c1') })
    localStorage.setItem('jk-shuffle', '1')
    vi.spyOn(Math, 'random').mockReturnValue(0.4)
    await open(path)
    expect(await inBank()).toBe(false)
    const first = await shown()
    await userEvent.keyboard('{Shift>}A{/Shift}')
    await expect
      .poll(async () =>
        JSON.stringify(
          await Promise.all([offline.drafts(beginning('errors')), offline.drafts(beginning('collected'))]),
        ),
      )
      .toContain('struck')
    vi.spyOn(Math, 'random').mockReturnValue(0.9)
    await open(path)
    expect(await shown()).toEqual(first)
  })
})

test('the spaced review is planned anew on a new day, and asks again what was answered on the day it was left', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: dayAfter(40) })
  await open('/question/library_study/E_c1/5/x')
  await screen.findByRole('heading', { level: 1, name: /^第\d题/ })
  for (const no of ['E_q1', 'E_q2', 'E_q3']) await answered(no, false)
  vi.setSystemTime(dayAfter(42))
  const review = '/question/library_error_study/all/answer/1'
  await open(review)
  const [, count] = /共(\d+)题/.exec((await screen.findByRole('heading', { level: 1 })).textContent) ?? []
  await tap('B')
  await screen.findByText('回答正确', { selector: 'p:not([role])' })
  await open(review)
  await screen.findByRole('heading', { level: 1, name: new RegExp(`^第[12]题，共${count}题`) })
  expect(screen.queryByText('回答正确', { selector: 'p:not([role])' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '上一题' }))
  await screen.findByText('回答正确', { selector: 'p:not([role])' })
  vi.setSystemTime(dayAfter(400))
  await open(review)
  await screen.findByRole('heading', { level: 1, name: /^第1题/ })
  expect(screen.queryByText('回答正确', { selector: 'p:not([role])' })).toBeNull()
})

test.each([
  ['a chapter', 'T_a', 'T_a'],
  ['a library', 'T', 'T 章节题库'],
  ['everything', 'all', '我的收藏'],
  ['the folder that everybody has', 'default', '默认收藏夹'],
])('收藏练习 of %s is called by its own name, whatever the address says', async (_, no, name) => {
  await open('/question/library')
  await screen.findByRole('region', { name: 'T 章节题库' })
  await offline.add({ kind: 'collect', payload: { questionNo: 'T_q1', folder: '', over: [] }, place: homeOf('T_q1') })
  await open('/question/library_study/T/20/x')
  await screen.findByRole('heading', { level: 1, name: /^第1题/ })
  await stage.app?.kept()
  stage.wire.fault = nobody
  await open(`/question/library_collect_study/${no}/假标题`)
  await screen.findByRole('heading', { level: 1, name: /^第1题/ })
  await screen.findByText(name)
  expect(screen.queryByText('假标题')).toBeNull()
})
