import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
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

test('a note is written and read beside the question', async () => {
  onScreenOf(1920)
  render(<Screen mode="practice" />)
  const beside = await pane()
  await vi.waitFor(() => expect(beside.getByRole<HTMLButtonElement>('button', { name: '写笔记' }).disabled).toBe(false))
  await user.click(beside.getByRole('button', { name: '写笔记' }))
  const sheet = within(await screen.findByRole('dialog', { name: '笔记' }))
  await user.type(await sheet.findByRole('textbox'), '对称轴先算')
  await user.click(sheet.getByRole('button', { name: '保存' }))
  expect(await beside.findByText('对称轴先算')).toBeTruthy()
  expect(beside.getByRole('button', { name: '修改' })).toBeTruthy()
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
