import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Question } from '#src/contract/question.ts'
import { type Mode, next, type PlayerState, start } from '#src/player/playerState.ts'
import { Player } from '#src/player/Player.tsx'
import { usePlayer } from '#src/player/usePlayer.ts'
import { more } from '#tests/support/more.ts'
import { blank, composite, essay, items, judge, multiple, order, single } from '#tests/support/questions.ts'

let user: ReturnType<typeof userEvent.setup>
let no = ''
let questions = 0
/** The texts that were brought into view, and how. */
const scrolled = vi.fn<(text: string | null, how: unknown) => void>()
const scrollIntoView = Element.prototype.scrollIntoView
beforeEach(() => {
  user = userEvent.setup()
  no = `V${++questions}`
  scrolled.mockClear()
  Element.prototype.scrollIntoView = function into(this: Element, how) {
    scrolled(this.textContent, how)
  }
})
afterEach(() => {
  Element.prototype.scrollIntoView = scrollIntoView
  vi.restoreAllMocks()
})

function Screen({ state }: { state: PlayerState }) {
  const player = usePlayer(state, null, 'library')
  const handIn = () => player.dispatch({ type: 'hand-in', strict: false, opIds: {} })
  return (
    <Player player={player} title="第一章" onEnd={() => {}} onHandIn={state.mode === 'exam' ? handIn : undefined} />
  )
}
const study = (all: Question[], mode: Mode = 'practice') => render(<Screen state={start(items(all), mode)} />)
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const radio = (letter: string) => screen.getByRole('radio', { name: new RegExp(`^${letter}．`) })
const verdict = (text: string) => screen.findByText(text, { selector: 'p:not([role])' })
const SMOOTHLY = { block: 'nearest', behavior: 'smooth' }
const heading = (name: RegExp) => screen.findByRole('heading', { level: 1, name })

describe('the verdict comes into view when the answer is marked', () => {
  const once = async (text: string) => await expect.poll(() => scrolled.mock.calls).toEqual([[text, SMOOTHLY]])

  test('of a single choice, by a tap', async () => {
    study([single(no)])
    expect(scrolled).not.toHaveBeenCalled()
    await user.click(radio('B'))
    await once('回答正确')
  })

  test('of several choices, by their button', async () => {
    study([multiple(no)])
    await user.click(screen.getByRole('checkbox', { name: /^B．/ }))
    expect(scrolled).not.toHaveBeenCalled()
    await user.click(button('确认答案'))
    await once('回答错误')
  })

  test('of blanks, by the enter key', async () => {
    study([blank(no, [['1927']])])
    await user.type(screen.getByRole('textbox'), '1928{Enter}')
    await once('回答错误')
  })

  test('of an essay, once its student has marked it', async () => {
    study([essay(no)])
    await user.type(screen.getByRole('textbox'), '要点')
    await user.click(button('看参考答案并自评'))
    await user.click(screen.getByRole('checkbox', { name: /要点一/ }))
    await user.click(screen.getByRole('checkbox', { name: /要点二/ }))
    expect(scrolled).not.toHaveBeenCalled()
    await user.click(button('完成自评'))
    await once('自评 5/5 分')
  })

  test('of options that were put in order', async () => {
    study([order(no)])
    await user.click(button('上移 C'))
    await user.click(button('上移 C'))
    await user.click(button('确认答案'))
    await once('回答正确')
  })

  test('of a question of a material', async () => {
    study([composite(no, [single(`${no}_1`), judge(`${no}_2`)])])
    await user.click(radio('A'))
    await once('回答错误')
  })

  test('below the reasons of the options, which are drawn a moment later', async () => {
    const question = single(no)
    study([{ ...question, options: question.options.map((each) => ({ ...each, why: `为什么${each.id}` })) }])
    const reasons: number[] = []
    scrolled.mockImplementation(() => void reasons.push(screen.queryAllByText(/^为什么/).length))
    await user.click(radio('B'))
    await expect.poll(() => reasons).toEqual([4])
  })

  test('without gliding, for who wants less motion', async () => {
    const all = window.matchMedia
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      Object.assign(all.call(window, query), { matches: query.includes('reduced-motion') }),
    )
    study([single(no)])
    await user.click(radio('B'))
    await expect.poll(() => scrolled.mock.calls).toEqual([['回答正确', { block: 'nearest', behavior: 'auto' }]])
  })
})

describe('the page stays where it is', () => {
  test('when its student comes back to a question that is marked', async () => {
    study([single(no), single(`${no}_2`)])
    await user.click(radio('B'))
    await expect.poll(() => scrolled.mock.calls).toHaveLength(1)
    await user.click(button('下一题'))
    await heading(/^第2题/)
    await user.click(button('上一题'))
    await verdict('回答正确')
    await screen.findByText(`${no} 的解析`)
    expect(scrolled).toHaveBeenCalledOnce()
  })

  test('when answers are shown by 背题, and hidden again', async () => {
    study([single(no)])
    await more('背题')
    await screen.findByText(`${no} 的解析`)
    await user.click(button('背题'))
    expect(scrolled).not.toHaveBeenCalled()
    await user.click(radio('B'))
    await expect.poll(() => scrolled.mock.calls).toHaveLength(1)
    await more('背题')
    await user.click(button('背题'))
    await verdict('回答正确')
    expect(scrolled).toHaveBeenCalledOnce()
  })

  test('when a paper is handed in as a whole', async () => {
    study([single(no)], 'exam')
    await user.click(radio('B'))
    await user.click(button('交卷'))
    await verdict('回答正确')
    await screen.findByText(`${no} 的解析`)
    expect(scrolled).not.toHaveBeenCalled()
  })

  test('when a batch is gone on with at a question that is marked', async () => {
    const part = single(no)
    const fresh = next(start(items([part])), { type: 'choose', part, id: 'B' })
    render(<Screen state={next(fresh, { type: 'marked', part, right: true })} />)
    await verdict('回答正确')
    await screen.findByText(`${no} 的解析`)
    expect(scrolled).not.toHaveBeenCalled()
  })
})
