import { onDisk } from '#tests/support/drafts.ts'
import { fireEvent, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { type ReactNode, useEffect, useState } from 'react'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Question } from '#src/contract/question.ts'
import { OP_PAYLOADS } from '#src/contract/study.ts'
import type { Response } from '#src/contract/response.ts'
import { StorageError } from '#src/offline/device/idb.ts'
import { keepsRecords, offline } from '#src/offline/index.ts'
import { AnswerSheet } from '#src/player/AnswerSheet.tsx'
import { type Mode, start } from '#src/player/playerState.ts'
import { Snapshot } from '#src/offline/drafts/practice.ts'
import { Player } from '#src/player/Player.tsx'
import { usePlayer } from '#src/player/usePlayer.ts'
import { blank, composite, essay, indefinite, items, judge, multiple, single } from '#tests/support/questions.ts'
import { more } from '#tests/support/more.ts'
import { tap } from '#tests/support/tap.ts'

/** The player over the real engine of this page, which keeps a visitor's answers in (a fake) IndexedDB. */
const onEnd = vi.fn<() => void>()
let user: ReturnType<typeof userEvent.setup>
let batch = 0
beforeEach(() => {
  onEnd.mockClear()
  user = userEvent.setup()
})
afterEach(() => vi.restoreAllMocks())

function Screen({ questions, mode, draft }: { questions: Question[]; mode: Mode; draft: string }) {
  const player = usePlayer(start(items(questions), mode), onDisk(draft), 'library')
  return <Player player={player} title="第一章" onEnd={onEnd} />
}
/** `own`: numbers of this test's questions, so that nothing of another test is counted. */
function study(make: (own: (name: string) => string) => Question[], mode: Mode = 'practice') {
  const prefix = `T${++batch}_`
  const draft = `batch:${prefix}`
  const questions = make((name) => prefix + name)
  const { unmount } = render(<Screen questions={questions} mode={mode} draft={draft} />)
  const recorded = async (): Promise<[string, Response][]> =>
    (await offline.waiting())
      .map(({ payload }) => v.parse(OP_PAYLOADS.answer[2], payload))
      .filter(({ questionNo }) => questionNo.startsWith(prefix))
      .map(({ questionNo, response }) => [questionNo.slice(prefix.length), response])
  const saved = async () => {
    const parsed = v.safeParse(Snapshot, await offline.loadDraft(onDisk(draft)))
    return parsed.success ? parsed.output : null
  }
  return { questions, recorded, saved, prefix, unmount }
}
const radio = (letter: string) => screen.getByRole<HTMLInputElement>('radio', { name: new RegExp(`^${letter}．`) })
const box = (letter: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: new RegExp(`^${letter}．`) })
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const heading = (name: RegExp) => screen.findByRole('heading', { level: 1, name })
/** An essay's counter speaks, too, before the player. */
const told = async (text: string) =>
  await expect.poll(() => screen.getAllByRole('status').at(-1)?.textContent).toBe(text)

test('of several blanks in any order each is told right or wrong, not by colour alone', async () => {
  study((own) => [{ ...blank(own('B')), blanks: [['北京'], ['上海']], unordered: true }])
  const boxes = screen.getAllByRole('textbox')
  await user.type(boxes[0] ?? document.body, '上海')
  await user.type(boxes[1] ?? document.body, '广州')
  await user.click(button('确认答案'))
  expect(await screen.findByRole('textbox', { name: '第1空 ✓ 对' })).toBeTruthy()
  expect(screen.getByRole('textbox', { name: '第2空 ✕ 错' }).getAttribute('aria-invalid')).toBe('true')
})

test('a type that only a newer app knows is read and marked like an essay', async () => {
  const { options: _, key: _key, ...unknown } = single('U')
  study((own) => [
    JSON.parse(JSON.stringify({ ...unknown, no: own('U'), type: 'matching', pairs: [1] })),
    single(own('S')),
  ])
  await heading(/^第1题，共2题，简答题/)
  await user.type(screen.getByRole('textbox'), '甲配乙')
  await user.click(button('下一题'))
  await heading(/^第2题/)
})

