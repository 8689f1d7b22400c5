import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { session } from '#src/session/session.ts'
import { DIRECTION } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

let banks = 0
let bank = ''
const stage = setScreens()
beforeEach(() => {
  session.setChoice({ key: String(200 + ++banks), name: '山东' }, DIRECTION)
  bank = `M${banks}`
})

const choice = { type: 'single', options: ['甲', '乙', '丙'], answer: 'B', analysis: '略' }
const several = { type: 'multiple', options: ['甲', '乙', '丙'], answer: 'AB', analysis: '略' }
const essay = {
  type: 'essay',
  stem: '简述作风',
  answer: '三条',
  scoring: ['一', '二', '三'].map((text, i) => ({ text: `要点${text}`, score: i + 1 })),
}
/** A library of a test's own: one chapter of two choices, a material of three sub-questions, and a choice. */
const materials = () => ({
  ...bankJson({ prefix: bank, chapters: 1, perChapter: 0 }),
  questions: [
    { ...choice, stem: '第一' },
    { ...choice, stem: '第二' },
    {
      type: 'composite',
      stem: '材料一则',
      parts: [{ ...choice, stem: '小一' }, { ...several, stem: '小二' }, essay],
    },
    { ...choice, stem: '第六' },
  ].map((question, i) => ({ ...question, no: `${bank}_q${i}`, chapter: `${bank}_c1` })),
})

const { open } = stage
const study = (size: number) => open(`/question/library_study/${bank}_c1/${size}/x`)
const at = (n: number, total: number) =>
  screen.findByRole('heading', { level: 1, name: new RegExp(`^第${n}题，共${total}题`) })
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const tap = async (role: 'radio' | 'checkbox', letter: string) =>
  await userEvent.click(await screen.findByRole(role, { name: new RegExp(`^${letter}．`) }))
const next = async () => await userEvent.click(button(/^(下一题|查看结果)$/))
const verdict = (text: string) => screen.findByText(text, { selector: 'p:not([role])' })
/** Answers, reads what is said of it, and goes on. */
async function give(letter: string, said: string): Promise<void> {
  await tap('radio', letter)
  await verdict(said)
  await next()
}
const figures = () =>
  Object.fromEntries(
    [...document.querySelectorAll('dl > div')].map((each) => [
      each.querySelector('dt')?.textContent ?? '',
      each.querySelector('dd')?.textContent ?? '',
    ]),
  )

/** All six questions: right, wrong, right, partly right, 4 of 6 marks, right. */
async function studyAll(): Promise<void> {
  await at(1, 6)
  await give('B', '回答正确')
  await give('A', '回答错误')
  await at(3, 6)
  await give('B', '回答正确')
  await tap('checkbox', 'A')
  await userEvent.click(button('确认答案'))
  await verdict('部分得分')
  await next()
  await userEvent.click(button('看参考答案并自评'))
  await userEvent.click(screen.getByRole('checkbox', { name: /要点一/ }))
  await userEvent.click(screen.getByRole('checkbox', { name: /要点三/ }))
  await userEvent.click(button('完成自评'))
  await verdict('自评 4/6 分')
  await next()
  await at(6, 6)
  await tap('radio', 'B')
  await verdict('回答正确')
}

