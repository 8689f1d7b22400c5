import { onDisk } from '#tests/support/drafts.ts'
import '#src/features/question/search/SearchDialog.tsx'
import { randomUUID } from 'node:crypto'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { clear } from 'idb-keyval'
import * as v from 'valibot'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { cacheStore } from '#src/offline/device/cacheStore.ts'
import { offline } from '#src/offline/index.ts'
import { keepQuestions } from '#src/offline/downloads/keptQuestions.ts'
import { Snapshot } from '#src/offline/drafts/practice.ts'
import { session } from '#src/session/session.ts'
import { DIRECTION } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { serve } from '#src/search/serve.ts'
import { giveWorker } from '#tests/support/channelWorker.ts'
import { nobody } from '#tests/support/wire.ts'
import { single } from '#tests/support/questions.ts'
import { noise, publishLessons } from '#tests/support/lessons.ts'
import { placeIn } from '#tests/support/states.ts'
import { setScreens } from '#tests/support/screens.ts'

let areas = 900
const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'F', chapters: 2, perChapter: 7 }))
})
beforeEach(() => {
  giveWorker(serve)
  // A region of its own for each test: nothing that another one has kept is found here.
  session.setChoice({ key: String(++areas), name: '山东' }, DIRECTION)
})
afterEach(async () => {
  // Kept questions know no region.
  await clear(cacheStore(offline.owner))
})

const user = userEvent.setup()
const open = async (path = '/question/library') => await stage.open(path)
/** The first chapter has been opened here; from now on nobody answers. */
async function studied(): Promise<void> {
  const { close, kept } = await open('/question/library_study/F_c1/5/x')
  await screen.findByRole('heading', { level: 1, name: /^第1题，共\d题/ })
  await kept()
  close()
  await open()
  await screen.findByRole('region', { name: 'F 章节题库' })
  await stage.app?.kept()
  stage.wire.fault = nobody
}
const miss = (questionNo: string, place = placeIn('F')) =>
  offline.recordAnswer({
    questionNo,
    response: { kind: 'choice', ids: ['A'] },
    spentMs: 1,
    from: 'library',
    version: 1,
    right: false,
    place,
  })
const dialog = async () => within(await screen.findByRole('dialog', { name: '搜题' }))
const field = async () => (await dialog()).getByRole('combobox', { name: '搜索题目' })
/** At once: Enter and arrows must not meet what was found for the first letters. */
async function fill(words: string): Promise<void> {
  await user.click(await field())
  await user.paste(words)
}
async function openSearch(): Promise<void> {
  await user.click(await screen.findByRole('button', { name: '搜题' }))
  await (await dialog()).findByText(/都能搜|还没有下载题目/)
}
const options = () => screen.queryAllByRole('option', { name: /题/ }).filter((one) => one.closest('[role=listbox]'))

