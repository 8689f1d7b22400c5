import { onDisk } from '#tests/support/drafts.ts'
import { act, fireEvent, render, renderHook, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ChoiceQuestion, Question } from '#src/contract/question.ts'
import { shuffleOptions } from '#src/domain/question/letters.ts'
import { offline } from '#src/offline/index.ts'
import { drawing } from '#src/offline/drafts/player.ts'
import { useDrawings } from '#src/player/tools/useDrawings.ts'
import { liked } from '#src/player/tools/arrange.ts'
import { type PlayerState, start } from '#src/player/playerState.ts'
import { Snapshot } from '#src/offline/drafts/practice.ts'
import { restore } from '#src/player/snapshot.ts'
import { Player } from '#src/player/Player.tsx'
import '#src/player/tools/SettingsSheet.tsx'
import '#src/player/tools/Tools.tsx'
import type { Stroke } from '#src/offline/drafts/player.ts'
import { draws, extend, visible } from '#src/player/tools/strokes.ts'
import { usePlayer } from '#src/player/usePlayer.ts'
import { more, openMore } from '#tests/support/more.ts'
import { items, judge, multiple, single } from '#tests/support/questions.ts'

let user: ReturnType<typeof userEvent.setup>
let batch = 0
beforeEach(() => {
  user = userEvent.setup()
  localStorage.clear()
  delete document.documentElement.dataset.font
  document.documentElement.dataset.mantineColorScheme = 'light'
})
afterEach(() => vi.restoreAllMocks())

function Screen({ state, draft }: { state: PlayerState; draft: string }) {
  const player = usePlayer(state, onDisk(draft), 'library')
  return <Player player={player} title="第一章" onEnd={() => {}} />
}
async function study(make: (own: (name: string) => string) => Question[]) {
  const prefix = `U${++batch}_`
  const draft = `batch:${prefix}`
  const questions = make((name) => prefix + name)
  const { unmount } = render(<Screen state={start(items(questions))} draft={draft} />)
  await screen.findByRole('button', { name: /^更多/ })
  const saved = async () => v.parse(Snapshot, await offline.loadDraft(onDisk(draft)))
  const answered = async () =>
    (await offline.waiting()).filter((op) => String(op.payload.questionNo).startsWith(prefix)).length
  return { questions, saved, answered, unmount, draft }
}
const radio = (letter: string) => screen.getByRole<HTMLInputElement>('radio', { name: new RegExp(`^${letter}．`) })
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const option = (sheet: string, group: string, name: string) =>
  within(
    within(screen.getByRole('dialog', { name: sheet })).getByRole('group', { name: group }),
  ).getByRole<HTMLInputElement>('radio', { name })
/** They come as a file of their own. */
const openSettings = async () => {
  await more('字号与设置')
  await screen.findByRole('dialog', { name: '字号与设置' })
}
const toggle = (name: string) =>
  within(screen.getByRole('dialog', { name: '字号与设置' })).getByRole<HTMLInputElement>('switch', { name })
const at = (n: number) => screen.findByRole('heading', { level: 1, name: new RegExp(`^第${n}题`) })

