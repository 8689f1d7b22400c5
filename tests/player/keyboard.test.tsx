import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { start } from '#src/player/playerState.ts'
import { Player } from '#src/player/Player.tsx'
import { usePlayer } from '#src/player/usePlayer.ts'
import { essay, items } from '#tests/support/questions.ts'

/** A phone of 360 × 640, whose keyboard leaves 300 px to be seen. jsdom lays nothing out: a line of a field is 20 px high. */
const LINE_PX = 20
const seen = Object.assign(new EventTarget(), { width: 360, height: 640, offsetTop: 0, scale: 1 })
const scrolledBy = vi.fn<(x: number, y: number) => void>()
let questions = 0
let fieldHeight = 600
beforeEach(() => {
  Object.assign(seen, { width: 360, height: 640, offsetTop: 0, scale: 1 })
  fieldHeight = 600
  scrolledBy.mockClear()
  vi.stubGlobal('visualViewport', seen)
  vi.stubGlobal('innerWidth', 360)
  vi.stubGlobal('innerHeight', 640)
  vi.stubGlobal('scrollBy', scrolledBy)
  vi.spyOn(HTMLTextAreaElement.prototype, 'scrollHeight', 'get').mockImplementation(function height(
    this: HTMLTextAreaElement,
  ) {
    return this.value.split('\n').length * LINE_PX
  })
  vi.spyOn(HTMLTextAreaElement.prototype, 'clientHeight', 'get').mockImplementation(() => fieldHeight)
  vi.spyOn(HTMLTextAreaElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 200, 328, 600))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function Screen() {
  const player = usePlayer(start(items([essay(`K${++questions}`)])), null, 'library')
  return <Player player={player} title="第六章 写作" onEnd={() => {}} />
}
const user = userEvent.setup()
const root = document.documentElement
const resize = (change: Partial<Record<'height' | 'offsetTop' | 'scale', number>>) =>
  act(() => {
    Object.assign(seen, change)
    seen.dispatchEvent(new Event('resize'))
  })
const lines = (count: number) => Array.from({ length: count }, (_, i) => `第${i + 1}行`).join('\n')
/** The field as it is pasted into, and the counter below it. */
const write = async (text: string) => {
  render(<Screen />)
  await screen.findByText('已写 0 字')
  const area = screen.getByRole<HTMLTextAreaElement>('textbox')
  await user.click(area)
  await user.paste(text)
  return area
}

describe('the essay of a question', () => {
  test('says that the keyboard is open, and how much of the page it covers, until it is closed', async () => {
    const area = await write('底气')
    expect(root.hasAttribute('data-keyboard')).toBe(false)
    resize({ height: 300 })
    expect(root.hasAttribute('data-keyboard')).toBe(true)
    expect(root.style.getPropertyValue('--lj-keyboard')).toBe('340px')
    // Some browsers move what is seen down the page.
    resize({ offsetTop: 140 })
    expect(root.style.getPropertyValue('--lj-keyboard')).toBe('200px')
    act(() => area.blur())
    expect(root.hasAttribute('data-keyboard')).toBe(false)
    act(() => area.focus())
    expect(root.hasAttribute('data-keyboard')).toBe(true)
    resize({ height: 640, offsetTop: 0 })
    expect(root.hasAttribute('data-keyboard')).toBe(false)
  })

  test('covers nothing where the browser makes the page lower, and counts all the same', async () => {
    await write('底气')
    vi.stubGlobal('innerHeight', 300)
    resize({ height: 300 })
    expect(root.hasAttribute('data-keyboard')).toBe(true)
    expect(root.style.getPropertyValue('--lj-keyboard')).toBe('0px')
  })

  test.each([
    ['a bar of the browser that comes', { height: 560 }],
    ['a page that is magnified', { height: 300, scale: 2.1 }],
  ])('takes %s for no keyboard', async (_, change) => {
    await write('底气')
    resize(change)
    expect(root.hasAttribute('data-keyboard')).toBe(false)
  })

  test('takes a phone that is turned for no keyboard', async () => {
    await write('底气')
    vi.stubGlobal('innerWidth', 640)
    resize({ height: 300 })
    expect(root.hasAttribute('data-keyboard')).toBe(false)
  })

  test('has the line being typed above the counter when the keyboard opens, and with each line more', async () => {
    const area = await write(lines(10))
    const counter = screen.getByText(/^已写/).closest('div')
    if (!counter) throw new Error('no counter')
    vi.spyOn(counter, 'offsetHeight', 'get').mockReturnValue(44)
    resize({ height: 300 })
    // The tenth line ends 400 px down the window, of which the keyboard leaves 300 and the counter 256.
    expect(scrolledBy.mock.calls).toEqual([[0, 144]])
    await user.type(area, '{Enter}')
    expect(scrolledBy.mock.calls.slice(1)).toEqual([[0, 164]])
  })

  test('stays where it is while the line being typed is seen', async () => {
    const area = await write(lines(10))
    area.setSelectionRange(1, 1)
    resize({ height: 300 })
    expect(scrolledBy).not.toHaveBeenCalled()
  })

  test('leaves no keyboard behind when its question is left', async () => {
    await write('底气')
    resize({ height: 300 })
    cleanup()
    expect(root.hasAttribute('data-keyboard')).toBe(false)
  })
})

describe('the whole screen to write on', () => {
  const whole = async (text: string) => {
    await write(text)
    await user.click(await screen.findByRole('button', { name: '全屏作答' }))
    const dialog = await screen.findByRole<HTMLDialogElement>('dialog', { name: '全屏作答' })
    return { dialog, area: within(dialog).getByRole<HTMLTextAreaElement>('textbox') }
  }

  test('is as high as what is seen above the keyboard, with counter and time in it', async () => {
    const { dialog } = await whole('底气')
    resize({ height: 300, offsetTop: 60 })
    expect([dialog.style.height, dialog.style.marginTop]).toEqual(['300px', '60px'])
    expect(within(dialog).getByText('已写 2 字')).toBeTruthy()
    resize({ height: 640, offsetTop: 0 })
    expect([dialog.style.height, dialog.style.marginTop]).toEqual(['640px', '0px'])
  })

  test('keeps the line being typed in sight when the keyboard opens', async () => {
    const { area } = await whole(lines(20))
    fieldHeight = 100
    resize({ height: 300 })
    expect(area.scrollTop).toBe(300)
    area.style.lineHeight = `${LINE_PX}px`
    area.setSelectionRange(1, 1)
    resize({ height: 310 })
    expect(area.scrollTop).toBe(0)
  })

  test('keeps it in sight when the prompt is opened, which takes its room', async () => {
    const { dialog, area } = await whole(lines(20))
    fieldHeight = 100
    fireEvent(within(dialog).getByRole('group'), new Event('toggle'))
    expect(area.scrollTop).toBe(300)
  })

  test('leaves the text where its student has scrolled it while the keyboard stays', async () => {
    const { area } = await whole(lines(20))
    fieldHeight = 100
    resize({ height: 300 })
    area.scrollTop = 40
    act(() => void seen.dispatchEvent(new Event('scroll')))
    expect(area.scrollTop).toBe(40)
  })

  test('leaves no copy of the text behind', async () => {
    const { dialog } = await whole(lines(20))
    resize({ height: 300 })
    expect(dialog.querySelectorAll('textarea')).toHaveLength(1)
  })
})
