import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { offline } from '#src/offline/index.ts'
import * as pages from '#src/offline/record/pages.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { placeIn } from '#tests/support/states.ts'
import { setScreens } from '#tests/support/screens.ts'

/** 学习统计 › 考试那天还记得多少, from a record that grows from test to test. */
const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 1, perChapter: 9 }))
})

async function answer(from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n++)
    await offline.recordAnswer({
      questionNo: `L_q${n}`,
      response: { kind: 'choice', ids: [n % 3 === 0 ? 'B' : 'A'] },
      spentMs: 180_000,
      from: 'library',
      version: 1,
      place: placeIn(),
      right: n % 3 === 0,
    })
}
const date = (days: number) =>
  offline.add({
    kind: 'setting',
    payload: { name: 'examDate', value: days === 0 ? '' : dateOf(dayOf(Date.now()) + days) },
  })
async function opened() {
  await stage.open('/question/library')
  await userEvent.click(await screen.findByRole('button', { name: '学习统计' }))
  const dialog = await screen.findByRole('dialog', { name: '学习统计' })
  const heading = await within(dialog).findByRole('heading', { name: '考试那天还记得多少' })
  if (!heading.parentElement) throw new Error('a section without its place')
  return within(heading.parentElement)
}

test('whoever has done little is told from when on there is a forecast', async () => {
  await answer(1, 19)
  await date(30)
  expect(await (await opened()).findByText(/^做满 20 题后/)).toBeTruthy()
})

test('whoever has no exam ahead is told where its date is set', async () => {
  await answer(20, 24)
  await date(0)
  expect(await (await opened()).findByText(/选好考试日期/)).toBeTruthy()
  stage.close()
  await date(-1)
  expect(await (await opened()).findByText(/^考试日期已到/)).toBeTruthy()
})

test('without a network, it says what will be known, with its bounds, by day, subject and point', async () => {
  await date(12)
  await offline.add({ kind: 'setting', payload: { name: 'minutesADay', value: 5 } })
  // The names of points come with a network, once.
  await (await opened()).findByRole('row', { name: /^军史/ })
  stage.close()
  stage.wire.fault = () => Promise.reject(new TypeError('no network'))
  const said = await opened()
  const text = (await said.findByText(/预计记得/, { selector: 'p' })).textContent
  const shares = [...text.matchAll(/(\d+)%/g)].map(([, share]) => Number(share))
  const [known = 0, low = 0, high = 0, more = 0] = shares
  expect(shares).toHaveLength(4)
  expect([low <= known, known <= high, known > 0, known < more]).toEqual([true, true, true, true])
  const table = said.getByRole('table', { name: '考试前每天预计记得的比例' })
  // A head, today, twelve days until the exam.
  expect(within(table).getAllByRole('row')).toHaveLength(14)
  expect(said.getByText(/只算做过的 24 题/)).toBeTruthy()
  expect(said.getByRole('table', { name: /^各科目/ }).textContent).toMatch(/\d+%\d+%–\d+%/)
  expect(await said.findByRole('row', { name: /^军史\s+\d+%/ })).toBeTruthy()
})

test('where more minutes bring less than one point, it says what they are good for, and no second figure', async () => {
  await offline.add({ kind: 'setting', payload: { name: 'minutesADay', value: 120 } })
  const text = (await (await opened()).findByText(/预计记得/, { selector: 'p' })).textContent
  expect(text).toMatch(/预计记得 \d+%（大致在 \d+%–\d+%）。到期的复习都赶得上，多出的时间可以练新题。$/)
})

test('a record that cannot be read is said, with what helps', async () => {
  vi.spyOn(pages, 'statePages').mockImplementation(() => {
    throw new Error('torn')
  })
  expect((await (await opened()).findByRole('alert')).textContent).toContain('暂时读不到学习记录')
})