describe('striking options out', () => {
  test('a struck option is not chosen by a tap or a key until it is restored, and is kept', async () => {
    const { saved, answered, questions } = await study((own) => [single(own('S'))])
    expect(screen.queryByRole('button', { name: /^(划掉|恢复)/ }), 'nothing stands on an option').toBeNull()
    await more('划掉 A')
    expect(button('划掉 A').getAttribute('aria-pressed')).toBe('true')
    await user.click(within(screen.getByRole('dialog', { name: '更多' })).getByRole('button', { name: '关闭' }))
    expect(radio('A').disabled).toBe(true)
    await user.click(radio('A'))
    await user.keyboard('a1')
    expect(await answered()).toBe(0)
    const no = questions[0]?.no ?? ''
    await expect.poll(async () => (await saved()).parts[no]?.struck).toEqual(['A'])
    await user.click(button('恢复 A'))
    await user.click(radio('A'))
    await expect.poll(answered).toBe(1)
  })
  test('what was chosen is chosen no more when it is struck', async () => {
    await study((own) => [multiple(own('M'))])
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name: /^A．/ })
    await user.click(box)
    await user.keyboard('{Shift>}A{/Shift}')
    expect(box.checked).toBe(false)
    expect(button('确认答案').disabled).toBe(true)
  })
  test('by Shift and the letter, and by the right button; back the same way', async () => {
    await study((own) => [single(own('S'))])
    await user.keyboard('{Shift>}C{/Shift}')
    expect(radio('C').disabled).toBe(true)
    fireEvent.contextMenu(radio('C').closest('label') ?? document.body)
    expect(radio('C').disabled).toBe(false)
  })
  test('by a long touch, which is no tap as well', async () => {
    const { answered } = await study((own) => [single(own('S'))])
    const label = radio('D').closest('label') ?? document.body
    fireEvent.touchStart(label)
    await expect.poll(() => radio('D').disabled).toBe(true)
    expect(fireEvent.touchEnd(label)).toBe(false)
    expect(await answered()).toBe(0)
  })
  test('a long touch that slides away afterwards leads to no other question', async () => {
    await study((own) => [single(own('S')), single(own('T'))])
    const label = radio('D').closest('label') ?? document.body
    fireEvent.touchStart(label, { touches: [{ clientX: 200, clientY: 300 }] })
    await expect.poll(() => radio('D').disabled).toBe(true)
    fireEvent.touchEnd(label, { changedTouches: [{ clientX: 80, clientY: 300 }] })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/^第1题/)
  })
  test('a judgement has nothing to strike', async () => {
    await study((own) => [judge(own('J'))])
    await openMore()
    expect(screen.queryByRole('button', { name: /^划掉/ })).toBeNull()
  })
})

describe('settings', () => {
  test('the size of the text and the night mode count at once and are kept for the next start', async () => {
    await study((own) => [single(own('S'))])
    await openSettings()
    await user.click(option('字号与设置', '字号', '特大'))
    expect(document.documentElement.dataset.font).toBe('xl')
    expect(localStorage.getItem('jk-font')).toBe('xl')
    await user.click(option('字号与设置', '行距', '宽松'))
    expect([document.documentElement.dataset.lines, localStorage.getItem('jk-lines')]).toEqual(['wide', 'wide'])
    await user.click(option('字号与设置', '外观', '深色'))
    expect(document.documentElement.dataset.mantineColorScheme).toBe('dark')
    expect(localStorage.getItem('jk-scheme')).toBe('dark')
    await user.click(option('字号与设置', '外观', '浅色'))
    await user.click(option('字号与设置', '外观', '跟随系统'))
    expect(localStorage.getItem('jk-scheme')).toBe('')
    await user.keyboard('{Escape}')
  })
  test('a night by the clock is kept with its times; times that make no night are said, and not kept', async () => {
    await study((own) => [single(own('S'))])
    await openSettings()
    await user.click(option('字号与设置', '外观', '按时间'))
    expect(localStorage.getItem('jk-scheme')).toBe('time')
    const from = screen.getByLabelText('深色从')
    expect([from, screen.getByLabelText('深色到')]).toMatchObject([{ value: '21:30' }, { value: '06:30' }])
    fireEvent.change(from, { target: { value: '22:15' } })
    expect(localStorage.getItem('jk-night')).toBe('22:15-06:30')
    fireEvent.change(from, { target: { value: '06:30' } })
    expect(screen.getByRole('alert').textContent).toBe('开始和结束不能是同一时间。')
    fireEvent.change(from, { target: { value: '' } })
    expect(screen.getByRole('alert').textContent).toBe('开始和结束时间都要填。')
    expect(localStorage.getItem('jk-night')).toBe('22:15-06:30')
    await user.click(option('字号与设置', '外观', '跟随系统'))
    expect(screen.queryByLabelText('深色从')).toBeNull()
    localStorage.removeItem('jk-night')
    await user.keyboard('{Escape}')
  })
  test('the face of questions and the colour of paper, too', async () => {
    await study((own) => [single(own('S'))])
    await openSettings()
    await user.click(option('字号与设置', '题目字体', '宋体'))
    await user.click(toggle('护眼色'))
    expect(document.documentElement.dataset).toMatchObject({ face: 'song', eyes: 'on' })
    expect([localStorage.getItem('jk-face'), localStorage.getItem('jk-eyes')]).toEqual(['song', 'on'])
    await user.click(option('字号与设置', '题目字体', '黑体'))
    await user.click(toggle('护眼色'))
    expect(document.documentElement.dataset).toMatchObject({ face: '', eyes: '' })
    await user.keyboard('{Escape}')
  })
  test('a phone that can lets an answer be felt, until the student wants none of it', async () => {
    const vibrate = vi.fn<(pattern: number | number[]) => boolean>(() => true)
    Object.defineProperty(navigator, 'vibrate', { value: vibrate, configurable: true })
    const { matchMedia } = window
    const touch = vi
      .spyOn(window, 'matchMedia')
      .mockImplementation((query) =>
        Object.assign(matchMedia.call(window, query), query.includes('coarse') && { matches: true }),
      )
    await study((own) => [single(own('S1')), single(own('S2')), single(own('S3'))])
    await user.click(radio('B'))
    expect(vibrate).toHaveBeenLastCalledWith(15)
    await user.click(button('下一题'))
    await user.click(radio('A'))
    expect(vibrate).toHaveBeenLastCalledWith([30, 50, 30])
    await openSettings()
    await user.click(toggle('作答时震动'))
    await user.keyboard('{Escape}')
    await user.click(button('下一题'))
    await user.click(radio('B'))
    expect(vibrate).toHaveBeenCalledTimes(2)
    Reflect.deleteProperty(navigator, 'vibrate')
    touch.mockRestore()
    localStorage.removeItem('jk-buzz')
  })
  test('keys do the same, and ? lists them all', async () => {
    await study((own) => [single(own('S'))])
    await user.keyboard('++')
    expect(document.documentElement.dataset.font).toBe('xl')
    await user.keyboard('---')
    expect(document.documentElement.dataset.font).toBe('s')
    await user.keyboard('t')
    expect(document.documentElement.dataset.mantineColorScheme).toBe('dark')
    await user.keyboard('t?')
    expect(await screen.findByRole('dialog', { name: '键盘快捷键' })).toBeTruthy()
  })
})

