import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { PaperSection } from '#src/contract/questionSet.ts'
import type { Response } from '#src/contract/response.ts'
import { markPaper, marksText } from '#src/domain/paper/paper.ts'
import { workerReady } from './browser.ts'
import { setStage } from './stage.ts'

const stage = setStage()
const { open, choose, keptStudent, markSays } = stage
const TOTAL = 20

const at = (page: Page, n: number) =>
  page.getByRole('heading', { level: 1, name: new RegExp(`^第${n}题，共${TOTAL}题`) }).waitFor()
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const checked = async (page: Page, letter: string) =>
  await expect.poll(() => page.getByRole('radio', { name: new RegExp(`^${letter}．`) }).isChecked()).toBe(true)

async function sectionsOf(no: string): Promise<PaperSection[]> {
  const [paper] = await stage.product.sql<{ body: string }>(
    `select p.body from testing_paper p join testing t on t.no = p.testing_no and t.rev = p.rev where t.no = $1`,
    [no],
  )
  return JSON.parse(paper?.body ?? '[]')
}

test('a testing whose network goes away after the start is done, killed, gone on with and handed in without one; the record is the server’s, too', async () => {
  const { uid } = await keptStudent()
  await open('/question/library')
  let { page } = stage.phone
  await page.getByRole('link', { name: '题集测评' }).click()
  await page.getByRole('button', { name: '测评', exact: true }).click()
  await page.getByRole('button', { name: /军考入学测评/ }).click()
  await page.getByRole('radio', { name: /^交卷后看/ }).click()
  await page.getByRole('button', { name: '开始测评' }).click()
  await at(page, 1)
  await workerReady(page)
  const address = new URL(page.url()).pathname
  const { context } = stage.phone
  await expect
    .poll(() =>
      page.evaluate(async (of) => (await (await caches.open(`api-v1:u:${of}`)).keys()).map(({ url }) => url), uid),
    )
    .toContainEqual(expect.stringContaining('testing/paper'))
  await context.setOffline(true)
  await choose(page, 'A')
  await checked(page, 'A')
  await stage.phone.kill()

  await stage.phone.reopen({ offline: true })
  page = stage.phone.page
  await open(address)
  await at(page, 1)
  await checked(page, 'A')
  for (const [n, letter] of [
    [2, 'B'],
    [3, 'C'],
  ] as const) {
    await page.getByRole('button', { name: '下一题' }).click()
    await at(page, n)
    await choose(page, letter)
    await checked(page, letter)
  }
  await page.getByRole('button', { name: '交卷', exact: true }).first().click()
  await page.getByRole('button', { name: '确定交卷' }).click()
  await heading(page, '成绩报告')
  const sections = await sectionsOf('T_entrance')
  const nos = sections.flatMap(({ entries }) => entries.map(({ question }) => question.no))
  const given = ['A', 'B', 'C'].map((id, i): [string, Response] => [nos[i] ?? '', { kind: 'choice', ids: [id] }])
  const result = markPaper({ partial: 'none', sections }, new Map(given))
  const score = () => page.getByLabel(`得分 ${marksText(result.score)}，满分 100`)
  await score().waitFor()
  await page.getByRole('region', { name: '学习建议' }).getByRole('heading', { name: /^数学/ }).waitFor()
  // The phone dies with the report on its screen.
  const report = new URL(page.url()).pathname
  await stage.phone.kill()

  await stage.phone.reopen({ offline: true })
  page = stage.phone.page
  await open(report)
  await score().waitFor()
  await page.getByRole('button', { name: '返回测评' }).click()
  await page.getByRole('region', { name: '我的结果' }).waitFor()
  await stage.phone.context.setOffline(false)
  await open('/question/library')
  await markSays(page, /已同步/)
  const attempts = await stage.product.sql<{ score: number; of: string }>(
    `select (body ->> 'score')::int as score, body -> 'paper' ->> 'of' as of from study_record
      where uid = $1 and kind = 'attempt'`,
    [uid],
  )
  expect(attempts).toEqual([{ score: result.score, of: 'testing' }])
  const missed = await stage.product.sql<{ id: string }>(
    `select id from study_record where uid = $1 and kind = 'state' and body -> 'book' ->> 'from' = 'testing' order by id`,
    [uid],
  )
  expect(missed).toHaveLength(3 - result.right)
  await open('/user/my_error')
  await page
    .getByText(new RegExp(`${missed.length} 题`))
    .first()
    .waitFor()
})