describe('by tapping', () => {
  test('a single choice is marked by the tap, recorded first, and then stands', async () => {
    const { recorded } = study((own) => [single(own('S'))])
    await user.click(radio('B'))
    await told('回答正确')
    expect(await recorded()).toEqual([['S', { kind: 'choice', ids: ['B'] }]])
    expect(radio('A').disabled).toBe(true)
    expect(radio('B').checked).toBe(true)
    await user.click(radio('A'))
    expect(radio('B').checked).toBe(true)
    expect(await recorded()).toHaveLength(1)
  })
  test('a wrong one shows the right one, my own, the analysis and where the question stands', async () => {
    study((own) => [single(own('S'))])
    expect(screen.queryByText(/的解析/)).toBeNull()
    await user.click(radio('A'))
    await told('回答错误，正确答案 B')
    expect(radio('B').closest('label')?.textContent).toContain('正确答案')
    expect(radio('A').closest('label')?.textContent).toContain('你的选择')
    expect(screen.getByText('正确答案', { selector: 'p span' }).textContent).toBe('正确答案 B')
    expect(screen.getByText(/^你的答案/).textContent).toBe('你的答案 A')
    expect(await screen.findByText(/的解析$/)).toBeTruthy()
    expect(screen.getByText('军史')).toBeTruthy()
    expect(screen.getByLabelText('3 星，最高 5 星')).toBeTruthy()
    expect(screen.getByText('2025年 仿真样例')).toBeTruthy()
  })
  test('the reason of each option stands below it once the answer is shown, and no analysis is missed then', async () => {
    const reasoned = (no: string) => ({
      ...single(no),
      analysis: '',
      options: single(no).options.map((option) => (option.id < 'C' ? { ...option, why: `因为${option.id}` } : option)),
    })
    study((own) => [reasoned(own('S'))])
    expect(screen.queryByText(/项解析/)).toBeNull()
    await user.click(radio('B'))
    const reason = await screen.findByText('因为A')
    expect(reason.parentElement?.textContent).toBe('A 项解析因为A')
    // Not in its label: the name of an option stays short.
    expect(reason.closest('label')).toBeNull()
    expect(radio('A').closest('label')?.nextElementSibling).toBe(reason.parentElement)
    expect(screen.getAllByText(/项解析$/)).toHaveLength(2)
    expect(screen.queryByText('暂无解析。')).toBeNull()
  })
  test.each([
    ['recite', 1],
    ['exam', 0],
  ] as const)('reasons in %s mode are shown %i times before an answer', async (mode, times) => {
    const [first, ...options] = single().options
    study(
      (own) => [{ ...single(own('S')), options: [{ id: 'A', html: '甲', ...first, why: '因为' }, ...options] }],
      mode,
    )
    await heading(/^第1题/)
    await expect.poll(() => screen.queryAllByText('因为')).toHaveLength(times)
  })
  test('a judgement is marked by the tap, and its key is said in words', async () => {
    const { recorded } = study((own) => [judge(own('J'), 'A')])
    await user.click(screen.getByRole('radio', { name: /错$/ }))
    await told('回答错误，正确答案 对')
    expect(await recorded()).toEqual([['J', { kind: 'choice', ids: ['B'] }]])
  })
  test.each([
    ['multiple', multiple, ['A', 'C']],
    ['indefinite', indefinite, ['D']],
  ] as const)('a %s choice is marked on 确认 only, and can be changed until then', async (_, make, key) => {
    const { recorded } = study((own) => [make(own('M'))])
    expect(button('确认答案').disabled).toBe(true)
    await user.click(box('B'))
    await user.click(box('B'))
    expect(button('确认答案').disabled).toBe(true)
    for (const letter of key) await user.click(box(letter))
    expect(await recorded()).toEqual([])
    await user.click(button('确认答案'))
    await told('回答正确')
    expect(await recorded()).toEqual([['M', { kind: 'choice', ids: [...key] }]])
    expect(screen.queryByRole('button', { name: '确认答案' })).toBeNull()
  })
  test('blanks are typed, confirmed by the button, and shown with the right texts', async () => {
    const { recorded } = study((own) => [blank(own('B'), [['1927'], ['南昌', '江西南昌']])])
    await user.type(screen.getByRole('textbox', { name: '第1空' }), '１９２７')
    await user.type(screen.getByRole('textbox', { name: '第2空' }), '北京')
    await user.click(button('确认答案'))
    await told('部分得分，正确答案 1927；南昌')
    expect(await recorded()).toEqual([['B', { kind: 'blank', texts: ['１９２７', '北京'] }]])
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: '第2空 ✕ 错' }).readOnly).toBe(true)
    expect(screen.getByText(/^你的答案/).textContent).toBe('你的答案 １９２７；北京')
  })
  test('an essay is written, compared with its reference, ticked by the student and recorded', async () => {
    const { recorded } = study((own) => [essay(own('E'), ['同样的要点', '同样的要点'])])
    await user.type(screen.getByRole('textbox', { name: '我的作答' }), '听党指挥')
    expect(screen.queryByText('参考要点')).toBeNull()
    await user.click(button('看参考答案并自评'))
    expect(screen.getByText('参考要点')).toBeTruthy()
    const [first, second] = screen.getAllByRole<HTMLInputElement>('checkbox')
    if (!first || !second) throw new Error('two scoring points were expected')
    await user.click(first)
    await user.click(second)
    await user.click(second)
    expect([first.checked, second.checked]).toEqual([true, false])
    expect(first.closest('label')?.textContent).toContain('2.5 分')
    await user.click(button('完成自评'))
    await told('自评 2.5/5 分')
    expect(screen.getAllByRole('checkbox').map((point) => point.closest('label')?.textContent)).toEqual([
      expect.stringContaining('2.5 分 答到'),
      expect.stringContaining('2.5 分 未答到'),
    ])
    expect(await recorded()).toEqual([['E', { kind: 'essay', text: '听党指挥', ticked: [0] }]])
  })
  test('an essay and a blank take no more than the server does', async () => {
    study((own) => [essay(own('E')), blank(own('B'))])
    await user.click(screen.getByRole('textbox', { name: '我的作答' }))
    await user.paste('文'.repeat(20_001))
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: '我的作答' }).value).toHaveLength(20_000)
    await user.click(button('下一题'))
    await user.click(await screen.findByRole('textbox', { name: '第1空' }))
    await user.paste('1'.repeat(501))
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: '第1空' }).value).toHaveLength(500)
  })

  test('an essay with nothing ticked says that it is worth nothing, and no Enter marks it unawares', async () => {
    const { recorded } = study((own) => [essay(own('E'))])
    await user.type(screen.getByRole('textbox', { name: '我的作答' }), '听党指挥')
    await user.click(button('看参考答案并自评'))
    await user.keyboard('{Enter}')
    expect(button('均未答到，计 0 分')).toBeTruthy()
    expect(await recorded()).toEqual([])
    await user.click(button('均未答到，计 0 分'))
    await told('自评 0/5 分')
  })
  test('a marked option keeps its letter beside its mark', async () => {
    study((own) => [single(own('S'))])
    await user.click(radio('A'))
    await told('回答错误，正确答案 B')
    const texts = screen.getAllByRole('radio').map((each) => each.closest('label')?.textContent)
    expect(texts).toEqual([
      expect.stringMatching(/^AA．.*你的选择$/),
      expect.stringMatching(/^BB．.*正确答案$/),
      'CC．选项C',
      'DD．选项D',
    ])
    expect(radio('B').closest('label')?.querySelectorAll('svg')).toHaveLength(1)
  })
  test('an essay without scoring points is marked as a whole', async () => {
    study((own) => [essay(own('E'), [])])
    await user.click(button('看参考答案并自评'))
    await user.click(screen.getByRole('checkbox', { name: /我已掌握/ }))
    await user.click(button('完成自评'))
    await told('自评 已掌握')
  })
  test('a sub-question without an analysis of its own shows its material’s', async () => {
    study((own) => [composite(own('C'), [{ ...single(own('C1')), analysis: '' }])])
    await user.click(radio('B'))
    expect(await screen.findByText(/C 的解析$/)).toBeTruthy()
  })
  test('what is told of a whole material waits until all its sub-questions are answered', async () => {
    study((own) => [composite(own('C'), [single(own('C1')), single(own('C2'))]), single(own('S'))])
    const told = () => screen.queryByText(/_C 的解析$/)
    await user.click(radio('B'))
    expect(await screen.findByText(/C1 的解析$/)).toBeTruthy()
    expect(told()).toBeNull()
    await user.click(button('下一题'))
    await heading(/^第2题，共3题/)
    expect(told()).toBeNull()
    await user.click(radio('A'))
    expect(await screen.findByText(/C2 的解析$/)).toBeTruthy()
    expect(told()).not.toBeNull()
  })
  test('the keys of a recording are its own: they neither answer nor turn the page', async () => {
    const source = `/media/${'a'.repeat(32)}.mp3`
    const { recorded } = study((own) => [
      { ...single(own('S')), stem: `<audio src="${source}"></audio>` },
      single(own('S2')),
    ])
    const audio = screen.getByLabelText('听力录音')
    fireEvent.keyDown(audio, { key: 'ArrowRight' })
    fireEvent.keyDown(audio, { key: 'b' })
    await heading(/^第1题，共2题/)
    expect(await recorded()).toEqual([])
  })
  test('a material stays above its sub-questions, which come and are answered one by one', async () => {
    const { recorded } = study((own) => [composite(own('C'), [single(own('C1')), multiple(own('C2'))])])
    const material = screen.getByText('材料')
    expect(material.tagName).toBe('SUMMARY')
    await heading(/^第1题，共2题/)
    const first = within(screen.getByRole('region', { name: '第1小题，共2小题' }))
    await user.click(first.getByRole('radio', { name: /^B．/ }))
    await told('回答正确')
    await user.click(button('下一题'))
    await heading(/^第2题，共2题，\s*材料题/)
    expect(screen.getByText('材料')).toBe(material)
    const second = within(screen.getByRole('region', { name: '第2小题，共2小题' }))
    expect(second.getByText('多选题')).toBeTruthy()
    await user.click(second.getByRole('checkbox', { name: /^A．/ }))
    await user.click(second.getByRole('button', { name: '确认答案' }))
    await told('部分得分，正确答案 AC')
    expect((await recorded()).map(([no]) => no)).toEqual(['C1', 'C2'])
  })
})

