import { onDisk } from '#tests/support/drafts.ts'
import { randomUUID } from 'node:crypto'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type Located, question } from '#src/contract/question.ts'
import { study } from '#src/contract/study.ts'
import { offline } from '#src/offline/index.ts'
import { keepQuestions, missingOf } from '#src/offline/downloads/keptQuestions.ts'
import { createWrite } from '#src/offline/record/write/write.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { takeOut } from '#src/player/marks/bookActs.ts'
import { session } from '#src/session/session.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { emptyDevice } from '#tests/support/emptyDevice.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { placeIn, statesIn } from '#tests/support/states.ts'
import { tap } from '#tests/support/tap.ts'
import { nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const DAY = 86_400_000
const stage = setScreens(async (server) => {
  const { questions, ...rest } = bankJson({ prefix: 'L', chapters: 2, perChapter: 60 })
  const reasoned = questions.map((each) => (each.no === 'L_q2' ? { ...each, reasons: { A: '没有加一' } } : each))
  await importBank(server.db, server.mediaDir, { ...rest, questions: reasoned })
  const { blocks } = await server.call(question.chapter, { no: 'L' })
  for (const { no, at } of blocks)
    for (const each of (await server.call(question.block, { no, at })).questions)
      bank.set(each.no, { question: each, chapterNo: no, libraryNo: 'L', retired: false })
})
const bank = new Map<string, Located>()
let student: { uid: string; token: string }
beforeEach(async () => {
  student = await stage.server.student()
  prepareDevice(student)
  await emptyDevice()
})

const open = async (path = '/user/my_error') => {
  await stage.open(path)
}
const factOf = (n: number, right: boolean, chapterNo: string | null = n <= 60 ? 'L_c1' : 'L_c2') => ({
  questionNo: `L_q${n}`,
  response: { kind: 'choice' as const, ids: [right ? 'B' : 'A'] },
  spentMs: 1_000,
  from: 'library' as const,
  version: 1,
  right,
  place: { ...placeIn('L'), chapterNo, libraryNo: chapterNo && 'L' },
})
/** What is answered wrongly is kept on the device, as the player does it. */
const keep = (nos: readonly number[]) =>
  keepQuestions(
    offline.owner,
    nos.flatMap((n) => bank.get(`L_q${n}`) ?? []),
  )
async function answer(...of: Parameters<typeof factOf>): Promise<void> {
  await offline.recordAnswer(factOf(...of))
  await keep([of[0]])
}
/** Misses of some days ago, as this device has kept them. */
async function missed(nos: readonly number[], daysAgo: number): Promise<void> {
  const db = openRecord()
  const write = createWrite(db)
  for (const n of nos) {
    const { place, right, ...payload } = factOf(n, false)
    const written = { ctx: session.scope(), at: Date.now() - daysAgo * DAY }
    await write.answer(offline.owner, { kind: 'answer', payload, place, right }, written)
  }
  db.close()
  await keep(nos)
}
const counts = async () => (await screen.findByText(/^未掌握 \d+ · /)).textContent.split(' · ')
/** Chooses in 筛选, one thing after the other. */
async function filter(...choices: string[]): Promise<void> {
  await tap(/ · 按/)
  const sheet = within(await screen.findByRole('dialog', { name: '筛选错题' }))
  for (const name of choices) await userEvent.click(sheet.getByRole('radio', { name: new RegExp(`^${name}`) }))
  await userEvent.click(sheet.getByRole('button', { name: '完成' }))
}
/** Does one of what 更多 offers. */
async function fromMore(name: string): Promise<void> {
  await tap('更多')
  await userEvent.click(await screen.findByRole('button', { name }))
}
const groups = async () => {
  const list = within(await screen.findByRole('list', { name: /，按/ }))
  return list.getAllByRole('listitem').map((item) => within(item).getByRole('button').textContent)
}
const rows = async () => {
  await expect.poll(() => screen.queryByRole('list', { name: '' })?.getAttribute('aria-busy')).not.toBe('true')
  return [...document.querySelectorAll('ol[aria-busy=false] > li')].map(({ textContent }) => textContent)
}

test('a book with nothing in it says how it fills', async () => {
  await open()
  const none = await screen.findByRole('heading', { name: '还没有错题' })
  expect(none.previousElementSibling?.textContent).toBe('暂无更多...')
  expect(screen.getByRole('link', { name: '去题库练题' })).toBeTruthy()
})

test('misses are counted by phase and under every grouping, with names', async () => {
  for (const n of [1, 2, 61]) await answer(n, false)
  await answer(2, true)
  await answer(3, true)
  await open()
  expect(await counts()).toEqual(['未掌握 2', '巩固中 1', '已消灭 0'])
  await expect.poll(groups).toEqual(['L 章节题库2 题', '第1章1 题', '第2章1 题'])
  for (const [grouping, lines] of [
    ['知识点', ['军史2 题']],
    ['题型', ['单选题2 题']],
    ['错误次数', ['错 1 次2 题']],
    ['来源', ['章节练习2 题']],
    ['错因', ['未标记2 题']],
  ] as const) {
    await filter(grouping)
    await expect.poll(groups).toEqual(lines)
  }
  await filter('巩固中')
  await expect.poll(groups).toEqual(['未标记1 题'])
  expect(screen.getByRole('link', { name: '练习 未标记' }).getAttribute('href')).toBe(
    '/question/library_error_study/all/answer/0?phase=firm&by=cause&is=',
  )
  expect(window.location.search).toBe('?phase=firm&by=cause')
  expect(screen.getByRole('button', { name: '筛选：巩固中 · 按错因' })).toBeTruthy()
})

test('all questions of what is chosen can be practised at once, and nothing is offered where there are none', async () => {
  for (const n of [1, 2]) await answer(n, false)
  await open()
  const all = await screen.findByRole('link', { name: '全部练习 2 题' })
  expect(all.getAttribute('href')).toBe('/question/library_error_study/all/answer/0?phase=open')
  await tap('更多')
  const more = within(await screen.findByRole('dialog', { name: '更多' }))
  expect(more.getByRole('link', { name: '全部背题' }).getAttribute('href')).toContain('/all/recite/0?phase=open')
  await userEvent.keyboard('{Escape}')
  await filter('已消灭')
  await screen.findByText(/还没有已消灭的题/)
  expect(screen.queryByRole('link', { name: /^全部/ })).toBeNull()
})

test('one button leads on, one filters, and all else waits behind 更多', async () => {
  await answer(1, false)
  await open()
  const main = within(await screen.findByRole('main'))
  const all = await main.findByRole('link', { name: '全部练习 1 题' })
  const list = await main.findByRole('list', { name: /，按/ })
  const above = [...main.getAllByRole('button'), ...main.getAllByRole('link')].filter(
    (each) => list.compareDocumentPosition(each) === Node.DOCUMENT_POSITION_PRECEDING,
  )
  const looks = (look: string) => above.filter((each) => each.dataset.look === look).map((each) => each.textContent)
  expect(looks('filled')).toEqual([all.textContent])
  expect(looks('light')).toEqual(['未掌握 · 按章节'])
  expect(looks('quiet')).toEqual(['更多'])
})

test('of many groups shows twenty and as many more at their end; who comes back finds as many as they left', async () => {
  await importBank(stage.server.db, stage.server.mediaDir, bankJson({ prefix: 'M', chapters: 25, perChapter: 1 }))
  for (let n = 1; n <= 25; n++)
    await offline.recordAnswer({
      ...factOf(n, false),
      questionNo: `M_q${n}`,
      place: { ...placeIn('M'), chapterNo: `M_c${n}`, libraryNo: 'M' },
    })
  await open()
  const count = async () => (await groups()).length
  await expect.poll(count).toBe(20)
  await userEvent.click(screen.getByRole('button', { name: '显示更多' }))
  const all = await groups()
  // The library, and its chapters.
  expect(all).toHaveLength(26)
  expect(screen.getAllByText('暂无更多...')).toHaveLength(1)
  await userEvent.click(screen.getAllByRole('button', { name: all.at(-1) ?? '' }).at(-1) as HTMLElement)
  await screen.findByRole('button', { name: '全部分组' })
  stage.app?.router.history.back()
  await expect.poll(count).toBe(26)
})

test('a group lists its questions with what the student did; taken out, they are on the shelf, and 撤销 brings them back as they were', async () => {
  await answer(1, false)
  await answer(1, true)
  await answer(2, false)
  await open('/user/my_error?phase=firm&by=chapter&is=L_c1')
  await screen.findByRole('heading', { name: '第1章 1 题' })
  await expect
    .poll(async () => (await rows())[0])
    .toMatch(/单选题错 1 次在错题本里，再答对 1 次自动移出第1章第1题：1 加 1 等于多少？/)
  expect((await rows())[0]).toMatch(/✓ 对 B.*✕ 错 A/)
  await tap(/^移出：/)
  await expect.poll(counts).toEqual(['未掌握 1', '巩固中 0', '已消灭 1'])
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: '第1章 0 题' }))
  await tap('撤销')
  await expect.poll(counts).toEqual(['未掌握 1', '巩固中 1', '已消灭 0'])
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: /^错因/ }), '看错')
  await screen.findByText('已标记为看错')
  await open('/user/my_error?phase=firm&by=cause')
  await expect.poll(groups).toEqual(['看错1 题'])
})

