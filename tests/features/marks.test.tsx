import { onDisk } from '#tests/support/drafts.ts'
import '#src/features/question/search/SearchDialog.tsx'
import { randomUUID } from 'node:crypto'
import { onlineManager } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { lessonNotesText } from '#src/domain/course/lessonNotes.ts'
import { notesText } from '#src/features/question/lists/noteFile.ts'
import { offline } from '#src/offline/index.ts'
import { session } from '#src/session/session.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { authorise } from '#tests/support/login.ts'
import { opOf } from '#tests/support/ops.ts'
import { single } from '#tests/support/questions.ts'
import { serve } from '#src/search/serve.ts'
import { giveWorker } from '#tests/support/channelWorker.ts'
import { placeIn } from '#tests/support/states.ts'
import { nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

let student: { uid: string; token: string }
const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'K', chapters: 2, perChapter: 5 }))
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'M', chapters: 1, perChapter: 1 }))
  student = await authorise(server.db, '13912345678', Date.now())
})
beforeEach(() => {
  prepareDevice(student)
  giveWorker(serve)
})
afterEach(async () => {
  for (const state of await offline.shelf('collected')) await collect(state.questionNo, null)
  for (const state of await offline.shelf('noted')) await write(state.questionNo, '')
})

const user = userEvent.setup()
const open = async (path: string) => await stage.open(path)
const placed = (no: string) => placeIn('K', Number(no.slice(3)) > 5 ? 'K_c2' : 'K_c1')
const over = async (no: string, held: 'collected' | 'notes') =>
  ((await offline.states([no])).get(no)?.[held] ?? []).map(({ opId }) => opId)
const collect = async (questionNo: string, folder: string | null) =>
  await offline.add({
    kind: 'collect',
    payload: { questionNo, folder, over: await over(questionNo, 'collected') },
    place: placed(questionNo),
  })
const write = async (questionNo: string, text: string) =>
  await offline.add({
    kind: 'note',
    payload: { questionNo, text, over: await over(questionNo, 'notes') },
    place: placed(questionNo),
  })
/** Both chapters have been opened here; from now on nobody answers. */
async function opened(): Promise<void> {
  for (const chapter of ['K_c1', 'K_c2']) {
    const { close, kept } = await open(`/question/library_study/${chapter}/5/x`)
    await screen.findByRole('heading', { level: 1, name: /^第1题/ })
    await kept()
    close()
  }
  const { close, kept } = await open('/question/library')
  await screen.findByRole('region', { name: 'K 章节题库' })
  await kept()
  close()
  stage.wire.fault = nobody
}
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const rows = (name: string) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('listitem')
    .map((row) => row.querySelector('button')?.textContent ?? '')
const stem = (n: number) => expect.stringContaining(`第${n}题：`)