describe('by keyboard', () => {
  test('a letter or a number chooses, and marks where one choice decides', async () => {
    const { recorded } = study((own) => [single(own('S1')), single(own('S2'))])
    await user.keyboard('b')
    await told('回答正确')
    await user.keyboard('{ArrowRight}')
    await heading(/^第2题/)
    await user.keyboard('1')
    await told('回答错误，正确答案 B')
    expect((await recorded()).map(([, response]) => response)).toEqual([
      { kind: 'choice', ids: ['B'] },
      { kind: 'choice', ids: ['A'] },
    ])
  })
  test('letters toggle a multiple choice, Enter confirms it, and Enter again goes on', async () => {
    study((own) => [multiple(own('M')), single(own('S'))])
    await user.keyboard('acd')
    expect([box('A'), box('C'), box('D')].map(({ checked }) => checked)).toEqual([true, true, true])
    await user.keyboard('D{Enter}')
    await told('回答正确')
    await user.keyboard('{Enter}')
    await heading(/^第2题/)
  })
  test('Enter without an answer records nothing', async () => {
    const { recorded } = study((own) => [multiple(own('M'))])
    await user.keyboard('{Enter}h8x')
    expect(await recorded()).toEqual([])
    expect(screen.getByRole('status').textContent).toBe('')
  })
  test('arrows go to the next and back, and to the end after the last', async () => {
    study((own) => [single(own('S1')), single(own('S2'))])
    await user.keyboard('{ArrowLeft}')
    await user.keyboard('{ArrowRight}')
    await heading(/^第2题，共2题/)
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
    await user.keyboard('{ArrowLeft}')
    await heading(/^第1题，共2题/)
    expect(onEnd).not.toHaveBeenCalled()
    await user.keyboard('{ArrowRight}{ArrowRight}')
    expect(onEnd).toHaveBeenCalledTimes(1)
  })
  test('up and down walk through the options without choosing; Space chooses without deciding, Enter decides', async () => {
    const { recorded } = study((own) => [single(own('S'))])
    radio('A').focus()
    await user.keyboard('{ArrowUp}{ArrowDown}{ArrowDown}')
    expect(document.activeElement).toBe(radio('B'))
    expect(screen.queryByRole('radio', { checked: true })).toBeNull()
    await user.keyboard(' ')
    expect(radio('B').checked).toBe(true)
    expect(await recorded()).toEqual([])
    await user.keyboard('{Enter}')
    await told('回答正确')
  })
  test.each([
    ['{ArrowRight}', '第2题'],
    ['{ArrowLeft}', '第1题'],
    ['{ArrowDown}', '第1题'],
    ['{ArrowUp}', '第1题'],
  ])('%s changes no answer of an exam, though an option has just been tapped: %s', async (key, at) => {
    study((own) => [single(own('S1')), single(own('S2'))], 'exam')
    await user.click(radio('B'))
    expect(document.activeElement).toBe(radio('B'))
    await user.keyboard(key)
    await heading(new RegExp(`^${at}`))
    // Not by the key that the browser's own walk through radios would undo itself with.
    if (at !== '第1题') await user.keyboard('{ArrowLeft}')
    await heading(/^第1题/)
    expect(['A', 'B', 'C', 'D'].map((letter) => radio(letter).checked)).toEqual([false, true, false, false])
  })
  test('what is typed into a blank is text, and Enter there confirms', async () => {
    const { recorded } = study((own) => [blank(own('B'), [['a1']]), single(own('S'))])
    await user.type(screen.getByRole('textbox', { name: '第1空' }), 'a1{ArrowLeft}{ArrowRight}{Enter}')
    await told('回答正确')
    await heading(/^第1题/)
    expect(await recorded()).toEqual([['B', { kind: 'blank', texts: ['a1'] }]])
  })
  test('keys with Ctrl, Alt or the command key belong to the browser', async () => {
    const { recorded } = study((own) => [single(own('S'))])
    await user.keyboard('{Control>}a{/Control}{Alt>}b{/Alt}{Meta>}c{/Meta}')
    expect(await recorded()).toEqual([])
  })
  test('everything can be reached by Tab alone', async () => {
    study((own) => [single(own('S1')), single(own('S2'))])
    const reached: string[] = []
    await screen.findByRole('button', { name: '更多' })
    for (let i = 0; i < 12; i++) {
      await user.tab()
      reached.push(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '')
    }
    expect(reached).toEqual(expect.arrayContaining(['更多', '答题卡，第1题，共2题 1/2', '下一题']))
    expect(document.activeElement).not.toBeNull()
  })
})

