import { act, render } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endView, forgetView, useLastView } from '#src/session/lastView.ts'
import { session } from '#src/session/session.ts'
import { showView } from '#src/session/showView.ts'

const chosen: string[] = []

interface ScreenProps {
  stem?: string
  shown?: boolean | null
}
/** A question as the player shows it: a heading, options, something to type, a way out. */
function Screen({ stem = '1+1=?', shown = true }: ScreenProps) {
  useLastView(shown)
  const [picked, setPicked] = useState('')
  return (
    <div>
      <main>
        <article>
          <p>{stem}</p>
          {['A', 'B'].map((id) => (
            <label key={id}>
              <input
                type="radio"
                name="q"
                checked={picked === id}
                onChange={() => {
                  setPicked(id)
                  chosen.push(id)
                }}
              />
              {id}
            </label>
          ))}
          <input type="text" aria-label="第1空" defaultValue="" />
        </article>
        <a href="/elsewhere" onClick={(event) => (event.preventDefault(), chosen.push('link'))}>
          退出
        </a>
      </main>
    </div>
  )
}

/** A page as the browser opens it: index.html with the name of its build, #root empty, then the script of showView.ts. */
function openPage(build = 'b1'): HTMLElement {
  document.documentElement.dataset.build = build
  document.body.innerHTML = '<div id="root"></div>'
  showView()
  const root = document.getElementById('root')
  if (!root) throw new Error('no root')
  return root
}
const view = (): HTMLElement | null => document.getElementById('view')
const tap = (text: string): void =>
  [...(view()?.querySelectorAll<HTMLElement>('label, a') ?? [])].find((found) => found.textContent === text)?.click()
/** Lets the screen be kept. */
const settle = (): void =>
  act(() => {
    vi.advanceTimersByTime(1_000)
  })
const start = (root: HTMLElement, props: ScreenProps = {}) => render(<Screen {...props} />, { container: root })

function leaveAfter(props: ScreenProps = {}): void {
  const { unmount } = start(openPage(), props)
  settle()
  unmount()
}

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  chosen.length = 0
  session.login('t1', 'u1')
})
afterEach(() => {
  vi.useRealTimers()
  document.body.innerHTML = ''
})

test('a finger that is down when the app comes still taps what it went down on', () => {
  leaveAfter()
  const root = openPage()
  const option = view()?.querySelectorAll('label')[1]
  option?.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  start(root)
  expect(view()).not.toBeNull()
  option?.click()
  settle()
  expect(view()).toBeNull()
  expect(chosen).toEqual(['B'])
})

test.each([
  ['scrolls', 'pointercancel', 50],
  ['rests', 'pointerup', 750],
])('a finger that %s holds nothing up for long', (_, end, ms) => {
  leaveAfter()
  const root = openPage()
  const heading = view()?.querySelector('p')
  heading?.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  start(root)
  heading?.dispatchEvent(new Event(end, { bubbles: true }))
  act(() => {
    vi.advanceTimersByTime(ms)
  })
  expect(view()).toBeNull()
  expect(chosen).toEqual([])
})

test('a next start shows what stood there, before the app is up, and the app takes its place', () => {
  leaveAfter()
  const root = openPage()
  expect(view()?.textContent).toContain('1+1=?')
  expect(root.hidden).toBe(true)
  start(root)
  expect(view()).toBeNull()
  expect(root.hidden).toBe(false)
  expect(root.textContent).toContain('1+1=?')
})

test('the view stays while the screen is still coming', () => {
  leaveAfter()
  const root = openPage()
  const { rerender } = start(root, { shown: null })
  expect(view()).not.toBeNull()
  rerender(<Screen />)
  expect(view()).toBeNull()
})

test('taps before the app was up are done once it is, in their order', () => {
  leaveAfter()
  const root = openPage()
  tap('A')
  tap('B')
  tap('退出')
  expect(chosen).toEqual([])
  start(root)
  expect(chosen).toEqual(['A', 'B', 'link'])
})

