import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import type { Question } from '#src/contract/question.ts'
import { offline } from '#src/offline/index.ts'
import { putBack, takeOut } from '#src/player/marks/bookActs.ts'
import { type Mode, start } from '#src/player/playerState.ts'
import { Player } from '#src/player/Player.tsx'
import { usePlayer } from '#src/player/usePlayer.ts'
import { blank, items, single } from '#tests/support/questions.ts'

function Screen({ questions, mode }: { questions: Question[]; mode: Mode }) {
  const player = usePlayer(start(items(questions), mode), null, 'library')
  return <Player player={player} title="第一章" onEnd={() => {}} />
}
const study = (question: Question, mode: Mode = 'practice') => render(<Screen questions={[question]} mode={mode} />)
const tap = async (letter: string) =>
  await userEvent.click(screen.getByRole('radio', { name: new RegExp(`^${letter}．`) }))
const book = async () => within(await screen.findByRole('region', { name: '错题本' }))
const stateOf = async (no: string) => (await offline.states([no])).get(no)

describe('under a miss', () => {
  test('one tap says why, another takes it back, and the record knows', async () => {
    study(single('K1'))
    await tap('A')
    const group = await screen.findByRole('group', { name: '错因' })
    const verdict = screen.getByText('回答错误', { selector: 'p:not([role])' })
    expect(verdict.nextElementSibling, 'right under the verdict').toBe(group)
    const causes = within(group)
    expect(causes.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      '不会',
      '看错',
      '思路错误',
      '时间不够',
      '蒙的',
    ])
    const misread = () => causes.getByRole('button', { name: '看错' })
    await userEvent.click(misread())
    await expect.poll(() => misread().getAttribute('aria-pressed')).toBe('true')
    expect(await stateOf('K1')).toMatchObject({ cause: 'misread' })
    await userEvent.click(misread())
    await expect.poll(() => misread().getAttribute('aria-pressed')).toBe('false')
    expect(await stateOf('K1')).not.toHaveProperty('cause')
  })
  test('stands what takes the question out, and it can be taken out and put back as it was', async () => {
    study(single('K2'))
    await tap('A')
    await (await book()).findByText('在错题本里，再答对 2 次自动移出')
    await userEvent.click((await book()).getByRole('button', { name: '移出错题本' }))
    await (await book()).findByText('已移出错题本')
    expect(screen.queryByRole('group', { name: '错因' })).toBeNull()
    await userEvent.click((await book()).getByRole('button', { name: '移回错题本' }))
    await (await book()).findByText('在错题本里，再答对 2 次自动移出')
    expect((await stateOf('K2'))?.book).toMatchObject({ from: 'library', out: false })
  })
})

test('put back by a double tap, it is as it was', async () => {
  study(single('K7'))
  await tap('A')
  await book()
  const missed = await stateOf('K7')
  if (!missed) throw new Error('nothing kept')
  await takeOut(missed)
  const shown = (await stateOf('K7')) ?? missed
  expect(shown.book?.out).toBe(true)
  await Promise.all([putBack(shown, 2), putBack(shown, 2)])
  // And a tap on a screen that does not know it yet.
  await putBack(shown, 2)
  expect(await stateOf('K7')).toEqual(missed)
})

test('right twice, a question of the book is on its shelf; missed, it is back', async () => {
  for (const [letter, said] of [
    ['A', '在错题本里，再答对 2 次自动移出'],
    ['B', '在错题本里，再答对 1 次自动移出'],
    ['B', '已消灭：连续答对 2 次'],
    ['C', '在错题本里，再答对 2 次自动移出'],
  ] as const) {
    const { unmount } = study(single('K3'))
    await tap(letter)
    await (await book()).findByText(said)
    unmount()
  }
  study(single('K3'), 'recite')
  const answers = (await book()).getByRole('list', { name: '作答记录' })
  const given = within(answers).getAllByRole('listitem')
  expect(given.map(({ textContent }) => textContent?.replace(/^.*日 /, ''))).toEqual([
    '✕ 错 C',
    '✓ 对 B',
    '✓ 对 B',
    '✕ 错 A',
  ])
})

test('the fourth miss says that it is a 顽固题 and what helps, until the book lets it go', async () => {
  const { rerender } = study(single('K6'))
  for (let n = 1; n <= 4; n++) {
    rerender(<Screen key={n} questions={[single('K6')]} mode="practice" />)
    await tap('A')
    await expect.poll(async () => (await stateOf('K6'))?.wrong).toBe(n)
    await expect.poll(async () => (await book()).queryByText('顽固题') !== null).toBe(n === 4)
  }
  await (await book()).findByText(/已错 4 次/)
  await userEvent.click((await book()).getByRole('button', { name: '移出错题本' }))
  await (await book()).findByText('已移出错题本')
  expect((await book()).queryByText('顽固题')).toBeNull()
})

test('of earlier answers to blanks it says which one was wrong', async () => {
  for (const second of ['武昌', '南昌']) {
    const { unmount } = study(blank('K4'))
    const [first, last] = screen.getAllByRole('textbox')
    if (!first || !last) throw new Error('two blanks')
    await userEvent.type(first, '1927')
    await userEvent.type(last, second)
    await userEvent.click(screen.getByRole('button', { name: '确认答案' }))
    await book()
    if (second === '武昌') unmount()
  }
  const earlier = await (await book()).findByRole('list', { name: '以前的作答' })
  expect(earlier.textContent).toMatch(/✕ 错 第1空 1927 ✓ 第2空 武昌 ✕/)
})

test('a question that never was wrong has no place in the book', async () => {
  study(single('K5'))
  await tap('B')
  await screen.findByText('回答正确', { selector: 'p:not([role])' })
  await expect.poll(async () => (await stateOf('K5'))?.times).toBe(1)
  expect(screen.queryByRole('region', { name: '错题本' })).toBeNull()
})