describe('recite mode', () => {
  test('shows answers and analysis from the start and records nothing', async () => {
    const { recorded } = study((own) => [single(own('S')), blank(own('B')), essay(own('E'))], 'recite')
    expect(button('背题').getAttribute('aria-pressed')).toBe('true')
    expect(radio('B').closest('label')?.textContent).toContain('正确答案')
    expect(radio('B').disabled).toBe(true)
    await user.keyboard('a')
    await user.click(button('下一题'))
    expect(screen.getByText('1927；南昌')).toBeTruthy()
    expect(screen.queryByRole('textbox')).toBeNull()
    await user.click(button('下一题'))
    expect(screen.getByText('参考要点')).toBeTruthy()
    expect(await recorded()).toEqual([])
    expect(screen.getByRole('status').textContent).toBe('')
  })
  test('can be turned on and off without giving away that it was, or what was chosen', async () => {
    study((own) => [multiple(own('M'))])
    await user.click(box('B'))
    await more('背题')
    expect(box('B').checked).toBe(false)
    await user.click(button('背题'))
    expect(box('B').checked).toBe(true)
    expect(screen.queryByText(/的解析/)).toBeNull()
  })
})

describe('by swiping', () => {
  const swipe = (target: Element, dx: number) => {
    fireEvent.touchStart(target, { touches: [{ clientX: 200, clientY: 300 }] })
    fireEvent.touchEnd(target, { changedTouches: [{ clientX: 200 + dx, clientY: 305 }] })
  }
  test('left is the next, also over an option; right is the one before', async () => {
    study((own) => [single(own('S1')), single(own('S2'))])
    swipe(radio('A'), -90)
    await heading(/^第2题/)
    swipe(screen.getByText(/S2 的题干/), 90)
    await heading(/^第1题/)
  })
  test('who has swiped knows it: the hint of how to get about does not come again', async () => {
    localStorage.removeItem('jk-hint-player')
    study((own) => [single(own('S1')), single(own('S2'))])
    const hint = () => screen.queryByRole('complementary', { name: '操作提示' })
    await expect.poll(hint).not.toBeNull()
    swipe(radio('A'), -90)
    await heading(/^第2题/)
    swipe(screen.getByText(/S2 的题干/), 90)
    await heading(/^第1题/)
    expect(hint()).toBeNull()
  })
  test('the question follows the finger, goes back where too little was drawn, and lies still at the end', async () => {
    study((own) => [single(own('S1')), single(own('S2'))])
    const target = screen.getByText(/S1 的题干/)
    const stage = target.closest('article')?.parentElement
    const at = (x: number) => ({ touches: [{ clientX: x, clientY: 302 }] })
    fireEvent.touchStart(target, { touches: [{ clientX: 200, clientY: 300 }] })
    fireEvent.touchMove(target, at(195))
    expect(stage?.style.translate, 'not before it is clear where the finger goes').toBe('')
    fireEvent.touchMove(target, at(160))
    expect(stage?.style.translate).toBe('-40px')
    fireEvent.touchEnd(target, { changedTouches: [{ clientX: 160, clientY: 302 }] })
    expect(stage?.style.translate).toBe('')
    await heading(/^第1题/)
    fireEvent.touchStart(target, { touches: [{ clientX: 200, clientY: 300 }] })
    fireEvent.touchMove(target, at(240))
    expect(stage?.style.translate, 'there is none before the first').toBe('10px')
    fireEvent.touchCancel(target)
    expect(stage?.style.translate).toBe('')
  })
  test('nothing follows the finger of who wants nothing to move', () => {
    const { matchMedia } = window
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      Object.assign(matchMedia.call(window, query), query.includes('reduced-motion') && { matches: true }),
    )
    study((own) => [single(own('S1')), single(own('S2'))])
    const target = screen.getByText(/S1 的题干/)
    fireEvent.touchStart(target, { touches: [{ clientX: 200, clientY: 300 }] })
    fireEvent.touchMove(target, { touches: [{ clientX: 150, clientY: 300 }] })
    expect(target.closest('article')?.parentElement?.style.translate).toBe('')
  })
  test('what can scroll that way is scrolled instead', async () => {
    study((own) => [{ ...single(own('S1')), stem: '<p>由<math><mi>x</mi></math>。</p>' }, single(own('S2'))])
    const formula = document.querySelector('math')?.parentElement
    if (!formula) throw new Error('no formula')
    formula.style.overflowX = 'auto'
    vi.spyOn(formula, 'scrollWidth', 'get').mockReturnValue(500)
    vi.spyOn(formula, 'clientWidth', 'get').mockReturnValue(300)
    swipe(formula, -90)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/^第1题/)
    formula.scrollLeft = 200
    swipe(formula, -90)
    await heading(/^第2题/)
  })
})

