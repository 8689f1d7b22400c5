import { fireEvent, render, screen, within } from '@testing-library/react'
import { more } from '#tests/support/more.ts'
import { userEvent } from '@testing-library/user-event'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Response } from '#src/contract/response.ts'
import { OP_PAYLOADS } from '#src/contract/study.ts'
import { Whole } from '#src/features/question/errorBook/Whole.tsx'
import { offline } from '#src/offline/index.ts'
import { History } from '#src/player/marks/History.tsx'
import { type Mode, start } from '#src/player/playerState.ts'
import { Player } from '#src/player/Player.tsx'
import styles from '#src/player/Player.module.css'
import { usePlayer } from '#src/player/usePlayer.ts'
import { textOf } from '#src/search/text.ts'
import { onDisk } from '#tests/support/drafts.ts'
import { items, order, single } from '#tests/support/questions.ts'

let user: ReturnType<typeof userEvent.setup>
let no = ''
let questions = 0
beforeEach(() => {
  user = userEvent.setup()
  no = `O${++questions}`
})
afterEach(() => vi.restoreAllMocks())

function Screen({ mode }: { mode: Mode }) {
  const player = usePlayer(start(items([order(no), single(`${no}_next`)]), mode), onDisk(`batch:${no}`), 'library')
  return <Player player={player} title="第一章" onEnd={() => {}} />
}
const study = (mode: Mode = 'practice') => render(<Screen mode={mode} />)
const rows = () => screen.getAllByRole('listitem').filter((row) => within(row).queryByRole('button', { name: /^上移/ }))
const letters = () => rows().map((row) => within(row).getByRole('button', { name: /位，共/ }).textContent)
const handle = (letter: string) => screen.getByRole('button', { name: new RegExp(`^${letter}，第`) })
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const orderOf = (...ids: string[]): Response => ({ kind: 'order', ids })
const recorded = async () =>
  (await offline.waiting())
    .map(({ payload }) => v.parse(OP_PAYLOADS.answer[2], payload))
    .filter(({ questionNo }) => questionNo === no)
    .map(({ response }) => response)

test('options are moved by arrows, keep their letters, and count as answered once one has moved', async () => {
  study()
  expect(letters()).toEqual(['A', 'B', 'C'])
  expect(button('确认答案').disabled).toBe(true)
  expect(button('上移 A').disabled).toBe(true)
  await user.click(button('上移 C'))
  await user.click(button('上移 C'))
  expect(letters()).toEqual(['C', 'A', 'B'])
  await user.click(button('确认答案'))
  expect((await screen.findAllByText('回答正确')).length).toBeGreaterThan(0)
  expect(await recorded()).toEqual([{ kind: 'order', ids: ['C', 'A', 'B'] }])
})

test('the button that confirms covers no row of an order that nobody has moved yet', async () => {
  study()
  const sticks = () => button('确认答案').classList.contains(styles.confirm ?? '')
  expect(sticks()).toBe(false)
  await user.click(button('上移 C'))
  expect(sticks()).toBe(true)
})

test('the focus stays with the option that an arrow or a key moves, also where its arrow ends', async () => {
  study()
  await user.click(button('上移 B'))
  expect(document.activeElement).toBe(handle('B'))
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(letters()).toEqual(['A', 'C', 'B'])
  expect(document.activeElement).toBe(handle('B'))
  await user.keyboard('{Home}')
  expect(letters()).toEqual(['B', 'A', 'C'])
  await user.keyboard('{End}{ArrowDown}')
  expect(letters()).toEqual(['A', 'C', 'B'])
  expect(screen.getByText('现在的顺序：A、C、B')).toBeTruthy()
})

test('an option is dragged by its letter to where it is dropped; a cancelled drag changes nothing', () => {
  study()
  // jsdom lays nothing out: rows of 50 px below one another.
  for (const [i, row] of rows().entries())
    vi.spyOn(row, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 50 * i, 300, 50))
  const scrolled = vi.fn<() => void>()
  for (const row of rows()) row.scrollIntoView = scrolled
  fireEvent.pointerDown(handle('C'), { clientY: 125, button: 0 })
  fireEvent.pointerMove(window, { clientY: 20 })
  fireEvent.pointerCancel(window)
  expect(letters()).toEqual(['A', 'B', 'C'])
  fireEvent.pointerDown(handle('C'), { clientY: 125, button: 0 })
  fireEvent.pointerMove(window, { clientY: 70 })
  expect(scrolled).toHaveBeenCalled()
  fireEvent.pointerUp(window)
  expect(letters()).toEqual(['A', 'C', 'B'])
})

test('a wrong order is shown in the right one, with the places that were given', async () => {
  study()
  await user.click(button('下移 A'))
  await user.click(button('确认答案'))
  const right = within(await screen.findByRole('list', { name: '正确的顺序' })).getAllByRole('listitem')
  expect(right.map((row) => row.textContent)).toEqual(['C卧倒你排在第 3 位', 'A瞄准位置对', 'B击发你排在第 1 位'])
  expect(screen.getByText('C→A→B')).toBeTruthy()
  expect(screen.getByText('B→A→C')).toBeTruthy()
})

test('is recited in the right order, and letters and numbers choose nothing in it', async () => {
  study()
  await user.keyboard('b1')
  expect(button('确认答案').disabled).toBe(true)
  await more('背题')
  const right = within(screen.getByRole('list', { name: '正确的顺序' })).getAllByRole('listitem')
  expect(right.map((row) => row.textContent)).toEqual(['C卧倒', 'A瞄准', 'B击发'])
})

test('printed, it lists its options under their letters and its key in the right order', () => {
  render(<Whole part={order()} material={null} answers />)
  const options = within(screen.getByRole('list')).getAllByRole('listitem')
  expect(options.map((each) => each.textContent)).toEqual(['A．瞄准', 'B．击发', 'C．卧倒'])
  expect(screen.getByText('正确答案 C→A→B')).toBeTruthy()
})

test('its earlier answers are told by letters', () => {
  const state = { lastAt: Date.UTC(2026, 10, 20), lastRight: false, lastResponse: orderOf('B', 'A', 'C') }
  render(<History part={order()} state={state} />)
  expect(screen.getByRole('list', { name: '作答记录' }).textContent).toContain('B→A→C')
})

test('it is found by what stands in its options', () => {
  expect(textOf(order()).rest).toContain('击发')
})
