import { onDisk } from '#tests/support/drafts.ts'
import { screen, within } from '@testing-library/react'
import { more, openMore } from '#tests/support/more.ts'
import { userEvent } from '@testing-library/user-event'
import * as v from 'valibot'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { dailyList } from '#src/features/question/daily.ts'
import { openList } from '#src/features/question/lists/listStudy.ts'
import { blockQuery } from '#src/features/question/practice/block.ts'
import { loadSetup, resetSetup, saveSetup } from '#src/features/question/setup.ts'
import { createQueryClient } from '#src/offline/device/cache.ts'
import { answerAct, offline } from '#src/offline/index.ts'
import { handInOf } from '#src/player/paper/handInOf.ts'
import { next, type PlayerState } from '#src/player/playerState.ts'
import { Snapshot } from '#src/offline/drafts/practice.ts'
import { restore, snapshot } from '#src/player/snapshot.ts'
import { session } from '#src/session/session.ts'
import { DIRECTION } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { placeIn } from '#tests/support/states.ts'
import { setScreens } from '#tests/support/screens.ts'

let banks = 0
let bank = ''
const stage = setScreens()
beforeEach(async () => {
  session.setChoice({ key: String(400 + ++banks), name: '山东' }, DIRECTION)
  bank = `X${banks}`
  await importBank(stage.server.db, stage.server.mediaDir, chapter())
})

const choice = { type: 'single', options: ['甲', '乙', '丙'], answer: 'B', analysis: '略' }
/** Three choices, of 2023, 2024 and no year, and an essay; and a chapter that nobody has touched. */
const chapter = () => ({
  ...bankJson({ prefix: bank, chapters: 2, perChapter: 0 }),
  questions: [
    { ...choice, stem: '第一', year: 2023 },
    { ...choice, stem: '第二', year: 2024 },
    { ...choice, stem: '第三' },
    { type: 'essay', stem: '简述作风', answer: '三条', scoring: [{ text: '要点一', score: 2 }] },
    { ...choice, stem: '另一章' },
  ].map((question, i) => ({ ...question, no: `${bank}_q${i}`, chapter: `${bank}_c${i < 4 ? 1 : 2}` })),
})
const { open } = stage
const study = (n = 1) => open(`/question/library_study/${bank}_c${n}/20/x`)
const at = (n: number, total = 4) =>
  screen.findByRole('heading', { level: 1, name: new RegExp(`^第${n}题，共${total}题`) })
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const press = async (name: string | RegExp) => await userEvent.click(await button(name))
/** At the last question going on is handing in too. */
const pressHandIn = async () => {
  const [first] = await screen.findAllByRole('button', { name: '交卷' })
  if (first) await userEvent.click(first)
}
const radio = (letter: string) => screen.findByRole<HTMLInputElement>('radio', { name: new RegExp(`^${letter}．`) })
const choose = async (letter: string) => await userEvent.click(await radio(letter))
const sheet = async () => within(await screen.findByRole('dialog', { name: '练习设置' }))
async function setUp(...values: (string | RegExp)[]): Promise<void> {
  await more(/^练习设置/)
  const within = await sheet()
  await within.findByText(/^符合条件 \d+ 题$/)
  for (const name of values) {
    const [found] = within.queryAllByRole('radio', { name })
    await userEvent.click(found ?? within.getByRole('checkbox', { name }))
  }
  await userEvent.click(within.getByRole('button', { name: '按此设置开始' }))
}
const answers = async () =>
  (await offline.waiting()).flatMap(({ kind, payload }) =>
    kind === 'answer' && String(payload.questionNo).startsWith(`${bank}_`) ? [String(payload.questionNo)] : [],
  )
const saved = (path: string[]) => async () => {
  let found = await offline.loadDraft(onDisk(keyHere()))
  for (const key of path) found = typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined
  return found
}
const figures = () =>
  Object.fromEntries(
    [...document.querySelectorAll('dl > div')].map((each) => [
      each.querySelector('dt')?.textContent ?? '',
      each.querySelector('dd')?.textContent ?? '',
    ]),
  )