describe('one way of counting', () => {
  test('list, heading, answer sheet, summary and progress say the same of a chapter with a material', async () => {
    await importBank(stage.server.db, stage.server.mediaDir, materials())
    await open('/question/library')
    const card = async () => within(await screen.findByRole('region', { name: `${bank} 章节题库` }))
    expect((await card()).getByText('政治 · 6 题')).toBeTruthy()
    const chapter = async () => (await card()).getByRole('link', { name: /^第1章/ })
    const row = async () => (await chapter()).closest('li')?.textContent
    expect(await row()).toContain('0/6')
    await userEvent.click(await chapter())
    await studyAll()
    await userEvent.click(button(/^答题卡，第6题，共6题/))
    const sheet = within(await screen.findByRole('dialog', { name: '答题卡' }))
    expect(sheet.getAllByRole('button', { name: /^第\d+题/ })).toHaveLength(6)
    await userEvent.click(sheet.getByRole('button', { name: '关闭' }))
    await next()
    await screen.findByRole('heading', { name: '本组完成' })
    expect(figures()).toMatchObject({ 答对: '3', 部分得分: '2', 答错: '1', 未做: '0' })
    await userEvent.click(button('返回题库'))
    await expect.poll(row).toContain('6/6')
    expect(await row()).toContain('正确率 50%')
  })
  test('a batch that was only leafed through has no accuracy', async () => {
    await importBank(stage.server.db, stage.server.mediaDir, materials())
    await study(2)
    await at(1, 2)
    await next()
    await at(2, 2)
    await next()
    const summary = within(await screen.findByRole('region', { name: '本组小结 · 还剩 2 题' }))
    expect(summary.getByText('正确率').parentElement?.textContent).toBe('—正确率')
  })
  test('an essay that was opened and not marked is named at the end of a batch, and leads back to it', async () => {
    await importBank(stage.server.db, stage.server.mediaDir, {
      ...materials(),
      questions: [
        { ...choice, stem: '第一' },
        { ...essay, stem: '第二' },
      ].map((question, i) => ({ ...question, no: `${bank}_q${i}`, chapter: `${bank}_c1` })),
    })
    await study(20)
    await at(1, 2)
    await give('B', '回答正确')
    await userEvent.click(await screen.findByRole('button', { name: '看参考答案并自评' }))
    await next()
    await screen.findByRole('heading', { name: '还有主观题待自评' })
    expect(figures()).toMatchObject({ 答对: '1', 未做: '0', 待自评: '1' })
    await userEvent.click(button('第2题 待自评，去评分'))
    await at(2, 2)
    await userEvent.click(screen.getByRole('checkbox', { name: /要点三/ }))
    await userEvent.click(button('完成自评'))
    await verdict('自评 3/6 分')
    await next()
    await screen.findByRole('heading', { name: '本组完成' })
    expect(button('第2题 自评 3/6 分')).toBeTruthy()
  })
  test('a chapter is called by its own title, whatever the address says, also without a network', async () => {
    await importBank(stage.server.db, stage.server.mediaDir, materials())
    await open(`/question/library_study/${bank}_c1/2/假标题`)
    await at(1, 2)
    await screen.findByText('第1章')
    expect(screen.queryByText('假标题')).toBeNull()
    await stage.app?.kept()
    await open('/')
    // The address of the chapter that was studied last goes on with the title it was shown under.
    await screen.findByRole('link', { name: '继续学习 第1章' })
    stage.wire.fault = nobody
    await open(`/question/library_study/${bank}_c1/2/假标题`)
    await at(1, 2)
    await screen.findByText('第1章')
    expect(screen.queryByText('假标题')).toBeNull()
  })
  test('a batch has the size that was chosen, and a material is never cut', async () => {
    await importBank(stage.server.db, stage.server.mediaDir, materials())
    await study(2)
    await at(1, 2)
    await give('B', '回答正确')
    await give('B', '回答正确')
    await userEvent.click(await screen.findByRole('button', { name: '再来一组' }))
    // The next two would be the first two of three that belong together.
    await at(1, 3)
    expect(screen.getByRole('region', { name: '第1小题，共3小题' })).toBeTruthy()
  })
})

test('leaving in the middle of a material and coming back is the same sub-question with the half-made answer', async () => {
  await importBank(stage.server.db, stage.server.mediaDir, materials())
  await study(20)
  await at(1, 6)
  for (const _ of [1, 2, 3]) await next()
  await at(4, 6)
  await tap('checkbox', 'C')
  await study(20)
  await at(4, 6)
  expect(screen.getByRole('region', { name: '第2小题，共3小题' })).toBeTruthy()
  expect(screen.getByText('材料一则')).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /^C．/ }).checked).toBe(true)
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
})

test('the summary takes the focus, and shows what the student gave themself, with the points they ticked', async () => {
  await importBank(stage.server.db, stage.server.mediaDir, materials())
  await study(20)
  await studyAll()
  await next()
  expect(document.activeElement).toBe(await screen.findByRole('heading', { name: '本组完成' }))
  expect(button('回看 3 道错题')).toBeTruthy()
  await userEvent.click(button('第5题 自评 4/6 分'))
  expect(document.activeElement).toBe(await at(1, 1))
  await verdict('自评 4/6 分')
  const points = screen.getAllByRole<HTMLInputElement>('checkbox')
  expect(points.map(({ checked }) => checked)).toEqual([true, false, true])
  expect(points.map((point) => point.closest('label')?.textContent?.includes('未答到'))).toEqual([false, true, false])
  expect(screen.getByText('材料一则')).toBeTruthy()
  await next()
  expect(document.activeElement).toBe(await screen.findByRole('heading', { name: '本组完成' }))
})