test('what is mastered stays on the shelf, can be read there and put back', async () => {
  for (const right of [false, true, true]) await answer(1, right)
  await open('/user/my_error?phase=done&by=type&is=single')
  await userEvent.click(await screen.findByText(/^第1章第1题/))
  await screen.findByText('正确答案 B')
  await tap(/^移回：/)
  await expect.poll(counts).toEqual(['未掌握 1', '巩固中 0', '已消灭 0'])
})

test.each<[string, boolean[], boolean]>([
  ['taken out by hand', [false, true], true],
  ['taken out by hand, and mastered by now', [false, true, true], true],
  ['mastered by the rule', [false, true, true], false],
])('撤销 of 移回 leaves a question that was %s exactly as it was', async (_, answers, byHand) => {
  for (const right of answers) await answer(1, right)
  const stateOf = async () => (await offline.states(['L_q1'])).get('L_q1')
  const known = await stateOf()
  if (byHand && known) await takeOut(known)
  const before = await stateOf()
  await open('/user/my_error?phase=done&by=type&is=single')
  await tap(/^移回：/)
  await expect.poll(async () => (await counts())[2]).toBe('已消灭 0')
  await tap('撤销')
  await expect.poll(async () => (await counts())[2]).toBe('已消灭 1')
  expect(await stateOf()).toEqual(before)
  const ops = await offline.waiting()
  const sent = { device: randomUUID(), owner: student.uid, proto: 1 as const, sentAt: Date.now(), cursor: 0, ops }
  const { verdicts, changes } = await stage.server.call(study.sync, sent, student.token)
  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['applied']))
  expect(statesIn(changes).get('L_q1')?.book).toEqual(before?.book)
})