const keyHere = () => `batch:${bank}_c1`
/** What another tab does with the batch that is open here. Resolves with the batch as it was. */
async function handInElsewhere(): Promise<PlayerState> {
  const left = v.parse(Snapshot, await offline.loadDraft(onDisk(keyHere())))
  const { questions } = (await stage.app?.queryClient.fetchQuery(blockQuery(`${bank}_c1`, 0))) ?? { questions: [] }
  const state = restore(left, questions)
  const { facts, event } = handInOf(state, 'library', false)
  await offline.addAll(facts.map(answerAct), { key: onDisk(keyHere()), value: snapshot(next(state, event)) })
  return state
}
/** The first right, the second wrong and in doubt, the third blank, the essay written. */
async function sit(): Promise<void> {
  await study()
  await at(1)
  await setUp('交卷后看')
  await pressHandIn()
  await press('继续检查')
  await choose('A')
  await choose('B')
  expect(screen.queryByText(/回答(正确|错误)/)).toBeNull()
  await press('下一题')
  await at(2)
  await choose('A')
  await press('存疑')
  await press('下一题')
  await at(3)
  await press('下一题')
  await at(4)
  await userEvent.type(await screen.findByRole('textbox', { name: '我的作答' }), '实事求是')
  await expect.poll(saved(['parts', `${bank}_q3`, 'response', 'text'])).toBe('实事求是')
}

