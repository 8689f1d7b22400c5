import { randomUUID } from 'node:crypto'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { question } from '#src/contract/question.ts'
import { study } from '#src/contract/study.ts'
import { keepQuestions, missingOf } from '#src/offline/downloads/keptQuestions.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { offline } from '#src/offline/index.ts'
import { lapsesOn } from '#src/offline/record/reviews.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { emptyDevice } from '#tests/support/emptyDevice.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { answerOp } from '#tests/support/ops.ts'
import type { TestServer } from '#tests/support/server.ts'
import { placeIn } from '#tests/support/states.ts'
import { tap } from '#tests/support/tap.ts'
import { nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

/** 防遗忘: what was never wrong comes back within the share of the day that the student sets. */
const DAY = 86_400_000
const REVIEW = '/question/library_error_study/all/answer/1'
const MARK = '巩固：上次做对，防遗忘'
let student: Awaited<ReturnType<TestServer['student']>>
const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 1, perChapter: 24 }))
})

async function keepBank(): Promise<void> {
  const { questions } = await stage.server.call(question.block, { no: 'L_c1', at: 0 })
  await keepQuestions(
    offline.owner,
    questions.map((each) => ({ question: each, chapterNo: 'L_c1', libraryNo: 'L', retired: false })),
  )
}
beforeEach(async () => {
  student = await stage.server.student()
  prepareDevice(student)
  await emptyDevice()
})
const open = async (path = '/') => {
  await stage.open(path)
}

const answerOf = (n: number, right: boolean, ago: number) => ({
  kind: 'answer' as const,
  payload: {
    questionNo: `L_q${n}`,
    response: { kind: 'choice' as const, ids: [right ? 'B' : 'A'] },
    spentMs: 30_000,
    from: 'library' as const,
    version: 1,
  },
  place: placeIn(),
  right,
  at: Date.now() - ago * DAY,
})
/** Two that were missed and eighteen that were not, a month ago. */
const month = () => offline.addAll(Array.from({ length: 20 }, (_, i) => answerOf(i + 1, i >= 2, 30)))
const share = (value: 0 | 10 | 20 | 30) => offline.add({ kind: 'setting', payload: { name: 'lapseShare', value } })
const numbers = async () => {
  await screen.findByRole('heading', { level: 1, name: /^第1题/ })
  const dealt = await offline.loadDraft('reviews' as Parameters<typeof offline.loadDraft>[0])
  return (dealt as { nos: string[] }).nos
}
const isMissed = (no: string): boolean => ['L_q1', 'L_q2'].includes(no)

describe('the share of the day', () => {
  test('is set in 学习计划 without a network, and is off until then', async () => {
    stage.wire.fault = nobody
    await open()
    const opener = within(await screen.findByRole('region', { name: '今日学习' }))
    await userEvent.click(await opener.findByRole('button', { name: '学习统计' }))
    const select = await screen.findByLabelText<HTMLSelectElement>('防遗忘')
    expect(select.selectedOptions[0]?.textContent).toBe('关闭')
    await userEvent.selectOptions(select, '占 20%')
    await userEvent.click(screen.getByRole('button', { name: '保存计划' }))
    await expect.poll(async () => (await offline.things('setting')).get('lapseShare')?.value).toBe(20)
    const settings = await offline.things('setting')
    expect(settings.get('lapseShare')?.value).toBe(20)
    // Nothing else was the student's change.
    expect([...settings.keys()]).toEqual(['lapseShare'])
  })
  test('off, today has what was missed and nothing else', async () => {
    await month()
    await keepBank()
    await open()
    await screen.findByText(/^2 题 · \d 分钟$/, { selector: '[aria-labelledby=task] li:first-child span' })
    await open(REVIEW)
    expect((await numbers()).toSorted()).toEqual(['L_q1', 'L_q2'])
    expect(screen.queryByText(MARK)).toBeNull()
  })
})

test('as many are dealt as home says, each that was never wrong says why it comes, and one that lapsed is in the error book', async () => {
  await month()
  await keepBank()
  await share(10)
  stage.wire.fault = nobody
  await open()
  await screen.findByText(/^6 题 · \d 分钟$/, { selector: '[aria-labelledby=task] li:first-child span' })
  await open(REVIEW)
  const nos = await numbers()
  expect(nos).toHaveLength(6)
  expect(nos.filter(isMissed).toSorted()).toEqual(['L_q1', 'L_q2'])
  await screen.findByRole('heading', { level: 1, name: /^第1题，共6题/ })
  const shown: boolean[] = []
  for (let n = 1; n <= 6; n++) {
    await screen.findByRole('heading', { level: 1, name: new RegExp(`^第${n}题`) })
    shown.push(screen.queryByText(MARK) !== null)
    if (n < 6) await tap('下一题')
  }
  expect(shown.filter(Boolean)).toHaveLength(4)
  // The last one is wrong.
  expect(shown[5]).toBe(true)
  await userEvent.click(screen.getByRole('radio', { name: /^A．/ }))
  await screen.findByText(/在错题本里/)
  expect(screen.getByText(MARK)).toBeTruthy()
  await open()
  await screen.findByText(/^5 题 · \d 分钟$/, { selector: '[aria-labelledby=task] li:first-child span' })
  expect(await offline.shelfNumbers('book')).toHaveLength(3)
})

test('what comes back today is brought to the device while there is a network, though it is not in the error book', async () => {
  await month()
  await share(10)
  // The server gives single questions to who has answered them.
  const at = stage.server.clock.now
  const ops = Array.from({ length: 20 }, (_, i) => answerOp(`L_q${i + 1}`, i >= 2, { seq: i + 1, at }))
  const input = { device: randomUUID(), owner: student.uid, proto: 1 as const, sentAt: at, cursor: 0, ops }
  await stage.server.call(study.sync, input, student.token)
  await open('/user/my_error')
  await screen.findByRole('heading', { name: '今日复习 6 题' })
  const today = await lapsesOn(offline, dayOf(Date.now()))
  expect(today.size).toBe(4)
  await expect.poll(() => missingOf(offline.owner, [...today.keys()])).toEqual([])
})

describe('蒙对的', () => {
  const answerFirst = async () => {
    await open('/question/library_study/L_c1/5/x')
    await screen.findByRole('heading', { level: 1, name: /^第1题/ })
    await userEvent.click(screen.getByRole('radio', { name: /^B．/ }))
    await screen.findByText('回答正确', { selector: 'p:not([role])' })
  }
  test('marks a right answer as a guess, and takes the mark off again', async () => {
    await share(10)
    await answerFirst()
    const pill = await screen.findByRole('button', { name: '蒙对的' })
    const cause = async () => [...(await offline.states(['L_q1'])).values()][0]?.cause
    await userEvent.click(pill)
    await expect.poll(() => pill.getAttribute('aria-pressed')).toBe('true')
    expect(await cause()).toBe('guess')
    await userEvent.click(pill)
    await expect.poll(cause).toBeUndefined()
  })
  test('is asked of nobody who has set no share', async () => {
    await answerFirst()
    // A miss has its place in the error book said there, by when the part is drawn.
    await tap('下一题')
    await userEvent.click(await screen.findByRole('radio', { name: /^A．/ }))
    await screen.findByText(/在错题本里/)
    await tap('上一题')
    await screen.findByText('回答正确', { selector: 'p:not([role])' })
    expect(screen.queryByRole('button', { name: '蒙对的' })).toBeNull()
  })
})