test('a tap on the input itself counts as well, and once', () => {
  leaveAfter()
  const root = openPage()
  view()?.querySelector<HTMLInputElement>('input[type=radio]')?.click()
  start(root)
  expect(chosen).toEqual(['A'])
})

test('a tap on one question is never done on another that looks alike', () => {
  leaveAfter()
  const root = openPage()
  tap('A')
  start(root, { stem: '2+2=?' })
  expect(chosen).toEqual([])
  expect(view()).toBeNull()
})

test('what was chosen and typed is seen in the view, and nothing can be typed into it', () => {
  const root = openPage()
  const { unmount } = start(root)
  const text = root.querySelector<HTMLInputElement>('input[type=text]')
  if (text) text.value = '二'
  act(() => root.querySelector('label')?.click())
  settle()
  unmount()
  openPage()
  expect([...(view()?.querySelectorAll('input') ?? [])].map((input) => [input.checked, input.value])).toEqual([
    [true, 'on'],
    [false, 'on'],
    [false, '二'],
  ])
  expect(view()?.querySelector<HTMLInputElement>('input[type=text]')?.readOnly).toBe(true)
})

test('the focus goes over to the same control', () => {
  leaveAfter()
  const root = openPage()
  view()?.querySelector<HTMLInputElement>('input[type=text]')?.focus()
  start(root)
  expect(document.activeElement).toBe(root.querySelector('input[type=text]'))
})

test.each([
  ['another student', () => session.login('t2', 'other')],
  ['another direction', () => session.setExam({ key: 'wz', name: '文职' })],
  ['another address', () => window.history.replaceState(null, '', '/question/library')],
  ['a logout', forgetView],
])('no view after %s', (_, change) => {
  window.history.replaceState(null, '', '/question/library_study/c1/20/x')
  leaveAfter()
  openPage()
  expect(view()).not.toBeNull()
  endView()
  change()
  expect(openPage().hidden).toBe(false)
  expect(view()).toBeNull()
})

test('no view from another build, whose styles are others', () => {
  leaveAfter()
  openPage('b2')
  expect(view()).toBeNull()
})

test('no view where no build is named: what was kept then may be of any', () => {
  openPage('')
  const { unmount } = start(openPage(''))
  settle()
  unmount()
  openPage('')
  expect(view()).toBeNull()
})

test('a screen that a next start would not show takes back what was kept', () => {
  leaveAfter()
  const { unmount } = start(openPage(), { shown: false })
  unmount()
  openPage()
  expect(view()).toBeNull()
})

test.each(['null', '7', '{"at":"/"}'])('a kept view %s is none', async (kept) => {
  localStorage.setItem('jk-view', kept)
  expect(openPage().hidden).toBe(false)
})

test('what lies far below the screen is left out, so that the first paint is not held up by it', () => {
  const root = openPage()
  const { unmount } = start(root)
  root.querySelector('main')?.insertAdjacentHTML('beforeend', '<section>近</section><section>远</section>')
  const [near, far] = root.querySelectorAll('section')
  if (!near || !far) throw new Error('no sections')
  near.getBoundingClientRect = () => new DOMRect(0, window.innerHeight, 1, 1)
  far.getBoundingClientRect = () => new DOMRect(0, window.innerHeight * 2, 1, 1)
  settle()
  unmount()
  openPage()
  expect([...(view()?.querySelectorAll('section') ?? [])].map((section) => section.textContent)).toEqual(['近'])
})

test('an open dialog is not part of the view', () => {
  const root = openPage()
  const { unmount } = start(root)
  root.querySelector('main')?.insertAdjacentHTML('beforeend', '<dialog open>确定？</dialog>')
  settle()
  unmount()
  openPage()
  expect(view()?.querySelector('dialog')).toBeNull()
})
