import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import type { EssayQuestion, Question } from '#src/contract/question.ts'
import { OP_PAYLOADS } from '#src/contract/study.ts'
import { BookRow } from '#src/features/question/errorBook/BookRow.tsx'
import { offline } from '#src/offline/index.ts'
import { AnswerSheet } from '#src/player/AnswerSheet.tsx'
import { ClockContext } from '#src/player/clockContext.ts'
import { type Mode, start } from '#src/player/playerState.ts'
import { Player } from '#src/player/Player.tsx'
import { Snapshot } from '#src/offline/drafts/practice.ts'
import { usePlayer } from '#src/player/usePlayer.ts'
import { blankState, placeOf } from '#src/domain/study/study.ts'
import { onDisk } from '#tests/support/drafts.ts'
import { composite, essay, items, single } from '#tests/support/questions.ts'

let user: ReturnType<typeof userEvent.setup>
let no = ''
let questions = 0
beforeEach(() => {
  user = userEvent.setup()
  no = `W${++questions}`
})

const composition = (own: Partial<EssayQuestion> = {}): EssayQuestion => ({
  ...essay(no, ['内容', '语言']),
  reference: '<p>底气是练出来的。</p>',
  composition: { length: { unit: 'characters', least: 10 } },
  ...own,
})
function Screen({ question, mode }: { question: Question; mode: Mode }) {
  const player = usePlayer(start(items([question]), mode), onDisk(`batch:${no}`), 'library')
  return (
    <ClockContext value={<span role="timer">19:59</span>}>
      <Player player={player} title="第六章 写作" onEnd={() => {}} />
    </ClockContext>
  )
}
const study = (question: Question = composition(), mode: Mode = 'practice') =>
  render(<Screen question={question} mode={mode} />)
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const own = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: '我的作文' })
const saved = async () => v.parse(Snapshot, await offline.loadDraft(onDisk(`batch:${no}`))).parts[no]?.response

test('a composition is named so, and counts what is written against what is wanted', async () => {
  study()
  expect(screen.getByRole('heading', { level: 1, name: /作文/ })).toBeTruthy()
  expect(await screen.findByText('已写 0 字')).toBeTruthy()
  expect(screen.getByText('要求不少于 10 字')).toBeTruthy()
  await user.type(own(), '人有底气，')
  expect(screen.getByText('已写 5 字')).toBeTruthy()
  expect(screen.getByText('还差 5 字')).toBeTruthy()
  await user.type(own(), '事就好办。')
  expect(screen.getByText('已达到要求')).toBeTruthy()
})

test('who cannot see the counter hears it once the writing pauses, not at each key', async () => {
  study()
  await screen.findByText('已写 0 字')
  const spoken = () => screen.getAllByRole('status').map(({ textContent }) => textContent)
  await user.type(own(), '底气')
  expect(spoken().join('')).toBe('')
  await expect.poll(spoken, { timeout: 4_000 }).toContain('已写 2 字，还差 8 字')
})

test('the whole screen holds prompt, clock and text; what is written there is kept, and the focus comes back', async () => {
  study()
  await user.click(await screen.findByRole('button', { name: '全屏写作' }))
  const page = within(await screen.findByRole('dialog', { name: '全屏写作' }))
  const area = page.getByRole<HTMLTextAreaElement>('textbox', { name: '我的作文' })
  expect(document.activeElement).toBe(area)
  expect(page.getByRole('timer').textContent).toBe('19:59')
  expect(page.getByText(`${no} 的题干`)).toBeTruthy()
  await user.type(area, '底气')
  expect(page.getByText('已写 2 字')).toBeTruthy()
  await expect.poll(saved).toEqual({ kind: 'essay', text: '底气', ticked: [] })
  await user.click(page.getByRole('button', { name: '完成' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(own().value).toBe('底气')
})

test('the model is folded with its length, the standard is ticked, and the mark is the student’s own', async () => {
  study()
  await user.type(own(), '底气')
  await user.click(button('看评分标准和范文，给自己打分'))
  const model = await screen.findByText('范文')
  expect(model.textContent).toBe('范文 8 字')
  expect(model.closest('details')?.open).toBe(false)
  expect(button('均未做到，计 0 分')).toBeTruthy()
  await user.click(screen.getByRole('checkbox', { name: /内容/ }))
  await user.click(button('完成自评'))
  expect((await screen.findAllByText('自评 2.5/5 分')).length).toBeGreaterThan(0)
  // It stands beside the text, and not a second time below.
  expect(screen.getAllByText('范文')).toHaveLength(1)
  const answers = (await offline.waiting())
    .map(({ payload }) => v.parse(OP_PAYLOADS.answer[2], payload))
    .filter(({ questionNo }) => questionNo === no)
  expect(answers).toMatchObject([{ response: { kind: 'essay', text: '底气', ticked: [0] } }])
})

test('of grades one is chosen: another one takes its place, and a second tap lets it go', async () => {
  const scoring = [5400, 4500].map((score, i) => ({ html: `${'一二'[i]}类文`, score }))
  study(composition({ composition: { graded: true }, scoring }))
  await user.type(own(), '底气')
  await user.click(button('看评分标准和范文，给自己打分'))
  await user.click(await screen.findByRole('radio', { name: /一类文/ }))
  const second = screen.getByRole('radio', { name: /二类文/ })
  await user.click(second)
  expect(button('完成自评')).toBeTruthy()
  await user.click(second)
  expect(button('未达最低等级，计 0 分')).toBeTruthy()
  await user.click(second)
  await user.click(button('完成自评'))
  expect((await screen.findAllByText('自评 45/54 分')).length).toBeGreaterThan(0)
})

test('in an exam nothing of the model shows', async () => {
  study(composition(), 'exam')
  expect(await screen.findByText('已写 0 字')).toBeTruthy()
  expect(screen.queryByText(/范文/)).toBeNull()
})

test('a passage is named for what it is, and its questions say how they are answered', () => {
  const passage = { ...composite(no, [single(`${no}_1`), single(`${no}_2`)]), kind: 'reading' as const }
  study(passage)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('阅读理解')
  expect(screen.getByRole('heading', { level: 1 }).textContent).not.toContain('单选题')
  expect(screen.getByText('单选题')).toBeTruthy()
  render(<AnswerSheet state={start(items([passage]))} onPick={() => {}} onClose={() => {}} />)
  expect(screen.getByText('阅读理解 1–2')).toBeTruthy()
})

test('the error book says whose question it is', () => {
  const [part, other] = [single(`${no}_1`), single(`${no}_2`)]
  const place = { chapterNo: 'L_c1', libraryNo: 'L' }
  const question = { ...composite(no, [part, other]), kind: 'cloze' as const }
  const state = blankState(part.no, placeOf(part, place))
  const entry = { state, part, located: { question, ...place, retired: false } }
  render(<BookRow entry={entry} rule={3} onAct={() => {}} />)
  expect(screen.getByText('完形填空 · 单选题')).toBeTruthy()
})