describe('自动下一题', () => {
  const turnOn = async (value: string) => {
    await openSettings()
    await user.click(option('字号与设置', '单选、判断作答后自动下一题', value))
    await user.click(within(screen.getByRole('dialog', { name: '字号与设置' })).getByRole('button', { name: '关闭' }))
  }
  const SOON = /^即将进入下一题/
  test('is off at first', async () => {
    await study((own) => [single(own('S1')), single(own('S2'))])
    await user.click(radio('B'))
    await screen.findByText('回答正确', { selector: 'p:not([role])' })
    expect(screen.queryByText(SOON)).toBeNull()
  })
  test('goes on after a right answer, says so before, and not after a wrong one', async () => {
    await study((own) => [single(own('S1')), single(own('S2')), single(own('S3'))])
    await turnOn('答对后')
    await user.click(radio('B'))
    await screen.findByText(SOON)
    await at(2)
    await user.click(radio('A'))
    await screen.findByText('回答错误', { selector: 'p:not([role])' })
    expect(screen.queryByText(SOON)).toBeNull()
  })
  test('a touch anywhere stops it', async () => {
    await study((own) => [single(own('S1')), single(own('S2'))])
    await turnOn('总是')
    await user.click(radio('A'))
    await screen.findByText(SOON)
    await user.click(await screen.findByText(/的解析$/))
    expect(screen.queryByText(SOON)).toBeNull()
    await at(1)
  })
})