describe('交卷后看 of a chapter', () => {
  test('keeps every choice through a kill, tells what is blank and in doubt, and records what is answered once it is handed in', async () => {
    await sit()
    expect(await answers()).toEqual([])
    await study()
    await at(4)
    await press('上一题')
    await press('上一题')
    await at(2)
    expect((await radio('A')).checked).toBe(true)
    expect((await button('存疑')).getAttribute('aria-pressed')).toBe('true')
    await pressHandIn()
    const dialog = within(await screen.findByRole('dialog', { name: '交卷' }))
    expect(dialog.getByText(/还有 1 题未答。/)).toBeTruthy()
    expect(dialog.getByRole('button', { name: '本组 还有 1 题未答，去第3题' })).toBeTruthy()
    expect(dialog.getByRole('button', { name: '第2题，存疑' })).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: '确定交卷' }))
    await screen.findByRole('heading', { name: '已交卷，还有主观题待自评' })
    expect(figures()).toMatchObject({ 答对: '1', 答错: '1', 未做: '1', 待自评: '1' })
    expect(await answers()).toEqual([`${bank}_q0`, `${bank}_q1`])
    // Left before the essay is marked: the results are there again, and nothing is recorded twice.
    await study()
    await screen.findByRole('heading', { name: '已交卷，还有主观题待自评' })
    await press('自评主观题')
    await at(4)
    expect(screen.queryByRole('button', { name: '背题' })).toBeNull()
    await userEvent.click(await screen.findByRole('checkbox', { name: /要点一/ }))
    await press('完成自评')
    await expect.poll(answers).toEqual([`${bank}_q0`, `${bank}_q1`, `${bank}_q3`])
    await press('查看结果')
    await screen.findByRole('heading', { name: '已交卷' })
    await press('查看全部解析')
    await at(1)
    await screen.findByText('回答正确', { selector: 'p:not([role])' })
    await press('下一题')
    await press('下一题')
    await screen.findByText('未作答', { selector: 'p:not([role])' })
    await study()
    await screen.findByRole('heading', { name: '已交卷' })
    // What was blank is still to do, in the way that was chosen.
    await press('再来一组')
    await at(1, 1)
    await screen.findAllByRole('button', { name: '交卷' })
  })
  test('open in two tabs, is handed in once: the other one shows what was handed in, and never takes its place', async () => {
    await sit()
    await handInElsewhere()
    expect(await answers()).toEqual([`${bank}_q0`, `${bank}_q1`])
    await press('上一题')
    await at(3)
    await choose('B')
    await pressHandIn()
    await press('确定交卷')
    await screen.findByRole('heading', { name: '已交卷，还有主观题待自评' })
    expect(figures()).toMatchObject({ 答对: '1', 答错: '1', 未做: '1', 待自评: '1' })
    expect(await answers()).toEqual([`${bank}_q0`, `${bank}_q1`])
    expect(await saved(['mode'])()).toBe('review')
  })
  test('of which another tab has handed in all, a question gone to is not saved over it', async () => {
    const draft = (mode: string, at: number, id = 'one') => ({
      key: onDisk<unknown>('batch:two'),
      value: { mode, at, deal: { id } },
    })
    await offline.saveDraft(draft('exam', 1))
    await offline.saveDraft(draft('review', 0))
    await offline.saveDraft(draft('exam', 2))
    expect(await offline.loadDraft(onDisk('batch:two'))).toMatchObject({ mode: 'review' })
    await offline.saveDraft(draft('review', 3))
    expect(await offline.loadDraft(onDisk('batch:two'))).toMatchObject({ at: 3 })
    await offline.saveDraft(draft('exam', 0, 'another'))
    expect(await offline.loadDraft(onDisk('batch:two'))).toMatchObject({ mode: 'exam' })
  })
  test('that another tab has handed in and left is not handed in again: the other one goes on with what comes next', async () => {
    await sit()
    const left = await handInElsewhere()
    await offline.dropDraft(onDisk(keyHere()))
    await press('上一题')
    await at(3)
    await pressHandIn()
    await press('确定交卷')
    await at(1, 2)
    expect(await answers()).toEqual([`${bank}_q0`, `${bank}_q1`])
    await offline.saveDraft({ key: onDisk(keyHere()), value: snapshot(left) })
    expect(await saved(['deal', 'id'])()).not.toBe(left.deal?.id)
  })
  test('handed in where the device cannot write it, it stays open as it was, and can be handed in again', async () => {
    await sit()
    const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    await pressHandIn()
    await press('确定交卷')
    await screen.findByText(/存储空间不足，还没有交卷。答案都在这里，清理出空间后再试/)
    put.mockRestore()
    await press(/知道了|确定/)
    await at(4)
    expect(await answers()).toEqual([])
    // The phone dies with it.
    await study()
    await at(4)
    expect(await saved(['mode'])()).toBe('exam')
    await pressHandIn()
    await press('确定交卷')
    await screen.findByRole('heading', { name: '已交卷，还有主观题待自评' })
    expect(await answers()).toEqual([`${bank}_q0`, `${bank}_q1`])
  })
  test('left and opened by another way, the student says which it is to be', async () => {
    await sit()
    // A dead battery forgets what was chosen: what was left goes on.
    resetSetup(`${bank}_c1`)
    await study()
    await at(4)
    saveSetup({ ...loadSetup(''), order: 'random' })
    await study()
    const ask = within(await screen.findByRole('dialog', { name: '上一组还没交卷' }))
    expect(ask.getByText(/已选的答案不会保留/)).toBeTruthy()
    await userEvent.click(ask.getByRole('button', { name: '继续上一组' }))
    await at(4)
    await screen.findAllByRole('button', { name: '交卷' })
  })
  test('is remembered for the student’s own lists, which offer all three ways too', async () => {
    await offline.recordAnswer({
      questionNo: `${bank}_q0`,
      response: { kind: 'choice', ids: ['A'] },
      spentMs: 1000,
      from: 'library',
      version: 1,
      right: false,
      place: placeIn(bank, `${bank}_c1`),
    })
    await study(2)
    await at(1, 1)
    await stage.app?.kept()
    await setUp('交卷后看')
    await screen.findAllByRole('button', { name: '交卷' })
    const errors = () => open(`/question/library_error_study/${bank}_c1/answer/0`)
    await study(1)
    await at(1, 3)
    // A list of one's own is dealt from what is on the device.
    await stage.app?.kept()
    await errors()
    await at(1, 1)
    await choose('B')
    await pressHandIn()
    await press('确定交卷')
    await screen.findByRole('heading', { name: '已交卷' })
    expect(await answers()).toEqual([`${bank}_q0`, `${bank}_q0`])
    await errors()
    await screen.findByRole('heading', { name: '已交卷' })
    await press('再来一组')
    await at(1, 1)
    await more('练习设置')
    await userEvent.click((await sheet()).getByRole('radio', { name: '即时反馈' }))
    await userEvent.click((await sheet()).getByRole('button', { name: '按此设置开始' }))
    await choose('A')
    await screen.findByText('回答错误', { selector: 'p:not([role])' })
  })
  test('of a collection, opened at another question, is not given up unasked', async () => {
    const place = placeIn(bank, `${bank}_c1`)
    for (const n of [0, 1])
      await offline.add({ kind: 'collect', payload: { questionNo: `${bank}_q${n}`, folder: '', over: [] }, place })
    await study()
    await at(1)
    await stage.app?.kept()
    saveSetup({ ...loadSetup(''), mode: 'exam' })
    const collected = (itemNo = '') => open(`/question/library_collect_study/${bank}_c1/x${itemNo}`)
    await collected()
    await at(1, 2)
    await choose('A')
    await press('下一题')
    await collected(`/${bank}_q0`)
    const ask = within(await screen.findByRole('dialog', { name: '上一组还没交卷' }))
    await userEvent.click(ask.getByRole('button', { name: '继续上一组' }))
    await at(2, 2)
    await press('上一题')
    expect((await radio('A')).checked).toBe(true)
  })
  test('of 每日一练 is shown until it is seen, and not on another day', async () => {
    saveSetup({ ...loadSetup(''), mode: 'exam' })
    const client = createQueryClient(session.owner())
    const list = (day: number) => dailyList(client, { libraryNo: bank, day, size: 3 })
    const { state } = await openList(list(1))
    if (!state) throw new Error('nothing to study')
    const handed = next(state, { type: 'hand-in', strict: false, opIds: {} })
    const marked = handed.items.filter(({ part }) => part.type !== 'essay')
    await offline.saveDraft({ key: list(1).draft, value: snapshot({ ...handed, items: marked }) })
    expect((await openList(list(1))).state?.mode).toBe('review')
    expect((await openList(list(2))).state?.mode).toBe('exam')
    client.clear()
  })
  test('of 每日一练, left over midnight, keeps what is chosen and written, and the essay that is not marked yet', async () => {
    saveSetup({ ...loadSetup(''), mode: 'exam' })
    const client = createQueryClient(session.owner())
    const list = (day: number) => dailyList(client, { libraryNo: bank, day, size: 5 })
    const { state } = await openList(list(1))
    const essay = state?.items.find(({ part }) => part.type === 'essay')?.part
    const single = state?.items.find(({ part }) => part.type === 'single')?.part
    if (!state || !essay || !single) throw new Error('nothing to study')
    const begun = next(next(state, { type: 'write', part: essay, text: '实事求是' }), {
      type: 'choose',
      part: single,
      id: 'B',
    })
    await offline.saveDraft({ key: list(1).draft, value: snapshot(begun) })
    const left = (await openList(list(2))).state
    expect(left?.mode).toBe('exam')
    // What was not touched is another day's; the others are not dealt anew.
    expect(left?.items.map(({ part }) => part.no).sort()).toEqual([single.no, essay.no].sort())
    expect(left?.parts[essay.no]?.response).toMatchObject({ text: '实事求是' })
    expect(left?.parts[single.no]?.response).toEqual({ kind: 'choice', ids: ['B'] })
    const handed = next(begun, { type: 'hand-in', strict: false, opIds: {} })
    await offline.saveDraft({ key: list(1).draft, value: snapshot(handed) })
    const after = (await openList(list(3))).state
    expect(after?.mode).toBe('review')
    expect(after?.parts[essay.no]).toMatchObject({ right: null, response: { text: '实事求是' } })
    client.clear()
  })
})