describe('the answer sheet', () => {
  test('before handing in tells what is answered by a sign, too, and the legend says what it means', async () => {
    study((own) => [single(own('S1')), single(own('S2'))], 'exam')
    await user.click(radio('A'))
    await user.click(button(/^答题卡/))
    const sheet = within(await screen.findByRole('dialog', { name: '答题卡' }))
    expect(sheet.getAllByRole('button', { name: /^第\d题/ }).map((each) => each.textContent)).toEqual(['1●', '2○'])
    const legend = within(sheet.getByRole('list', { name: '图例' }))
    expect(legend.getAllByRole('listitem').map((each) => each.textContent)).toEqual([
      '○未答',
      '●已答',
      '?存疑',
      '当前题',
    ])
  })
  test('of what was handed in says what was left blank, which is not a wrong answer', () => {
    const state = start(items([single('L1'), single('L2')]), 'review')
    const given = (ids: string[]) => ({
      ...state.parts.L1,
      opened: false,
      spentMs: 0,
      strict: true,
      response: { kind: 'choice' as const, ids },
      right: false,
    })
    const parts = { L1: given([]), L2: given(['A']) }
    render(<AnswerSheet state={{ ...state, parts }} onPick={() => {}} onClose={() => {}} />)
    expect(screen.getAllByRole('button', { name: /^第\d题/ }).map((each) => each.getAttribute('aria-label'))).toEqual([
      '第1题，未答',
      '第2题，答错',
    ])
  })
  test('numbers every sub-question, names its state, keeps a material together, and goes where one taps', async () => {
    study((own) => [
      single(own('S1')),
      composite(own('C'), [single(own('C1')), multiple(own('C2')), blank(own('C3')), single(own('C4'))]),
      single(own('S6')),
    ])
    await user.keyboard('b')
    await told('回答正确')
    await user.keyboard('{ArrowRight}a')
    await told('回答错误，正确答案 B')
    await user.keyboard('{ArrowRight}a{Enter}')
    await told('部分得分，正确答案 AC')
    await user.keyboard('{ArrowRight}')
    await user.type(screen.getByRole('textbox', { name: '第1空' }), '19')
    await user.click(button(/^答题卡，第4题，共6题/))
    const sheet = within(await screen.findByRole('dialog', { name: '答题卡' }))
    const namesIn = (place: Pick<typeof sheet, 'getAllByRole'>) =>
      place.getAllByRole('button', { name: /^第\d题/ }).map((each) => each.getAttribute('aria-label'))
    const group = ['第2题，答错', '第3题，部分得分', '第4题，作答中', '第5题，未答']
    expect(namesIn(sheet)).toEqual(['第1题，答对', ...group, '第6题，未答'])
    expect(namesIn(within(sheet.getByRole('region', { name: '材料题 2–5' })))).toEqual(group)
    expect(document.activeElement).toBe(sheet.getByRole('button', { current: true }))
    expect(document.activeElement?.getAttribute('aria-label')).toBe('第4题，作答中')
    await user.click(sheet.getByRole('button', { name: '第5题，未答' }))
    await heading(/^第5题，共6题/)
    expect(screen.getByRole('region', { name: '第4小题，共4小题' })).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  })
  test('is closed without going anywhere, and keys do nothing behind it', async () => {
    const { recorded } = study((own) => [single(own('S1')), single(own('S2'))])
    await user.click(button(/^答题卡/))
    const sheet = await screen.findByRole('dialog', { name: '答题卡' })
    within(sheet).getByRole('button', { name: '关闭' }).focus()
    await user.keyboard('b')
    expect(await recorded()).toEqual([])
    await user.click(within(sheet).getByRole('button', { name: '关闭' }))
    await heading(/^第1题/)
  })
})

