import { onDisk } from '#tests/support/drafts.ts'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { libraryList } from '#src/contract/question.ts'
import { offline } from '#src/offline/index.ts'
// Ahead of time, as tests/support/app.tsx says.
import '#src/features/question/downloads/DownloadAll.tsx'
import '#src/features/question/downloads/PackBar.tsx'
import { byParent } from '#src/features/question/parts/chapterTree.ts'
import { blocksHere } from '#src/features/question/here.ts'
import { packs } from '#src/offline/downloads/packs/packs.ts'
import { session } from '#src/session/session.ts'
import { DIRECTION } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { type Fault, json, nobody, page, silence } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

let areas = 100
const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 2, perChapter: 7 }))
})
beforeEach(() => {
  // A region of its own for each test: nothing that another one has kept is shown here.
  session.setChoice({ key: String(++areas), name: '山东' }, DIRECTION)
})

const open = async (path = '/question/library') => await stage.open(path)
const LIST = '/pcapi/question/libraryList'
const list = (answer: Fault): void => {
  stage.wire.fault = (sent, signal) => (sent.path === LIST ? answer(sent, signal) : null)
}
const asked = () => stage.wire.sent.filter(({ path }) => path === LIST).length
const card = async () => within(await screen.findByRole('region', { name: 'L 章节题库' }))
const chapter = async (n: number) => (await card()).getByRole('link', { name: `第${n}章` })
/** All that is said of it and done with it. */
const row = async (n: number) => within((await chapter(n)).closest('li') ?? document.body)
const rowText = async (n: number) => (await chapter(n)).closest('li')?.textContent
/** Opened once with a network, so that the device has it. */
async function seenBefore(): Promise<void> {
  await open()
  await card()
  await expect.poll(() => stage.app?.queryClient.isFetching()).toBe(0)
  stage.close()
}

test('a chapter that is whole on this device says so, one that was never opened does not', async () => {
  await open('/question/library_study/L_c1/5/x')
  await screen.findByRole('heading', { level: 1, name: /^第1题/ })
  await expect.poll(async () => (await blocksHere()).size).toBe(1)
  stage.close()
  await open()
  await expect.poll(() => rowText(1)).toContain('可离线')
  expect(await rowText(2)).not.toContain('可离线')
  await packs.start('L')
  await expect.poll(() => rowText(2)).toContain('可离线')
  await packs.remove('L')
  await expect.poll(() => rowText(2)).not.toContain('可离线')
})

