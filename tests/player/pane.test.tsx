import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type Mode, start } from '#src/player/playerState.ts'
import { Player } from '#src/player/Player.tsx'
import { usePlayer } from '#src/player/usePlayer.ts'
import { onDisk } from '#tests/support/drafts.ts'
import { items, judge, single } from '#tests/support/questions.ts'

let user: ReturnType<typeof userEvent.setup>
let no = ''
let batches = 0
beforeEach(() => {
  user = userEvent.setup()
  no = `P${++batches}`
  Element.prototype.scrollIntoView = vi.fn<() => void>()
})
const onScreenOf = (width: number) =>
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    matches: width >= Number(/min-width: (\d+)px/.exec(query)?.[1] ?? Infinity),
    media: query,
    onchange: null,
    addListener: () => {},
    removeListener: () => {},
    addEventListener: () => {},
    removeEventListener: () => {},
    dispatchEvent: () => false,
  }))
function Screen({ mode }: { mode: Mode }) {
  const player = usePlayer(start(items([judge(`${no}a`), single(`${no}b`)]), mode), onDisk(`batch:${no}`), 'library')
  return <Player player={player} title="第一章" onEnd={() => {}} />
}
const pane = async () => within(await screen.findByRole('complementary', { name: '答题卡、解析和笔记' }))

test('on a wide screen 答题卡 and the analysis stand beside the question', async () => {
  onScreenOf(1200)
  render(<Screen mode="practice" />)
  const beside = await pane()
  expect(beside.queryByText(`${no}a 的解析`)).toBeNull()
  await user.click(screen.getByRole('radio', { name: /对/ }))
  expect(await beside.findByText(`${no}a 的解析`)).toBeTruthy()
  expect(screen.getAllByText(`${no}a 的解析`)).toHaveLength(1)
  expect(beside.getByRole('button', { name: '第1题，答对' })).toBeTruthy()
  await user.click(beside.getByRole('button', { name: '第2题，未答' }))
  expect(screen.getByText(`${no}b 的题干`)).toBeTruthy()
  expect(screen.queryByText(`${no}a 的解析`)).toBeNull()
})

describe('the note beside the question', () => {
  const canWrite = async (name = '写笔记') => {
    const beside = await pane()
    await vi.waitFor(() => expect(beside.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(false))
    return beside
  }
  const field = async () => (await pane()).findByRole<HTMLTextAreaElement>('textbox', { name: '我的笔记' })

  test('is written and read in its place, with the question in sight', async () => {
    onScreenOf(1920)
    render(<Screen mode="practice" />)
    const beside = await canWrite()
    await user.click(beside.getByRole('button', { name: '写笔记' }))
    await waitFor(async () => expect(document.activeElement).toBe(await field()))
    await user.type(await field(), '对称轴先算')
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(beside.getByRole('button', { name: '保存' }))
    const change = await beside.findByRole('button', { name: '修改' })
    expect(document.activeElement).toBe(change)
    expect(beside.getByText('对称轴先算')).toBeTruthy()
    expect(beside.queryByText('还没保存：')).toBeNull()
  })
  test('stays open from question to question, each with its own, and what was typed is there again', async () => {
    onScreenOf(1280)
    render(<Screen mode="practice" />)
    const beside = await canWrite()
    await user.click(beside.getByRole('button', { name: '写笔记' }))
    await user.type(await field(), '写到一半')
    await user.click(screen.getByRole('button', { name: '下一题' }))
    await screen.findByText(`${no}b 的题干`)
    await waitFor(async () => expect((await field()).value).toBe(''))
    // The student went to a question, not to its note.
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
    await user.type(await field(), '第二题的')
    await user.click(screen.getByRole('button', { name: '上一题' }))
    await screen.findByText(`${no}a 的题干`)
    await waitFor(async () => expect((await field()).value).toBe('写到一半'))
    await user.click(beside.getByRole('button', { name: '第2题，未答' }))
    await waitFor(async () => expect((await field()).value).toBe('第二题的'))
  })
  test('that was closed before it was saved says so, with what was typed', async () => {
    onScreenOf(1280)
    render(<Screen mode="practice" />)
    const beside = await canWrite()
    await user.click(beside.getByRole('button', { name: '写笔记' }))
    await user.type(await field(), '写到一半')
    await user.click(beside.getByRole('button', { name: '收起' }))
    expect((await beside.findByText('还没保存：')).parentElement?.textContent).toBe('还没保存：写到一半')
    await user.click(beside.getByRole('button', { name: '写笔记' }))
    expect((await field()).value).toBe('写到一半')
  })
  test('is opened by its key, which types nothing, and closed by Escape', async () => {
    onScreenOf(1280)
    render(<Screen mode="practice" />)
    const beside = await canWrite()
    await screen.findByRole('button', { name: /^更多/ })
    await user.keyboard('n')
    await waitFor(async () => expect(document.activeElement).toBe(await field()))
    await user.click(screen.getByRole('heading', { level: 1 }))
    await user.keyboard('n')
    expect(document.activeElement).toBe(await field())
    await user.keyboard('先审题{Escape}')
    expect((await beside.findByText('还没保存：')).parentElement?.textContent).toBe('还没保存：先审题')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

test('in an exam nothing but 答题卡 stands there', async () => {
  onScreenOf(1280)
  render(<Screen mode="exam" />)
  const beside = await pane()
  expect(beside.getByRole('button', { name: '第1题，未答' })).toBeTruthy()
  expect(beside.queryByRole('heading', { name: '笔记' })).toBeNull()
})

test('on a narrower screen the analysis stands below the question', async () => {
  onScreenOf(1199)
  render(<Screen mode="practice" />)
  await user.click(screen.getByRole('radio', { name: /对/ }))
  const analysis = await screen.findByText(`${no}a 的解析`)
  expect(analysis.closest('article')).toBeTruthy()
  expect(screen.queryByRole('complementary', { name: '答题卡、解析和笔记' })).toBeNull()
})