test('a retired question is called so, and stays', async () => {
  await answer(1, false, null)
  await open()
  await expect.poll(groups).toEqual(['已下架的题1 题'])
  await tap(/^已下架的题/)
  await expect.poll(async () => (await rows())[0]).toMatch(/^单选题已下架错 1 次.*第1章第1题/)
})

test('another rule says what it would move before it is saved, and then moves it', async () => {
  await answer(1, false)
  await answer(2, false)
  for (const right of [true, true]) await answer(2, right)
  await answer(3, false)
  await answer(3, true)
  await open()
  expect(await counts()).toEqual(['未掌握 1', '巩固中 1', '已消灭 1'])
  await fromMore('移出规则 再答对 2 次自动移出')
  const dialog = within(await screen.findByRole('dialog', { name: '移出规则' }))
  await userEvent.click(dialog.getByRole('radio', { name: '再答对 3 次自动移出' }))
  expect(dialog.getByRole('status').textContent).toBe('1 题会从“已消灭”回到“巩固中”。')
  await userEvent.click(dialog.getByRole('radio', { name: '再答对 1 次自动移出' }))
  expect(dialog.getByRole('status').textContent).toBe('1 题会移到“已消灭”。')
  expect(await counts()).toEqual(['未掌握 1', '巩固中 1', '已消灭 1'])
  await userEvent.click(dialog.getByRole('button', { name: '保存' }))
  await expect.poll(counts).toEqual(['未掌握 1', '巩固中 0', '已消灭 2'])
  await tap('更多')
  await screen.findByRole('button', { name: '移出规则 再答对 1 次自动移出' })
})