describe('the list of libraries', () => {
  test('shows each one’s subject, size and chapters', async () => {
    await open()
    const library = await card()
    expect(library.getByText('政治 · 14 题')).toBeTruthy()
    expect(await rowText(1)).toContain('0/7')
    expect(library.getByRole('link', { name: '开始 L 章节题库' })).toBeTruthy()
    expect(screen.getByRole('heading', { level: 1, name: '题库' })).toBeTruthy()
    expect(within(screen.getByRole('main')).getByText(DIRECTION.name)).toBeTruthy()
  })
  test('a chapter’s name and 开始 are links to its batch, of as many questions as were chosen', async () => {
    await open()
    const links = [await chapter(1), (await row(1)).getByRole('link', { name: '开始 第1章' })]
    const whole = (await card()).getByRole('link', { name: '开始 L 章节题库' })
    for (const each of links)
      expect(each.getAttribute('href')).toBe(`/question/library_study/L_c1/20/${encodeURIComponent('第1章')}`)
    expect(whole.getAttribute('href')).toContain('/question/library_study/L/20/')
    await userEvent.selectOptions(screen.getByLabelText('每组'), '5')
    for (const each of links) expect(each.getAttribute('href')).toContain('/L_c1/5/')
  })
  test('everything that can be done with a chapter says in words what it does', async () => {
    await open()
    const acts = (await row(1)).getAllByRole('button')
    expect(acts.map(({ textContent }) => textContent)).toEqual(['设置'])
    expect(screen.getByRole('button', { name: '搜题' }).textContent).toBe('搜题')
    expect((await screen.findByRole('button', { name: '学习统计' })).textContent).toBe('学习统计')
  })
  test('while it comes there is its shape, with a name', async () => {
    list(silence)
    await open()
    expect(await screen.findByText('正在加载...')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })
  test('of many shows twelve and as many more at its end; who comes back finds it as long as it was', async () => {
    const named = (n: number) => ({
      no: `M${n}`,
      title: `第${n}套题库`,
      subject: { no: 'politics', name: '政治' },
      total: 7,
      chapters: [{ no: `M${n}_c1`, parent: null, title: '第一章', total: 7 }],
    })
    const many = Array.from({ length: 30 }, (_, i) => named(i + 1))
    list(() => json({ status: 1, msg: '', data: many }))
    const cards = () => screen.queryAllByRole('region', { name: /^第\d+套题库$/ }).length
    await open()
    const twelfth = await screen.findByRole('region', { name: '第12套题库' })
    // The place is kept by it.
    expect(twelfth.dataset.row).toBe('M12')
    expect(cards()).toBe(12)
    await userEvent.click(screen.getByRole('button', { name: '显示更多' }))
    expect(cards()).toBe(24)
    await stage.app?.router.navigate({ to: '/question_set/question_set_list' })
    await expect.poll(cards).toBe(0)
    stage.app?.router.history.back()
    await screen.findByRole('region', { name: '第24套题库' })
    expect(cards()).toBe(24)
    await userEvent.click(screen.getByRole('button', { name: '显示更多' }))
    expect(cards()).toBe(30)
    expect(screen.queryByRole('button', { name: '显示更多' })).toBeNull()
  })
  test('what opens the chapters below stands beside the name, and leaves the line below to the figures', async () => {
    const libraries = await stage.server.call(libraryList, {}, '', { sg_key: DIRECTION.key, area: '0' })
    const nested = libraries.map((library) => ({
      ...library,
      chapters: library.chapters.map((each) => ({ ...each, parent: each.no === 'L_c2' ? 'L_c1' : null })),
    }))
    list(() => json({ status: 1, msg: '', data: nested }))
    await open()
    const name = await chapter(1)
    const opens = await screen.findByRole('button', { name: '展开 第1章' })
    expect(name.parentElement?.contains(opens)).toBe(true)
    expect(name.parentElement?.contains(screen.getByRole('button', { name: '练习设置 第1章' }))).toBe(false)
    await userEvent.click(opens)
    await chapter(2)
    await userEvent.click(screen.getByRole('button', { name: '收起 第1章' }))
    expect(screen.queryByRole('link', { name: '第2章' })).toBeNull()
  })
  test('without a library it says 暂无更多...', async () => {
    list(() => json({ status: 1, msg: '', data: [] }))
    await open()
    await screen.findByText('暂无更多...')
  })
  test('a fault of the server is tried again quietly, then told, and can be tried by hand', async () => {
    list(() => page(500))
    await open()
    expect((await screen.findByRole('alert')).textContent).toContain('服务器开小差了，稍后再试试!')
    expect(asked()).toBe(3)
    expect(screen.queryByRole('dialog')).toBeNull()
    stage.wire.fault = null
    await userEvent.click(screen.getByRole('button', { name: '重试' }))
    await card()
  })
  test('a refusal is told in the server’s words, and not tried again', async () => {
    list(() => json({ status: 0, msg: '该方向暂未开放', data: null }))
    await open()
    expect((await screen.findByRole('alert')).textContent).toContain('该方向暂未开放')
    expect(asked()).toBe(1)
  })
  test('never seen and without a network: it says what helps', async () => {
    stage.wire.fault = nobody
    await open()
    expect((await screen.findByRole('alert')).textContent).toContain('此内容尚未下载，联网后可查看')
    expect(asked()).toBe(1)
    stage.wire.fault = null
    await userEvent.click(screen.getByRole('button', { name: '重试' }))
    await card()
  })
  test('a captive portal is no network', async () => {
    stage.wire.fault = () => page(200)
    await open()
    expect((await screen.findByRole('alert')).textContent).toContain('此内容尚未下载，联网后可查看')
  })
  test('seen before and without a network: it is there, and nothing is wrong', async () => {
    await seenBefore()
    stage.wire.fault = nobody
    await open()
    await card()
    expect(screen.queryByRole('alert')).toBeNull()
  })
  test('seen long ago and without a network: it is there, and says of when it is', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await seenBefore()
    vi.setSystemTime(Date.now() + 30 * 86_400_000)
    stage.wire.fault = nobody
    await open()
    await card()
    await screen.findByText(/^当前离线，显示的是 .*的题库$/)
  })
  test('of another region is never shown here', async () => {
    await seenBefore()
    session.setChoice({ key: String(++areas), name: '河北' }, DIRECTION)
    stage.wire.fault = nobody
    await open()
    await screen.findByRole('alert')
    expect(screen.queryByRole('region', { name: 'L 章节题库' })).toBeNull()
  })
})