describe('the focus', () => {
  const onNext = async () => await expect.poll(() => document.activeElement).toBe(button('下一题'))
  test('begins at the question, and is at 下一题 once the answer is marked', async () => {
    study((own) => [single(own('S')), multiple(own('M')), blank(own('B')), single(own('Z'))])
    const title = screen.getByRole('heading', { level: 1 })
    expect(document.activeElement).toBe(title)
    await user.click(radio('A'))
    await onNext()
    await user.keyboard('{Enter}')
    await heading(/^第2题/)
    expect(document.activeElement).toBe(title)
    await user.click(box('A'))
    await user.click(button('确认答案'))
    await onNext()
    await user.keyboard('{Enter}')
    await user.type(screen.getByRole('textbox', { name: '第1空' }), '1927{Enter}')
    await onNext()
    await user.keyboard('{Enter}')
    await heading(/^第4题/)
  })
  test('begins at a question that comes by itself in the very moment in which it appears: a key would be lost in between', async () => {
    function Late({ children }: { children: ReactNode }) {
      const [come, setCome] = useState(false)
      useEffect(() => {
        const timer = setTimeout(setCome, 0, true)
        return () => clearTimeout(timer)
      }, [])
      return come && children
    }
    const title = () => screen.queryByRole('heading', { level: 1 })
    const then = new Promise<Element | null>((resolve) => {
      const observer = new MutationObserver(() => {
        if (!title()) return
        observer.disconnect()
        resolve(document.activeElement)
      })
      observer.observe(document.body, { subtree: true, childList: true })
    })
    render(
      <Late>
        <Screen questions={[single('LATE')]} mode="practice" draft="batch:LATE" />
      </Late>,
    )
    await heading(/^第1题/)
    expect(await then).toBe(title())
  })
  test('goes to the reference that takes the place of its button', async () => {
    study((own) => [essay(own('E'))])
    await user.click(button('看参考答案并自评'))
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: '参考答案' }))
    await user.tab()
    expect(document.activeElement).toBe(screen.getAllByRole('checkbox')[0])
  })
  test('is left where the student put it while nothing moves', async () => {
    study((own) => [blank(own('B')), single(own('S'))])
    const field = screen.getByRole('textbox', { name: '第2空' })
    await user.type(field, '南')
    expect(document.activeElement).toBe(field)
  })
})

