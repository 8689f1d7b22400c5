import { cleanup, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { Transcript } from '#src/features/course/lesson/parts/Transcript.tsx'
import { saidIn } from '#src/features/course/lesson/media/tracks.ts'

afterEach(cleanup)

const LINES = ['先看动能', '定理，它说合外力做的功', '等于动能的变化', '动能从哪里来'].map((text, i) => ({
  at: i * 65,
  text,
}))
const onSeek = vi.fn<(to: number) => void>()
const show = () => render(<Transcript element={null} lines={LINES} onSeek={onSeek} />)
const field = () => screen.getByRole('textbox', { name: '在文稿里查找' })
const says = () => screen.getByRole('status').textContent
const marks = () => [...document.querySelectorAll('mark')].map(({ textContent }) => textContent)
/** The line that is looked at. */
const line = () => document.querySelector('[data-found]')?.textContent

/** As a browser hands over a cue: jsdom has none. */
function cueOf(at: number, html: string): TextTrackCue {
  const whole = document.createRange().createContextualFragment(html)
  return Object.assign(new EventTarget(), {
    startTime: at,
    endTime: at + 1,
    id: '',
    track: null,
    pauseOnExit: false,
    onenter: null,
    onexit: null,
    getCueAsHTML: () => whole,
  })
}

test('what a cue says is what the browser understands of it; one without words is left out', () => {
  const cues = Object.assign([cueOf(1, '<b>x</b> &lt; 3&nbsp;&amp;\n4'), cueOf(2, '<i></i>')], {
    getCueById: () => null,
  })
  expect(saidIn({ cues })).toEqual([{ at: 1, text: 'x < 3 & 4' }])
  expect(saidIn({ cues: null })).toEqual([])
})

test('a word is found in each line that says it, marked, counted, and gone through with buttons, round and round', async () => {
  show()
  await userEvent.type(field(), '动能')
  expect(says()).toBe('第 1 处，共 3 处：先看动能')
  expect(marks()).toEqual(['动能', '动能', '动能'])
  await userEvent.click(screen.getByRole('button', { name: '下一处' }))
  expect([says(), line()]).toEqual(['第 2 处，共 3 处：等于动能的变化', '2:10等于动能的变化'])
  await userEvent.click(screen.getByRole('button', { name: '上一处' }))
  await userEvent.click(screen.getByRole('button', { name: '上一处' }))
  expect(line()).toBe('3:15动能从哪里来')
})

test('the keyboard goes through them: Enter and arrows, Shift+Enter back, Escape ends it', async () => {
  show()
  await userEvent.type(field(), '动能{Enter}{ArrowDown}')
  expect(line()).toBe('3:15动能从哪里来')
  await userEvent.keyboard('{Enter}')
  expect(line()).toBe('0:00先看动能')
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}{ArrowUp}')
  expect(line()).toBe('2:10等于动能的变化')
  await userEvent.keyboard('{Escape}')
  expect([marks(), says(), line()]).toEqual([[], '', undefined])
  expect(field()).toHaveProperty('value', '')
})

test('a word across two lines is marked in both, and what is nowhere says so', async () => {
  show()
  await userEvent.type(field(), '动能定理')
  expect([says(), marks()]).toEqual(['第 1 处，共 1 处：先看动能', ['动能', '定理']])
  await userEvent.clear(field())
  await userEvent.type(field(), '起义')
  expect(says()).toBe('没有找到，换一个更短的词试试')
  expect(screen.getByRole('button', { name: '下一处' })).toHaveProperty('disabled', true)
})

test('a line jumps to its time, found or not', async () => {
  show()
  await userEvent.type(field(), '变化')
  await userEvent.click(within(screen.getByRole('list')).getByRole('button', { name: /变化/ }))
  expect(onSeek).toHaveBeenLastCalledWith(130)
})