describe('选项乱序', () => {
  const BANK = '甲乙丙丁'
  /** Whose options can be shuffled: no text of theirs may speak of an option. */
  const free = (no: string): ChoiceQuestion => ({
    ...single(no),
    options: 'ABCD'.split('').map((id, i) => ({ id, html: BANK.charAt(i) })),
    analysis: '<p>故选B。</p>',
  })
  const shown = () =>
    screen.getAllByRole('radio').map((each) => each.closest('label')?.textContent?.match(/[甲乙丙丁]/)?.[0] ?? '')
  const orderOf = (question: ChoiceQuestion, seed: number) =>
    shuffleOptions(question, seed).options.map(({ html }) => html)
  /** Turns it on or off; the seed that it is dealt by is `seed`. */
  async function turn(seed: number): Promise<void> {
    await openSettings()
    const chance = vi.spyOn(Math, 'random').mockReturnValue((seed - 1) / 2 ** 31)
    await user.click(toggle('选项乱序'))
    chance.mockRestore()
    await user.click(within(screen.getByRole('dialog', { name: '字号与设置' })).getByRole('button', { name: '关闭' }))
  }
  /** One that leaves no option of these questions where it was. */
  const movingAll = (questions: readonly ChoiceQuestion[]): number =>
    Array.from({ length: 5_000 }, (_, i) => i + 1).find((seed) =>
      questions.every((each) => orderOf(each, seed).every((text, i) => text !== BANK[i])),
    ) ?? 0

  test('shows the options in another order, keeps answers by id, and comes back the same', async () => {
    const made: ChoiceQuestion[] = []
    const { saved, questions, answered, unmount, draft } = await study((own) => {
      made.push(free(own('S1')), free(own('S2')))
      return made
    })
    const [first, second] = made
    if (!first || !second) throw new Error('two questions')
    expect(shown().join('')).toBe(BANK)
    const seed = movingAll(made)
    await turn(seed)
    await expect.poll(async () => (await saved()).deal?.seed).toBe(seed)
    const order = shown()
    expect(order).toEqual(orderOf(first, seed))
    for (const [i, text] of order.entries()) expect(text).not.toBe(BANK[i])
    const right = 'ABCD'.charAt(order.indexOf('乙'))
    await user.click(radio(right))
    await screen.findByText('回答正确', { selector: 'p:not([role])' })
    expect(await screen.findByText(`故选${right}。`)).toBeTruthy()
    expect(await answered()).toBe(1)
    expect((await offline.waiting()).find((op) => op.payload.questionNo === first.no)?.payload.response).toEqual({
      kind: 'choice',
      ids: ['B'],
    })
    await user.click(button('下一题'))
    await at(2)
    expect(shown()).toEqual(orderOf(second, seed))
    await expect.poll(async () => (await saved()).at).toBe(1)

    const kept = await saved()
    unmount()
    render(<Screen state={liked(restore(kept, questions))} draft={draft} />)
    await at(2)
    expect(shown()).toEqual(orderOf(second, seed))
    await user.click(button('上一题'))
    await at(1)
    expect(shown()).toEqual(order)
    expect(radio(right).checked).toBe(true)
  })

  test('turned off again shows the bank’s own order, and turned on anew a new one', async () => {
    const made: ChoiceQuestion[] = []
    await study((own) => {
      made.push(free(own('S1')))
      return made
    })
    const [only] = made
    if (!only) throw new Error('one question')
    const seed = movingAll(made)
    const other = Array.from({ length: 100 }, (_, i) => seed + 1 + i).find(
      (next) => orderOf(only, next).join('') !== orderOf(only, seed).join(''),
    )
    await turn(seed)
    expect(shown()).toEqual(orderOf(only, seed))
    await turn(1)
    expect(shown().join('')).toBe(BANK)
    await turn(other ?? 0)
    expect(shown()).toEqual(orderOf(only, other ?? 0))
  })

  test('chosen once, deals the next batch in an order of its own', async () => {
    const question = free(`U${++batch}_S`)
    const first = liked(start(items([question])))
    expect(first.deal).toBeUndefined()
    localStorage.setItem('jk-shuffle', '1')
    const [once, again] = [liked(start(items([question]))), liked(start(items([question])))]
    for (const { deal, items: dealt } of [once, again])
      expect(dealt.map(({ part }) => ('options' in part ? part.options.map(({ html }) => html) : []))).toEqual([
        orderOf(question, deal?.seed ?? 0),
      ])
    expect(once.deal?.seed).not.toBe(again.deal?.seed)
  })
})