describe('the subjects', () => {
  const named = (no: string, name: string) => ({
    no: `N_${no}`,
    title: `${name}题库`,
    subject: { no, name },
    total: 7,
    chapters: [{ no: `N_${no}_c1`, parent: null, title: `${name}第一章`, total: 7 }],
    pack: null,
  })
  const three = [named('chinese', '语文'), named('math', '数学'), named('english', '英语')]
  const openThree = async (): Promise<void> => {
    list(() => json({ status: 1, msg: '', data: three }))
    await open()
    await screen.findByRole('group', { name: '科目' })
  }
  const shown = () =>
    screen.getAllByRole('region', { name: /^(语文|数学|英语)题库$/ }).map(({ dataset }) => dataset.row)
  const pick = (name: string) => userEvent.click(screen.getByRole('button', { name }))
  const studied = (no: string) => localStorage.setItem(`jk-last:${session.owner()}`, `${no}/20/x`)

  test('are opened one at a time, and the choice is there the next time', async () => {
    await openThree()
    expect(shown()).toEqual(['N_chinese'])
    await pick('英语')
    expect(shown()).toEqual(['N_english'])
    expect(screen.getByRole('button', { name: '英语' }).getAttribute('aria-pressed')).toBe('true')
    stage.close()
    await openThree()
    expect(shown()).toEqual(['N_english'])
  })
  test('what was studied last is open first, also after another choice, and a choice after that stays', async () => {
    studied('N_math_c1')
    await openThree()
    expect(shown()).toEqual(['N_math'])
    await pick('语文')
    studied('N_english')
    stage.close()
    await openThree()
    expect(shown()).toEqual(['N_english'])
    await pick('语文')
    stage.close()
    await openThree()
    expect(shown()).toEqual(['N_chinese'])
  })
  test('one that was chosen and is in this direction no more gives way to the first', async () => {
    localStorage.setItem(`jk-subject:${session.owner()}`, 'history/')
    await openThree()
    expect(shown()).toEqual(['N_chinese'])
  })
})

describe('a long library', () => {
  const chapters = Array.from({ length: 5000 }, (_, i) => ({
    no: `B_c${i}`,
    parent: null,
    title: `第${i + 1}节`,
    total: 6,
  }))
  const subject = { no: 'politics', name: '政治' }
  test('of 5,000 chapters and 30,000 questions shows forty and as many more at its end', async () => {
    list(() =>
      json({ status: 1, msg: '', data: [{ no: 'B', title: '大题库', subject, total: 30_000, chapters, pack: null }] }),
    )
    await open()
    const big = within(await screen.findByRole('region', { name: '大题库' }))
    expect(big.getAllByRole('listitem')).toHaveLength(40)
    await userEvent.click(big.getByRole('button', { name: '显示更多' }))
    expect(big.getAllByRole('listitem')).toHaveLength(80)
  })
  test('is put into a tree in a time that grows as its chapters do', () => {
    const many = (n: number) =>
      Array.from({ length: n }, (_, i) => ({ no: `c${i}`, parent: null, title: '', total: 1 }))
    const time = (list: ReturnType<typeof many>): number => {
      const started = performance.now()
      expect(byParent(list).get(null)).toHaveLength(list.length)
      return performance.now() - started
    }
    const quickest = (n: number) => Math.min(...Array.from({ length: 5 }, () => time(many(n))))
    // Ten times as many: a copy for each would take a hundred times as long.
    expect(quickest(40_000)).toBeLessThan(40 * Math.max(0.1, quickest(4_000)))
  })
})