describe('for who cannot see it', () => {
  test('a result is said when it is marked, and not again at each return', async () => {
    study((own) => [single(own('S1')), single(own('S2'))])
    await user.keyboard('b')
    await told('回答正确')
    await user.keyboard('{ArrowRight}')
    await heading(/^第2题/)
    await user.keyboard('{ArrowLeft}')
    await heading(/^第1题/)
    expect(screen.getByText('回答正确', { selector: 'p:not([role])' })).toBeTruthy()
    expect(screen.getByRole('status').textContent).toBe('')
  })
  test('number, type and title are the heading; progress, navigation and options have names', async () => {
    study((own) => [multiple(own('M')), single(own('S'))])
    await heading(/^第1题，共2题，\s*多选题\s*第一章$/)
    const progress = screen.getByRole('progressbar', { name: '本组进度' })
    expect([
      progress.ariaValueNow ?? progress.getAttribute('aria-valuenow'),
      progress.getAttribute('aria-valuemax'),
    ]).toEqual(['1', '2'])
    expect(screen.getByRole('navigation', { name: '题目导航' })).toBeTruthy()
    expect(screen.getByRole('group', { name: '选择所有正确的项' })).toBeTruthy()
    expect(box('A').name).toBe(box('B').name)
    expect(button('上一题').disabled).toBe(true)
    await user.click(button('下一题'))
    expect(screen.getByRole('group', { name: '选择一项' })).toBeTruthy()
    expect(button('查看结果').disabled).toBe(false)
  })
})

describe('swiping', () => {
  const swipe = (target: Element, from: [number, number], to: [number, number]) => {
    fireEvent.touchStart(target, { touches: [{ clientX: from[0], clientY: from[1] }] })
    fireEvent.touchEnd(target, { changedTouches: [{ clientX: to[0], clientY: to[1] }] })
  }
  test('left is the next, right the one before; a short or a steep stroke is nothing', async () => {
    study((own) => [single(own('S1')), single(own('S2'))])
    const stage = () => screen.getByRole('article')
    swipe(stage(), [200, 100], [150, 100])
    swipe(stage(), [200, 100], [120, 300])
    await heading(/^第1题/)
    swipe(stage(), [200, 100], [100, 110])
    await heading(/^第2题/)
    swipe(stage(), [100, 100], [200, 110])
    await heading(/^第1题/)
  })
  test('in a text field it moves the text', async () => {
    study((own) => [blank(own('B')), single(own('S'))])
    swipe(screen.getByRole('textbox', { name: '第1空' }), [200, 100], [100, 100])
    await heading(/^第1题/)
  })
})