describe('without a network', () => {
  test('what was opened is found, with its words marked, its place, type and standing, and a tap opens it', async () => {
    await studied()
    await openSearch()
    await user.type(await field(), '第3题')
    await (await dialog()).findByText('找到 1 道')
    const [hit] = options()
    expect(hit?.querySelector('mark')?.textContent).toBe('第3题')
    for (const text of ['单选题', '未做', 'F 章节题库 · 第1章']) expect(hit?.textContent).toContain(text)
    await user.click(hit ?? document.body)
    await screen.findByRole('heading', { level: 1, name: /^第1题，共1题/ })
    expect(screen.getByText(/第1章第3题：/)).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: /^A．/ }))
    await screen.findByText('回答错误', { selector: 'p:not([role])' })
    const state = (await offline.states(['F_q3'])).get('F_q3')
    expect(state).toMatchObject({ wrong: 1, chapterNo: 'F_c1', libraryNo: 'F' })
  })
  test('a wrong question whose chapter has left the device is found among the errors, and a tap opens it', async () => {
    await studied()
    const question = { ...single('F_q12'), stem: '第二章的第12题：只有题目本身还在' }
    await keepQuestions(offline.owner, [{ question, chapterNo: 'F_c2', libraryNo: 'F', retired: false }])
    await miss('F_q12', placeIn('F', 'F_c2'))
    await openSearch()
    await user.click((await dialog()).getByRole('radio', { name: '错题' }))
    await user.type(await field(), '题目本身')
    await (await dialog()).findByText('找到 1 道')
    await user.click(options()[0] ?? document.body)
    await screen.findByText('第二章的第12题：只有题目本身还在')
  })
  test('the batch that was left is not touched by it', async () => {
    await studied()
    const before = await offline.loadDraft(onDisk('batch:F_c1'))
    await openSearch()
    await fill('第2题')
    await (await dialog()).findByText('找到 1 道')
    await user.keyboard('{Enter}')
    await user.click(await screen.findByRole('radio', { name: /^B．/ }))
    await screen.findByText('回答正确', { selector: 'p:not([role])' })
    expect(await offline.loadDraft(onDisk('batch:F_c1'))).toEqual(before)
  })
  test('the question is there again at its address, and has left the batch that nobody has begun', async () => {
    await studied()
    const inBatch = async () =>
      v.parse(Snapshot, await offline.loadDraft(onDisk('batch:F_c1'))).items.map(({ no }) => no)
    expect(await inBatch()).toContain('F_q4')
    await openSearch()
    await fill('第4题')
    await (await dialog()).findByText('找到 1 道')
    await user.keyboard('{Enter}')
    await user.click(await screen.findByRole('radio', { name: /^B．/ }))
    await screen.findByText('回答正确', { selector: 'p:not([role])' })
    const address = window.location.pathname + window.location.search
    stage.close()
    await open(address)
    await screen.findByRole('heading', { level: 1, name: /^第1题，共1题/ })
    await screen.findByText(/第1章第4题：/)
    stage.close()
    const others = (await inBatch()).filter((no) => no !== 'F_q4')
    await open('/question/library_study/F_c1/5/x')
    await screen.findByRole('heading', { level: 1, name: new RegExp(`^第1题，共${others.length}题`) })
    await expect.poll(inBatch).toEqual(others)
  })
  test('among the errors only those answered wrongly are found', async () => {
    await studied()
    await miss('F_q5')
    await openSearch()
    await user.click((await dialog()).getByRole('radio', { name: '错题' }))
    await user.type(await field(), '第5题')
    await (await dialog()).findByText('找到 1 道')
    expect(options()[0]?.textContent).toContain('做错')
    await user.click((await dialog()).getByRole('radio', { name: '笔记' }))
    await (await dialog()).findByText(/^笔记里没有找到/)
  })
})

test('one’s own marks are known without a row of the error book, and not on the page', async () => {
  await studied()
  for (const no of ['F_q5', 'F_q6']) await miss(no)
  const read = vi.spyOn(IDBIndex.prototype, 'getAll')
  const onPage = vi.spyOn(offline, 'shelf')
  await openSearch()
  await user.click((await dialog()).getByRole('radio', { name: '错题' }))
  await user.type(await field(), '第5题')
  await (await dialog()).findByText('找到 1 道')
  const indexes = read.mock.contexts.flatMap((index) => (index instanceof IDBIndex ? [index.name] : []))
  expect(indexes).toContain('noted')
  expect(indexes).not.toContain('book')
  expect(indexes).not.toContain('due')
  expect(onPage).not.toHaveBeenCalled()
})