describe('from the list into a chapter', () => {
  test('a tap starts a batch of the size that was chosen, which is remembered', async () => {
    await open()
    await card()
    await userEvent.selectOptions(screen.getByRole('combobox', { name: '每组' }), '5 题')
    expect(session.get().chapterCount).toBe(5)
    await userEvent.click(await chapter(2))
    await expect.poll(() => decodeURIComponent(window.location.pathname)).toBe('/question/library_study/L_c2/5/第2章')
    await screen.findByRole('heading', { level: 1, name: /^第1题，共5题/ })
    await userEvent.click(screen.getByRole('button', { name: '退出练习' }))
    await card()
  })
  test('a chapter can be set up from its row, and is then dealt so', async () => {
    await open()
    await userEvent.click((await card()).getByRole('button', { name: '练习设置 第2章' }))
    const sheet = within(await screen.findByRole('dialog', { name: '练习设置' }))
    await sheet.findByText('符合条件 7 题')
    await userEvent.click(sheet.getByRole('radio', { name: '背题' }))
    await userEvent.click(sheet.getByRole('button', { name: '按此设置开始' }))
    await screen.findByText('背题', { selector: '[aria-pressed=true]' })
    expect(decodeURIComponent(window.location.pathname)).toMatch(/^\/question\/library_study\/L_c2\/\d+\/第2章$/)
  })
  test('what was answered is counted at once, and the way in says 继续', async () => {
    await open()
    await userEvent.click(await chapter(1))
    for (const [n, letter] of ['B', 'A'].entries()) {
      await screen.findByRole('heading', { level: 1, name: new RegExp(`^第${n + 1}题`) })
      await userEvent.click(screen.getByRole('radio', { name: new RegExp(`^${letter}．`) }))
      await screen.findByText(letter === 'B' ? '回答正确' : '回答错误', { selector: 'p:not([role])' })
      await userEvent.click(screen.getByRole('button', { name: '下一题' }))
    }
    await userEvent.click(screen.getByRole('button', { name: '退出练习' }))
    await expect.poll(() => rowText(1)).toContain('2/7')
    expect(await rowText(1)).toContain('正确率 50%')
    expect((await card()).getByRole('link', { name: '继续 L 章节题库' })).toBeTruthy()
    expect((await row(1)).getByRole('link', { name: '继续 第1章' })).toBeTruthy()
    expect(await rowText(2)).toContain('0/7')
    expect(await offline.waiting()).toHaveLength(2)
    // And the batch goes on where it was left.
    await userEvent.click(await chapter(1))
    await screen.findByRole('heading', { level: 1, name: /^第3题/ })
  })
  test('what the operator has changed reaches a device that had the chapter, with the next batch', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const path = '/question/library_study/L_c2/5/x'
    await open(path)
    await screen.findByRole('heading', { level: 1, name: /^第1题，共5题/ })
    // Else it would be saved on leaving, behind the dropping.
    await expect.poll(() => offline.loadDraft(onDisk('batch:L_c2'))).toBeTruthy()
    stage.close()
    vi.setSystemTime(Date.now() + 86_400_000)
    const outlines = () => stage.wire.sent.filter(({ path }) => path === '/pcapi/question/chapter').length
    const before = outlines()
    // Behind what was saved on leaving.
    await offline.saveDraft({ key: onDisk('other'), value: 1 })
    await offline.dropDraft(onDisk('batch:L_c2'))
    await open(path)
    await screen.findByRole('heading', { level: 1, name: /^第1题，共5题/ })
    await expect.poll(outlines).toBe(before + 1)
  })
})