test('a long group shows a window of its questions, across chapters', async () => {
  for (let n = 50; n <= 73; n++) await answer(n, false)
  await open('/user/my_error?by=type&is=single')
  await screen.findByText('第 1–20 题，共 24 题')
  await expect.poll(async () => (await rows()).length).toBe(20)
  await tap('下一页')
  await screen.findByText('第 21–24 题，共 24 题')
  expect(screen.getAllByText('暂无更多...')).toHaveLength(1)
  await expect.poll(async () => (await rows()).length).toBe(4)
  expect((await rows()).every((row) => row?.includes('第2章'))).toBe(true)
})

describe('without a network', () => {
  test('questions that came while there was one are there to read and to study', async () => {
    for (const n of [1, 2, 3]) await offline.recordAnswer(factOf(n, false))
    const ops = await offline.waiting()
    const sent = { device: randomUUID(), owner: student.uid, proto: 1 as const, sentAt: Date.now(), cursor: 0, ops }
    await stage.server.call(study.sync, sent, student.token)
    await open()
    await expect.poll(() => missingOf(offline.owner, ['L_q1', 'L_q2', 'L_q3'])).toEqual([])
    // The chapter's name comes by another way than its questions.
    await stage.app?.kept()
    stage.wire.fault = nobody
    await open('/user/my_error?by=chapter&is=L_c1')
    // Answered within one millisecond they have no order.
    await expect.poll(async () => (await rows()).filter((row) => row?.includes('第1章第'))).toHaveLength(3)
    await userEvent.click(await screen.findByRole('link', { name: '练习 第1章' }))
    await screen.findByRole('heading', { level: 1, name: /^第1题，共3题/ })
  })
})

describe('今日复习', () => {
  test('after a pause it is what matters most, the rest is spread, and what was dealt today counts', async () => {
    await missed(
      Array.from({ length: 50 }, (_, i) => i + 1),
      10,
    )
    await open()
    await screen.findByRole('heading', { name: '今日复习 40 题' })
    expect(screen.getByText('已 9 天没有复习，先做最要紧的 40 题，还有 10 题分到后面 1 天。')).toBeTruthy()
    await userEvent.click(screen.getByRole('link', { name: '开始复习' }))
    await screen.findByRole('heading', { level: 1, name: /^第1题，共40题/ })
    await userEvent.click(screen.getByRole('radio', { name: /^B．/ }))
    await screen.findByText('回答正确', { selector: 'p:not([role])' })
    await open()
    await screen.findByRole('heading', { name: '今日复习 39 题' })
    expect(screen.getByText('先做最要紧的 39 题，还有 10 题分到后面 1 天。')).toBeTruthy()
    await open('/')
    await screen.findByText(/^39 题 · \d+ 分钟$/, { selector: '[aria-labelledby=task] li:first-child span' })
  })
  test('what was answered elsewhere meanwhile is not asked again on the same day', async () => {
    await missed([1, 2, 3], 3)
    const path = '/question/library_error_study/all/answer/1'
    await open(path)
    await screen.findByRole('heading', { level: 1, name: /^第1题，共3题/ })
    await expect.poll(() => offline.loadDraft(onDisk('errors:all:1:answer:::'))).toBeTruthy()
    await answer(2, true)
    await open(path)
    await screen.findByRole('heading', { level: 1, name: /^第1题，共2题/ })
  })
})