describe('我的收藏, without a network', () => {
  test('shows the newest first with place and folder counts, filters, searches, and studies from a tapped question', async () => {
    await opened()
    await offline.add({ kind: 'folder', payload: { no: 'fK', name: '易错' } })
    for (const no of ['K_q1', 'K_q2', 'K_q7']) await collect(no, no === 'K_q2' ? 'fK' : '')
    await open('/user/my_collect')
    await screen.findByText(/第2章第2题：/)
    expect(rows('我的收藏')).toEqual([stem(2), stem(2), stem(1)])
    expect(screen.getAllByText('K 章节题库 · 第1章')).toHaveLength(2)
    const chips = within(screen.getByRole('group', { name: '收藏夹' }))
    await chips.findByRole('button', { name: '全部 3' })
    expect(chips.getByRole('button', { name: '默认收藏夹 2' })).toBeTruthy()
    await user.click(chips.getByRole('button', { name: '易错 1' }))
    expect(rows('易错')).toEqual([expect.stringContaining('第1章第2题：')])
    await user.click(chips.getByRole('button', { name: '全部 3' }))
    await user.type(screen.getByRole('searchbox'), '第2章')
    await waitFor(() => expect(rows('我的收藏')).toHaveLength(1))
    await user.clear(screen.getByRole('searchbox'))
    await waitFor(() => expect(rows('我的收藏')).toHaveLength(3))
    await user.click(screen.getByRole('button', { name: /第1章第2题/ }))
    await screen.findByRole('heading', { level: 1, name: /^第2题，共3题/ })
    expect(stage.app?.path()).toBe(`/question/library_collect_study/all/${encodeURIComponent('我的收藏')}/K_q2`)
    await user.keyboard('b')
    await screen.findByText('回答正确', { selector: 'p:not([role])' })
    expect((await offline.waiting()).at(-1)?.payload).toMatchObject({ questionNo: 'K_q2', from: 'collect' })
  })
  test('taken out by mistake, a question is put back where it was', async () => {
    await opened()
    await offline.add({ kind: 'folder', payload: { no: 'fK', name: '易错' } })
    await collect('K_q3', 'fK')
    await open('/user/my_collect')
    await user.click(await screen.findByRole('button', { name: '取消收藏' }))
    expect((await screen.findByRole('heading', { name: '还没有收藏' })).previousElementSibling?.textContent).toBe(
      '暂无更多...',
    )
    await user.click(await screen.findByRole('button', { name: '撤销' }))
    await screen.findByText(/第1章第3题：/)
    expect((await offline.states(['K_q3'])).get('K_q3')?.collected).toMatchObject([{ folder: 'fK' }])
  })
  test('of forty-five, twenty are on the page and read at a time, whichever of them', async () => {
    stage.wire.fault = nobody
    const nos = Array.from({ length: 45 }, (_, i) => `K_q${100 + i}`)
    await offline.addAll(
      nos.map((questionNo) => ({
        kind: 'collect' as const,
        payload: { questionNo, folder: '', over: [] },
        place: placed(questionNo),
      })),
    )
    const newestFirst = (await offline.shelf('collected', { backwards: true })).map(({ questionNo }) => questionNo)
    const [whole, some] = [vi.spyOn(offline, 'shelf'), vi.spyOn(offline, 'states')]
    await open('/user/my_collect')
    const places = () =>
      within(screen.getByRole('list', { name: '我的收藏' }))
        .getAllByRole('listitem')
        .map((row) => Number(row.getAttribute('aria-posinset')))
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
    await screen.findByText('第 1–20 题，共 45 题')
    expect(places()).toEqual(range(1, 20))
    await user.click(button('下一页'))
    await screen.findByText('第 21–40 题，共 45 题')
    expect(places()).toEqual(range(21, 40))
    await user.click(button('下一页'))
    await screen.findByText('第 41–45 题，共 45 题')
    expect(places()).toEqual(range(41, 45))
    await user.click(button('上一页'))
    await screen.findByText('第 21–40 题，共 45 题')
    expect(whole).not.toHaveBeenCalled()
    const asked = some.mock.calls.map(([nos]) => nos.join())
    const windows = [newestFirst.slice(0, 20), newestFirst.slice(20, 40), newestFirst.slice(40)].map((nos) =>
      nos.join(),
    )
    expect([...new Set(asked)]).toEqual(windows)
    vi.restoreAllMocks()
  })
  test('of a folder that holds more than are read at a time, all are counted and shown, a window of them', async () => {
    stage.wire.fault = nobody
    await offline.add({ kind: 'folder', payload: { no: 'fK', name: '易错' } })
    const acts = Array.from({ length: 430 }, (_, i) => ({
      kind: 'collect' as const,
      payload: { questionNo: `K_q${100 + i}`, folder: i % 2 === 0 ? 'fK' : '', over: [] },
      place: placeIn('K'),
      // Two thirds of them at the same moment.
      at: Date.now() + Math.max(0, i - 280),
    }))
    await offline.addAll(acts)
    const whole = vi.spyOn(offline, 'shelf')
    await open('/user/my_collect')
    await user.click(await screen.findByRole('button', { name: '易错 215' }))
    await screen.findByText('第 1–20 题，共 215 题')
    expect(Math.max(...whole.mock.calls.map(([, range]) => range?.limit ?? Infinity))).toBeLessThan(1_000)
    vi.restoreAllMocks()
  })
  test('is moved to another folder', async () => {
    await opened()
    await offline.add({ kind: 'folder', payload: { no: 'fK', name: '易错' } })
    await collect('K_q4', '')
    await open('/user/my_collect')
    await user.click(await screen.findByRole('button', { name: '移到收藏夹' }))
    const sheet = within(await screen.findByRole('dialog', { name: '收藏夹' }))
    await user.click(await sheet.findByRole('button', { name: '易错' }))
    await expect
      .poll(async () => (await offline.states(['K_q4'])).get('K_q4')?.collected)
      .toMatchObject([{ folder: 'fK' }])
  })
  test('a question that was never opened here says so', async () => {
    stage.wire.fault = nobody
    await collect('K_q99', '')
    await open('/user/my_collect')
    await screen.findByText('题目还没有下载，联网后重新打开这一页')
  })
  test('a question that was not here shows itself when the network is back', async () => {
    // Another device has brought it to the account.
    const payload = { questionNo: 'M_q1', folder: '', over: [] }
    const ops = [opOf('collect', payload, { seq: 1, at: Date.now() })]
    const input = { device: randomUUID(), owner: student.uid, proto: 1 as const, sentAt: Date.now(), cursor: 0, ops }
    await stage.server.call(contract.study.sync, input, student.token)
    stage.wire.fault = nobody
    await collect('M_q1', '')
    await open('/user/my_collect')
    await screen.findByText('题目还没有下载，联网后重新打开这一页')
    stage.wire.fault = null
    onlineManager.setOnline(false)
    act(() => onlineManager.setOnline(true))
    await screen.findByText(/第1章第1题：/)
  })
  test('taken out of several folders, a question is put back into all of them', async () => {
    await opened()
    await offline.add({ kind: 'folder', payload: { no: 'fK', name: '易错' } })
    const into = (folder: string) => ({
      kind: 'collect' as const,
      payload: { questionNo: 'K_q5', folder, over: [] },
      place: placed('K_q5'),
    })
    await offline.addAll([into(''), into('fK')])
    await open('/user/my_collect')
    await user.click(await screen.findByRole('button', { name: '取消收藏' }))
    await screen.findByRole('heading', { name: '还没有收藏' })
    await user.click(await screen.findByRole('button', { name: '撤销' }))
    await screen.findByText(/第1章第5题：/)
    const folders = (await offline.states(['K_q5'])).get('K_q5')?.collected?.map(({ folder }) => folder)
    expect(folders?.sort()).toEqual(['', 'fK'])
  })
})