describe('the field', () => {
  test('searches nothing while an input method composes, and at once when it has', async () => {
    await studied()
    await openSearch()
    const input = await field()
    fireEvent.compositionStart(input)
    fireEvent.input(input, { target: { value: 'zhang' }, isComposing: true })
    expect((await dialog()).getByRole('status').textContent).toMatch(/道题都能搜/)
    fireEvent.input(input, { target: { value: '第1章' }, isComposing: true })
    fireEvent.compositionEnd(input)
    await (await dialog()).findByText('找到 7 道')
  })
  test('arrows choose, Enter opens', async () => {
    await studied()
    await openSearch()
    await fill('第1章')
    await (await dialog()).findByText('找到 7 道')
    const chosen = () => options().findIndex((one) => one.getAttribute('aria-selected') === 'true')
    expect(chosen()).toBe(0)
    await user.keyboard('{ArrowUp}{ArrowDown}{ArrowDown}')
    expect(chosen()).toBe(2)
    expect((await field()).getAttribute('aria-activedescendant')).toBe(options()[2]?.id)
    await user.keyboard('{Enter}')
    expect(await screen.findByText(/第1章第3题：/)).toBeTruthy()
  })
  test('the key / opens it, not while something is typed elsewhere; Esc gives the focus back', async () => {
    await studied()
    screen.getByRole('combobox', { name: /每组/ }).focus()
    await user.keyboard('/')
    expect(screen.queryByRole('dialog')).toBeNull()
    act(() => screen.getByRole('combobox', { name: /每组/ }).blur())
    await user.keyboard('/')
    const element = await screen.findByRole('dialog', { name: '搜题' })
    expect(document.activeElement).toBe(await field())
    fireEvent(element, new Event('cancel', { cancelable: true }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: '搜题' }))
  })
})

describe('what to do', () => {
  test('is said when there is nothing on the device yet', async () => {
    await open()
    await screen.findByRole('region', { name: 'F 章节题库' })
    await openSearch()
    expect((await dialog()).getByText(/^还没有下载题目。先联网打开一个章节做题，或下载题库/)).toBeTruthy()
    await user.type(await field(), '军令如山')
    await expect.poll(() => stage.wire.sent.some(({ path }) => path.endsWith('course/said'))).toBe(true)
    const status = (await dialog()).getByRole('status')
    expect(status.textContent).toMatch(/^还没有下载题目。/)
    expect(status.parentElement?.textContent).not.toContain('暂无更多')
  })
  test('is said when nothing is found', async () => {
    await studied()
    await openSearch()
    await user.type(await field(), '量子')
    expect(await (await dialog()).findByText(/^没有找到。换一个更短的词/)).toBeTruthy()
  })
  test('is said when the question is no longer on the device or in its block', async () => {
    await studied()
    stage.close()
    await open('/question/library_study/F_c1/1/x?q=F_q99&at=0')
    await screen.findByText('这道题已经更新或下架，请返回后重试')
    await user.click(screen.getByRole('button', { name: '返回' }))
    await screen.findByRole('heading', { level: 1, name: '题库' })
  })
})