test('on paper a recording cannot be heard: its transcript, told of the whole material, stands with the answer', async () => {
  const heard = {
    ...bankJson({ prefix: 'H', chapters: 1, perChapter: 0 }),
    questions: [
      {
        no: 'H_q1',
        chapter: 'H_c1',
        type: 'composite',
        stem: `<audio src="/media/${'a'.repeat(32)}.mp3"></audio>听对话，回答问题。`,
        analysis: '听力原文：Good morning.',
        parts: [
          {
            no: 'H_q1_1',
            type: 'single',
            stem: '何时？',
            options: ['晚上', '早上'],
            answer: 'B',
            analysis: '见 morning。',
          },
        ],
      },
    ],
  }
  await importBank(stage.server.db, stage.server.mediaDir, heard)
  const [located] = (await stage.server.call(question.block, { no: 'H_c1', at: 0 })).questions
  if (!located) throw new Error('no question')
  await keepQuestions(offline.owner, [{ question: located, chapterNo: 'H_c1', libraryNo: 'H', retired: false }])
  await offline.recordAnswer({
    ...factOf(1, false),
    questionNo: 'H_q1_1',
    place: { ...placeIn('H'), chapterNo: 'H_c1' },
  })
  await open()
  await fromMore('打印、导出')
  const paper = within(await screen.findByRole('dialog', { name: '打印错题' }))
  expect(await paper.findByText('［听力录音，请在应用里播放］')).toBeTruthy()
  const answer = await paper.findByText(/听力原文：Good morning\./)
  expect(answer.textContent).toContain('见 morning。')
  await userEvent.click(paper.getByRole('checkbox', { name: '附答案和解析' }))
  expect(paper.queryByText(/听力原文/)).toBeNull()
})

test('on paper questions come first, answers at the end; the app behind is out of reach until Escape', async () => {
  for (const n of [1, 2, 61]) await answer(n, false)
  await open()
  await fromMore('打印、导出')
  const paper = within(await screen.findByRole('dialog', { name: '打印错题' }))
  await paper.findByText('第2章第1题：61 加 1 等于多少？')
  const text = document.querySelector('[role=dialog]')?.textContent ?? ''
  expect(text.indexOf('第2章第1题')).toBeLessThan(text.lastIndexOf('答案和解析'))
  expect(paper.getAllByText('正确答案 B')).toHaveLength(3)
  expect(paper.getByRole('list', { name: '逐项解析' }).textContent).toBe('A：没有加一')
  await paper.findByRole('option', { name: '第2章（1）' })
  await userEvent.selectOptions(paper.getByRole('combobox', { name: '分组' }), '第2章（1）')
  await expect.poll(() => paper.queryAllByText('正确答案 B')).toHaveLength(1)
  await userEvent.click(paper.getByRole('checkbox', { name: '附答案和解析' }))
  expect(paper.queryByText('正确答案 B')).toBeNull()
  const names: string[] = []
  vi.spyOn(window, 'print').mockImplementation(() => void names.push(document.title))
  const before = document.title
  await userEvent.click(paper.getByRole('button', { name: '打印 / 存为 PDF' }))
  // A PDF is named as the page is while it is printed.
  await expect.poll(() => names).toEqual([expect.stringMatching(/^错题-未掌握-第2章-\d{4}-\d\d-\d\d$/)])
  expect(document.title).toBe(before)
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('dialog', { name: '打印错题' })).toBeNull()
  expect(document.querySelector('[data-print]')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: '更多' }))
})