describe('收藏练习 on its own address', () => {
  test('begins at the question it names, comes back where it was left, and the next batch is another', async () => {
    await opened()
    session.setChapterCount(10)
    for (const n of [1, 2, 3]) await collect(`K_q${n}`, '')
    const path = '/question/library_collect_study/K_c1/x/K_q2'
    await open(path)
    await screen.findByRole('heading', { level: 1, name: /^第2题，共3题/ })
    await user.click(button('下一题'))
    await screen.findByRole('heading', { level: 1, name: /^第3题/ })
    await expect.poll(async () => JSON.stringify(await offline.loadDraft(onDisk('collected:K_c1')))).toContain('"at":2')
    stage.close()
    await open(path)
    await screen.findByRole('heading', { level: 1, name: /^第3题，共3题/ })
  })
  test('says what to do when nothing is collected', async () => {
    await open('/question/library_collect_study/K_c2/x')
    await screen.findByRole('heading', { level: 1, name: '还没有收藏' })
  })
})

describe('我的笔记', () => {
  test('shows, searches, changes and deletes notes, and studies from one', async () => {
    await opened()
    await write('K_q1', '先约分')
    await write('K_q6', '看单位')
    await open('/user/my_note')
    await screen.findByText(/第2章第1题：/)
    expect(rows('我的笔记')).toEqual([expect.stringContaining('第2章第1题：'), expect.stringContaining('第1章第1题：')])
    await user.type(screen.getByRole('searchbox'), '约分')
    await waitFor(() => expect(rows('我的笔记')).toHaveLength(1))
    await user.click(button('编辑或删除'))
    const sheet = within(await screen.findByRole('dialog', { name: '笔记' }))
    await user.type(await sheet.findByRole('textbox', { name: '我的笔记' }), '，再通分')
    await user.click(sheet.getByRole('button', { name: '保存' }))
    await screen.findByText('先约分，再通分')
    await user.click(screen.getByRole('button', { name: /第1章第1题/ }))
    await screen.findByRole('heading', { level: 1, name: /^第1题，共2题/ })
    expect(screen.getByText(/第1章第1题：/)).toBeTruthy()
  })
  test('as a file: place, question, note and day of each', () => {
    const at = Date.parse('2026-05-06T04:00:00Z')
    const question = { ...single('K_q1'), stem: '<p>2 * 3 = ?</p>' }
    const state = {
      questionNo: 'K_q1',
      ...placeIn('K'),
      times: 0,
      wrong: 0,
      streak: 0,
      lastAt: 0,
      lastRight: false,
      lastResponse: null,
      spentMs: 0,
      notes: [{ opId: 'a', at, text: '六\n个' }],
    }
    const located = new Map([['K_q1', { question, chapterNo: 'K_c1', libraryNo: 'K', retired: false }]])
    expect(notesText([state], located, () => '数学 · 第1章', at)).toBe(
      '# 我的笔记\n\n共 1 题，导出于 2026-05-06。\n\n## 1. 数学 · 第1章\n\n> 2 \\* 3 = ?\n\n六\n个\n\n（2026-05-06）\n',
    )
  })
  test('as a file, those on lessons come after them: lesson by lesson, by their time, deleted ones left out', () => {
    const at = Date.parse('2026-05-06T04:00:00Z')
    const note = (n: number, lessonNo: string, second: number, text: string) => {
      const titles: [string, string] = ['力*学', lessonNo]
      return [
        `n${n}`,
        { at: at + n, opId: `o${n}`, courseNo: 'C', lessonNo, ofKind: 'video' as const, titles, second, text },
      ] as const
    }
    const things = new Map([
      note(1, '一', 65, '后'),
      note(2, '二', 3, '新'),
      note(3, '一', 5, ''),
      note(0, '一', 5, '前'),
    ])
    const day = '（2026-05-06）'
    expect(lessonNotesText(things, at)).toBe(
      `# 课时笔记\n\n共 3 条，导出于 2026-05-06。\n\n## 力\\*学 · 二\n\n**0:03** 新\n\n${day}\n\n## 力\\*学 · 一\n\n**0:05** 前\n\n${day}\n\n**1:05** 后\n\n${day}\n`,
    )
    expect(lessonNotesText(new Map([note(3, '一', 5, '')]), at)).toBe('')
  })
  test('are found by 搜题 in the range 笔记', async () => {
    await opened()
    await write('K_q2', '口诀：先乘后加')
    await open('/question/library')
    await user.click(await screen.findByRole('button', { name: '搜题' }))
    const dialog = within(await screen.findByRole('dialog', { name: '搜题' }))
    await dialog.findByText(/道题都能搜/)
    await user.click(dialog.getByRole('radio', { name: '笔记' }))
    await user.type(dialog.getByRole('combobox', { name: '搜索题目' }), '先乘后加')
    await dialog.findByText('找到 1 道')
    expect(dialog.getByRole('option').textContent).toContain('第1章第2题')
  })
})