describe('one’s notes on lessons', () => {
  const notes = async () =>
    within(await (await dialog()).findByRole('group', { name: '课时笔记' })).getAllByRole('option')
  const write = (lessonNo: string, second: number, text: string, noteNo: string = randomUUID()) =>
    offline.add({
      kind: 'lessonNote',
      payload: {
        noteNo,
        courseNo: 'N',
        lessonNo,
        ofKind: 'audio',
        titles: ['力学精讲', `受力分析${lessonNo}`],
        second,
        text,
      },
    })
  const address = () => window.location.pathname + window.location.search
  afterEach(async () => {
    for (const [noteNo, { lessonNo, second }] of await offline.things('lessonNote'))
      await write(lessonNo, second, '', noteNo)
  })
  test('are found without a network by what they say, tell lesson and time, and a tap opens the lesson there', async () => {
    await studied()
    await write('N_1', 42, '整体法先看外力')
    await write('N_2', 7, '隔离法')
    await openSearch()
    await (await dialog()).findByText(/^已下载的 7 道题和 2 条课时笔记都能搜/)
    await user.type(await field(), '外力')
    await (await dialog()).findByText('题目里没有找到，课时笔记里有 1 条')
    const [note, ...others] = await notes()
    expect(others).toEqual([])
    expect(note?.querySelector('mark')?.textContent).toBe('外力')
    for (const text of ['0:42', '受力分析N_1', '力学精讲', '整体法先看外力']) expect(note?.textContent).toContain(text)
    await user.click(note ?? document.body)
    await expect.poll(address).toBe('/course/course_audio/N/N_1?t=42')
  })
  test('are found by their lesson’s title, below the questions and by the arrows, among notes and not among errors', async () => {
    await studied()
    await write('N_1', 42, '第7题就是这样做的')
    await write('N_3', 5, '忘了的', 'aaaaaaaa-0000-4000-8000-000000000001')
    await write('N_3', 5, '', 'aaaaaaaa-0000-4000-8000-000000000001')
    await openSearch()
    await fill('第7题')
    await (await dialog()).findByText('找到 1 道，课时笔记 1 条')
    await user.keyboard('{ArrowDown}')
    expect((await notes())[0]?.getAttribute('aria-selected')).toBe('true')
    const box = await dialog()
    await user.clear(await field())
    await fill('受力')
    await user.click(box.getByRole('radio', { name: '错题' }))
    await box.findByText(/^错题里没有找到/)
    expect(box.queryByRole('group', { name: '课时笔记' })).toBeNull()
    await user.click(box.getByRole('radio', { name: '笔记' }))
    await box.findByText('题目里没有找到，课时笔记里有 1 条')
    await user.click(await field())
    await user.keyboard('{Enter}')
    await expect.poll(address).toBe('/course/course_audio/N/N_1?t=42')
  })
  test('can be searched on a device that has no question', async () => {
    await write('N_1', 42, '整体法先看外力')
    await open()
    await screen.findByRole('region', { name: 'F 章节题库' })
    await user.click(await screen.findByRole('button', { name: '搜题' }))
    await (await dialog()).findByText(/^已下载的 1 条课时笔记都能搜/)
    await user.type(await field(), '外力')
    expect(await notes()).toHaveLength(1)
  })
})

describe('what lessons say', () => {
  const vtt = (line: string) => Buffer.from(`WEBVTT\n\n00:07.500 --> 00:09.000\n${line}\n`)
  const lines = async () =>
    within(await (await dialog()).findByRole('group', { name: '课程文稿' })).getAllByRole('option')
  beforeAll(() =>
    publishLessons(
      stage.server,
      {
        SP_1: { '1.mp3': noise(100), 'zh.vtt': vtt('试看里说的第3题 <b>军令如山</b>') },
        SP_2: { '1.mp3': noise(100), 'zh.vtt': vtt('付费里说的军令如山') },
      },
      { no: 'SP', price: 100 },
    ),
  )
  const ask = async (words: string) => {
    await user.click(await screen.findByRole('button', { name: '搜题' }))
    await fill(words)
  }
  test('is found where the student may hear it, and a tap opens the lesson there', async () => {
    await open()
    await ask('军令如山')
    const [line, ...others] = await lines()
    expect(others).toEqual([])
    expect(line?.querySelector('mark')?.textContent).toBe('军令如山')
    for (const text of ['0:07', '第1课', 'SP 课程', '试看里说的']) expect(line?.textContent).toContain(text)
    await (await dialog()).findByText('题目里没有找到，课程文稿里有 1 处')
    await user.click(line ?? document.body)
    await expect.poll(() => stage.app?.path()).toMatch(/^\/course\/course_audio\/SP\/SP_1/)
  })
  test('comes below the questions, is reached by the arrows, and not among errors and notes', async () => {
    await studied()
    stage.wire.fault = null
    await ask('第3题')
    await (await dialog()).findByText('找到 1 道，课程文稿 1 处')
    await user.keyboard('{ArrowDown}')
    expect((await lines())[0]?.getAttribute('aria-selected')).toBe('true')
    await user.click((await dialog()).getByRole('radio', { name: '错题' }))
    const box = await dialog()
    await expect.poll(() => box.queryByRole('group', { name: '课程文稿' })).toBeNull()
  })
  test('is looked for on this device alone while there is no network', async () => {
    await studied()
    await ask('第3题')
    await (await dialog()).findByText('找到 1 道')
    expect(stage.wire.sent.some(({ path }) => path.endsWith('course/said'))).toBe(false)
  })
})
