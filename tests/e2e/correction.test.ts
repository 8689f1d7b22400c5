import { expect, test } from 'vitest'
import { bankJson } from '#tests/support/bank.ts'
import { workerReady } from './browser.ts'
import { setStage, STUDY } from './stage.ts'

const stage = setStage({ own: true })
const { open, stem, choose, markSays, student } = stage

/** The test bank with another key for its first question. */
const corrected = (answer: string) => {
  const bank = bankJson({ prefix: 'E2E', chapters: 2, perChapter: 40 })
  return { ...bank, questions: bank.questions.map((each, i) => (i === 0 ? { ...each, answer } : each)) }
}

test('an answer given offline and corrected meanwhile is told once, opens its question, and leaves the error book', async () => {
  const { uid } = await student()
  await open(STUDY)
  await stem(stage.phone.page, 1).waitFor()
  await workerReady(stage.phone.page)
  await stage.product.wire.set('down')
  await choose(stage.phone.page, 'C')
  await stage.phone.page.getByText('回答错误').first().waitFor()
  stage.product.importBank(corrected('C'))
  await stage.product.wire.set('ok')
  await markSays(stage.phone.page, /已同步/)
  expect(await stage.answers(uid)).toEqual([{ question_no: 'E2E_q1', times: 1, wrong: 0 }])

  await open('/question/library')
  const bar = stage.phone.page.getByRole('complementary', { name: '新消息' })
  await bar.getByText('1 道做过的题答案已更正：你之前选的“3”现在算对').waitFor()
  await bar.getByRole('button', { name: '查看' }).click()
  await stage.phone.page.getByRole('link', { name: '查看题目' }).click()
  await stem(stage.phone.page, 1).waitFor()
  await choose(stage.phone.page, 'C')
  await stage.phone.page.getByText(/^这道题的答案已于 .* 更正/).waitFor()
  await markSays(stage.phone.page, /已同步/)
  const book = await stage.product.sql(`select id from study_record where uid = $1 and body -> 'book' is not null`, [
    uid,
  ])
  expect(book).toEqual([])

  // Closed here, closed on the student's other phone.
  await stage.phone.page.getByRole('button', { name: '退出练习' }).click()
  await stem(stage.phone.page, 1).waitFor({ state: 'detached' })
  expect(await bar.count()).toBe(0)
  const [seen] = await stage.product.sql<{ id: string }>(
    `select id from study_record where uid = $1 and kind = 'setting'`,
    [uid],
  )
  expect(seen?.id).toBe('noticesSeen')
})

test('answers that the server has are marked again in the background, and the error book follows', async () => {
  const { uid } = await student()
  await open(STUDY)
  await stem(stage.phone.page, 1).waitFor()
  // After the story before, C is right.
  await choose(stage.phone.page, 'D')
  await stage.phone.page.getByText('回答错误').first().waitFor()
  await markSays(stage.phone.page, /已同步/)
  stage.product.importBank(corrected('D'))
  await expect
    .poll(() => stage.answers(uid), { timeout: 20_000 })
    .toEqual([{ question_no: 'E2E_q1', times: 1, wrong: 0 }])
  await open('/question/library')
  await stage.phone.page.getByText('1 道做过的题答案已更正：你之前选的“4”现在算对').waitFor()
})