describe('草稿纸', () => {
  test('opens over the question, closes by Escape, and what is drawn stays with its question', async () => {
    const { draft, unmount, questions } = await study((own) => [single(own('S1')), single(own('S2'))])
    const no = questions[0]?.no ?? ''
    const strokes = [{ kind: 'pen', points: [1, 2, 3] }]
    unmount()
    await offline.saveDraft({ key: onDisk(`pad:${no}`), value: { at: 1, strokes } })
    // In another batch.
    render(<Screen state={start(items(questions))} draft={`${draft}again`} />)
    await screen.findByRole('button', { name: '更多，有草稿' })
    await more('草稿纸，本题有草稿')
    const tools = within(screen.getByRole('dialog', { name: '草稿纸' }))
    await user.click(tools.getByRole('button', { name: '清空' }))
    expect(tools.getByRole<HTMLButtonElement>('button', { name: '清空' }).disabled).toBe(true)
    await user.click(tools.getByRole('button', { name: '撤销' }))
    expect(tools.getByRole<HTMLButtonElement>('button', { name: '清空' }).disabled).toBe(false)
    await expect.poll(() => offline.loadDraft(onDisk(`pad:${no}`))).toMatchObject({ strokes })
    fireEvent(screen.getByRole('dialog', { name: '草稿纸' }), new Event('cancel', { cancelable: true }))
    expect(screen.queryByRole('dialog', { name: '草稿纸' })).toBeNull()
    await user.click(button('下一题'))
    expect(await screen.findByRole('button', { name: '更多' })).toBeTruthy()
  })
  test('what is drawn before the disk has answered comes on top of what is kept there', async () => {
    const no = `U${++batch}_S`
    const [kept, first, second] = [1, 2, 3].map((x): Stroke => ({ kind: 'pen', points: [x, 2, 3] }))
    if (!kept || !first || !second) throw new Error('three strokes')
    await offline.saveDraft({ key: drawing.key(no), value: { at: 1, strokes: [kept] } })
    const slow = Promise.withResolvers<unknown>()
    const reading = vi.spyOn(offline, 'loadDraft').mockReturnValue(slow.promise)
    const { result } = renderHook(() => useDrawings(no))
    act(() => result.current.draw((old) => [...old, first]))
    act(() => result.current.draw((old) => [...old, second]))
    expect(result.current.strokes).toEqual([first, second])
    reading.mockRestore()
    slow.resolve(await offline.loadDraft(drawing.key(no)))
    await expect.poll(() => offline.loadDraft(drawing.key(no))).toMatchObject({ strokes: [kept, first, second] })
    expect(result.current.strokes).toEqual([kept, first, second])
  })
  test('what is drawn while the disk fails is kept with the next stroke', async () => {
    const no = `U${++batch}_S`
    const stroke: Stroke = { kind: 'pen', points: [1, 2, 3] }
    const reading = vi.spyOn(offline, 'loadDraft').mockRejectedValue(new Error('storage'))
    const { result } = renderHook(() => useDrawings(no))
    act(() => result.current.draw((old) => [...old, stroke]))
    reading.mockRestore()
    act(() => result.current.draw((old) => [...old, stroke]))
    await expect.poll(() => offline.loadDraft(drawing.key(no))).toMatchObject({ strokes: [stroke, stroke] })
  })
  const touch = { pointerType: 'touch', button: 0, isPrimary: true, pressure: 0.5, width: 20 }
  test.each([
    ['a finger', touch, false, true],
    ['a palm', { ...touch, width: 90 }, false, false],
    ['a second finger', { ...touch, isPrimary: false }, false, false],
    ['a hand that rests beside the pen', touch, true, false],
    ['the pen', { ...touch, pointerType: 'pen' }, true, true],
    ['the right button', { ...touch, pointerType: 'mouse', button: 2 }, false, false],
  ])('%s draws, or does not', (_, pointer, penSeen, wanted) => expect(draws(pointer, penSeen)).toBe(wanted))
  test('points too close to see are left out, and nothing from before a wipe is to be seen', () => {
    const points: number[] = []
    expect([extend(points, 1, 1, 3), extend(points, 1.5, 1, 3), extend(points, 9, 9.4, 3)]).toEqual([true, false, true])
    expect(points).toEqual([1, 1, 3, 9, 9, 3])
    const stroke = (kind: Stroke['kind']): Stroke => ({ kind, points: [] })
    expect(visible([stroke('pen'), stroke('wipe'), stroke('eraser')])).toEqual([stroke('eraser')])
  })
})