describe('what is chosen by', () => {
  test('stays in its chapter, is told in the row of tools, and leads back to all', async () => {
    await study()
    await at(1)
    await setUp(/^2023年/)
    await at(1, 1)
    await openMore()
    await button('练习设置 2023年')
    await button('恢复默认设置')
    await study(2)
    await at(1, 1)
    expect(screen.queryByText('没有符合练习设置的题了')).toBeNull()
    await openMore()
    await button('练习设置')
    expect(screen.queryByRole('button', { name: '恢复默认设置' })).toBeNull()
    await study()
    await at(1, 1)
    await more('恢复默认设置')
    await at(1, 4)
  })
  test('收藏 deals what was collected, answered or not, and a year that nothing is left of can be taken back', async () => {
    const place = placeIn(bank, `${bank}_c1`)
    for (const n of [1, 2])
      await offline.add({ kind: 'collect', payload: { questionNo: `${bank}_q${n}`, folder: '', over: [] }, place })
    await study()
    // Collected is not answered.
    await at(1, 4)
    await more('练习设置')
    const setup = await sheet()
    await setup.findByText('符合条件 4 题')
    await userEvent.click(setup.getByRole('checkbox', { name: /^2023年/ }))
    await userEvent.click(setup.getByRole('radio', { name: /^只做收藏 ?0/ }))
    await setup.findByText('符合条件 0 题')
    await userEvent.click(setup.getByRole('checkbox', { name: /^2023年/ }))
    await setup.findByText('符合条件 2 题')
    await userEvent.click(setup.getByRole('button', { name: '按此设置开始' }))
    await at(1, 2)
    expect(screen.getByText('第二')).toBeTruthy()
    await openMore()
    await button('练习设置 只做收藏')
  })
})