describe('a device that cannot keep the answer', () => {
  const full = () =>
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
  test('says 未保存, marks nothing, keeps the choice, and saves it on 重试', async () => {
    const record = vi.spyOn(offline, 'recordAnswer')
    const refused = () => record.mock.settledResults.map(({ type }) => type)
    const { recorded } = study((own) => [single(own('S'))])
    const put = full()
    await user.click(radio('B'))
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe('未保存：存储空间不足，答案还在这里，清理出空间后再试。重试')
    expect(screen.queryByText('回答正确')).toBeNull()
    expect(radio('B').checked).toBe(true)
    await tap('重试')
    // Until it is refused again, another press does nothing.
    await expect.poll(refused).toEqual(['rejected', 'rejected'])
    put.mockRestore()
    expect(await recorded()).toEqual([])
    await tap('重试')
    await told('回答正确')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(await recorded()).toHaveLength(1)
  })
  test('because the browser has ended its storage says to load the page anew, since another try cannot help', async () => {
    const record = vi.spyOn(offline, 'recordAnswer').mockRejectedValue(new StorageError('lost'))
    study((own) => [single(own('S'))])
    await user.click(radio('B'))
    expect((await screen.findByRole('alert')).textContent).toBe('未保存：本地存储已断开，请刷新页面，再答这道题。刷新')
    expect(screen.queryByRole('button', { name: '重试' })).toBeNull()
    record.mockRestore()
  })
  test('because its storage does not answer says to try again later', async () => {
    const record = vi.spyOn(offline, 'recordAnswer').mockRejectedValue(new StorageError('timeout'))
    study((own) => [single(own('S'))])
    await user.click(radio('B'))
    const words = '未保存：本地存储没有响应，答案还在这里，稍后再试。重试'
    expect((await screen.findByRole('alert')).textContent).toBe(words)
    record.mockRestore()
  })
  test('because its browser keeps none at all, it is marked all the same, and said to be unsaved', async () => {
    const { recorded } = study((own) => [single(own('S'))])
    const read = vi.spyOn(offline, 'loadDraft').mockRejectedValue(new StorageError('unavailable'))
    expect(await keepsRecords()).toBe(false)
    const put = full()
    await user.click(radio('B'))
    await told('回答正确')
    expect(screen.getByRole('alert').textContent).toBe('未保存：当前浏览器不保存做题记录。')
    put.mockRestore()
    read.mockRestore()
    expect(await keepsRecords()).toBe(true)
    expect(await recorded()).toEqual([])
  })
  test('another choice can be made instead', async () => {
    const { recorded } = study((own) => [single(own('S'))])
    const put = full()
    await user.click(radio('A'))
    await screen.findByRole('alert')
    put.mockRestore()
    await user.click(radio('B'))
    await told('回答正确')
    expect(await recorded()).toEqual([['S', { kind: 'choice', ids: ['B'] }]])
  })
})

describe('while an answer is on its way to the disk', () => {
  test('a second tap records nothing more, and what is marked is what was written', async () => {
    const { recorded } = study((own) => [single(own('S'))])
    fireEvent.click(radio('A'), { detail: 1 })
    fireEvent.click(radio('B'), { detail: 1 })
    await told('回答错误，正确答案 B')
    expect(radio('A').checked).toBe(true)
    expect(await recorded()).toEqual([['S', { kind: 'choice', ids: ['A'] }]])
  })
  test('typing on does not change the blank that is being written', async () => {
    const { recorded } = study((own) => [blank(own('B'), [['1927']])])
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: '第1空' })
    fireEvent.change(field, { target: { value: '1927' } })
    fireEvent.keyDown(field, { key: 'Enter' })
    fireEvent.change(field, { target: { value: '19278' } })
    await told('回答正确')
    expect(field.value).toBe('1927')
    expect(await recorded()).toEqual([['B', { kind: 'blank', texts: ['1927'] }]])
  })
})

describe('leaving', () => {
  test('an answer brings its place along: marked, and never to be answered twice', async () => {
    const { saved, prefix, unmount, recorded } = study((own) => [single(own('S1')), single(own('S2'))])
    fireEvent.click(radio('B'), { detail: 1 })
    window.dispatchEvent(new Event('pagehide'))
    unmount()
    await expect.poll(recorded).toHaveLength(1)
    await expect.poll(async () => (await saved())?.parts[`${prefix}S1`]?.right).toBe(true)
  })
  test('choices that are not confirmed yet are kept at once', async () => {
    const { saved, prefix, unmount } = study((own) => [multiple(own('M'))])
    await user.click(box('C'))
    unmount()
    await expect
      .poll(async () => (await saved())?.parts[`${prefix}M`]?.response)
      .toEqual({ kind: 'choice', ids: ['C'] })
  })
  test('a sub-question and its half-made answer are the place that is kept', async () => {
    const { saved, prefix, unmount } = study((own) => [composite(own('C'), [single(own('C1')), multiple(own('C2'))])])
    await user.click(button('下一题'))
    await user.click(box('C'))
    unmount()
    await expect
      .poll(async () => (await saved())?.parts[`${prefix}C2`]?.response)
      .toEqual({ kind: 'choice', ids: ['C'] })
    const place = await saved()
    expect(place?.items[place.at]?.no).toBe(`${prefix}C2`)
  })
  test('the place is kept when the page goes away', async () => {
    const { saved } = study((own) => [single(own('S1')), single(own('S2'))])
    await user.click(button('下一题'))
    window.dispatchEvent(new Event('pagehide'))
    await expect.poll(async () => (await saved())?.at).toBe(1)
  })
})
