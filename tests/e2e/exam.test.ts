import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { PaperSection } from '#src/contract/questionSet.ts'
import type { Response } from '#src/contract/response.ts'
import { markPaper, marksText } from '#src/domain/paper/paper.ts'
import { newWorker, workerReady } from './browser.ts'
import { reload, setStage } from './stage.ts'

const stage = setStage({ own: true })
const { open, choose, keptStudent, markSays, signIn } = stage
const TOTAL = 21

const at = (page: Page, n: number) =>
  page.getByRole('heading', { level: 1, name: new RegExp(`^第${n}题，共${TOTAL}题`) }).waitFor()
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const checked = async (page: Page, letter: string) =>
  await expect.poll(() => page.getByRole('radio', { name: new RegExp(`^${letter}．`) }).isChecked()).toBe(true)

/** Applied for and begun with a network; its address. */
async function begin(): Promise<string> {
  await open('/exam/exam_detail/X_math')
  const { page } = stage.phone
  await page.getByRole('button', { name: '报名', exact: true }).click()
  await page.getByRole('button', { name: '进入考试' }).click()
  await page.getByRole('button', { name: '开始考试' }).click()
  await at(page, 1)
  await workerReady(page)
  return new URL(page.url()).pathname
}
async function handIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: '交卷', exact: true }).first().click()
  await page.getByRole('button', { name: '确定交卷' }).click()
  await heading(page, '交卷回执')
}
/** What the paper gives for these options of its first questions, by the rule that device and server share. */
async function scoreOf(letters: string): Promise<string> {
  const [paper] = await stage.product.sql<{ partial: 'none'; body: string }>(
    `select p.partial, p.body from exam_paper p join exam x on x.no = p.exam_no and x.rev = p.rev where x.no = 'X_math'`,
  )
  const sections: PaperSection[] = JSON.parse(paper?.body ?? '[]')
  const nos = sections.flatMap(({ entries }) => entries.map(({ question }) => question.no))
  const given = letters.split('').map((id, i): [string, Response] => [nos[i] ?? '', { kind: 'choice', ids: [id] }])
  return marksText(markPaper({ partial: paper?.partial ?? 'none', sections }, new Map(given)).score)
}
const handIns = async (uid: string) =>
  await stage.product.sql<{ verdict: string }>(`select verdict from study_op where uid = $1 and kind = 'examHandIn'`, [
    uid,
  ])

test('an exam whose network goes away after the start is done, killed, gone on with and sealed without one; the server marks it', async () => {
  await stage.changePhone({ firstVisit: true })
  const { uid } = await keptStudent()
  const address = await begin()
  await stage.phone.context.setOffline(true)
  await choose(stage.phone.page, 'A')
  await checked(stage.phone.page, 'A')
  await stage.phone.kill()

  await stage.phone.reopen({ offline: true })
  await open(address)
  let { page } = stage.phone
  await at(page, 1)
  await checked(page, 'A')
  await page.getByRole('button', { name: '下一题' }).click()
  await at(page, 2)
  await choose(page, 'B')
  await checked(page, 'B')
  await page.getByRole('button', { name: '下一题' }).click()
  await at(page, 3)
  await choose(page, 'C')
  await checked(page, 'C')
  await handIn(page)
  await page.getByText('已交卷，待上传').waitFor()
  await page.getByText(/^3 题，用时/).waitFor()
  const report = new URL(page.url()).pathname
  // The phone dies with the receipt on its screen.
  await stage.phone.kill()

  await stage.phone.reopen({ offline: true })
  page = stage.phone.page
  await open(report)
  await page.getByText('已交卷，待上传').waitFor()
  await stage.phone.context.setOffline(false)
  await open(report)
  await heading(page, '成绩报告')
  await page.getByLabel(`得分 ${await scoreOf('ABC')}，满分 150`).waitFor()
  expect(await handIns(uid)).toEqual([{ verdict: 'applied' }])
  const standing = () =>
    stage.phone.page
      .getByRole('region', { name: '排名' })
      .getByText(/^截至 /)
      .waitFor()
  await standing()
  // Key and standing are there without a network, from then on.
  await workerReady(page)
  await stage.phone.kill()
  await stage.phone.reopen({ offline: true })
  page = stage.phone.page
  await open(report)
  await heading(page, '成绩报告')
  await standing()
  await page.getByRole('region', { name: '每题用时' }).getByRole('link').first().click()
  await at(page, 1)
  await stage.phone.context.setOffline(false)
  // What was answered is in the record, too.
  await open('/question/library')
  await markSays(page, /已同步/)
  await expect.poll(async () => (await stage.answers(uid)).length).toBe(3)
})

test('a hand-in that meets a dying server, and whose acknowledgement is lost, counts once; a moved clock ends nothing', async () => {
  const { uid } = await keptStudent()
  await begin()
  const { page } = stage.phone
  await page.evaluate(() => {
    const now = Date.now.bind(Date)
    Date.now = () => now() + 86_400_000
  })
  await choose(page, 'A')
  await checked(page, 'A')
  await expect.poll(() => page.getByRole('timer').textContent()).toMatch(/^2:29:\d\d$/)
  await stage.product.kill()
  await handIn(page)
  await page.getByText('已交卷，待上传').waitFor()
  await stage.product.restart()
  await stage.product.wire.set('drop-answer')
  await expect.poll(() => handIns(uid)).toHaveLength(1)
  await stage.product.wire.set('ok')
  await heading(page, '成绩报告')
  await page.getByLabel(`得分 ${await scoreOf('A')}，满分 150`).waitFor()
  expect(await handIns(uid)).toEqual([{ verdict: 'applied' }])
})

test('of two tabs on one exam one answers: the other is told, and can go on with all that was chosen', async () => {
  await keptStudent()
  const address = await begin()
  const first = stage.phone.page
  await choose(first, 'A')
  await checked(first, 'A')
  const second = await stage.phone.context.newPage()
  await second.goto(stage.product.url + address)
  await heading(second, '这场考试在另一个标签页里')
  await second.getByRole('button', { name: '在这里继续' }).click()
  await at(second, 1)
  await checked(second, 'A')
  await heading(first, '这场考试在另一个标签页里')
  await choose(second, 'C')
  await checked(second, 'C')
  await first.getByRole('button', { name: '在这里继续' }).click()
  await checked(first, 'C')
  await handIn(first)
  // The tab that is told may look, too: it is handed in.
  await second.getByRole('button', { name: '在这里继续' }).click()
  await second.getByRole('heading', { level: 1, name: /交卷回执|成绩报告/ }).waitFor()
})

test('a login that expires in the middle ends nothing: the hand-in is kept, and counts when the student has logged in again', async () => {
  const { uid, mobile } = await keptStudent()
  await begin()
  const { page } = stage.phone
  await stage.product.sql('delete from session where uid = $1', [uid])
  await choose(page, 'A')
  await checked(page, 'A')
  await page.getByRole('button', { name: '下一题' }).click()
  await at(page, 2)
  await choose(page, 'B')
  await checked(page, 'B')
  await handIn(page)
  await page.getByText('已交卷，待上传').waitFor()
  const report = new URL(page.url()).pathname
  expect(await handIns(uid)).toEqual([])
  await open('/')
  await signIn(page, mobile)
  await markSays(page, /已同步/)
  await open(report)
  await page.getByLabel(`得分 ${await scoreOf('AB')}，满分 150`).waitFor()
  expect(await handIns(uid)).toEqual([{ verdict: 'applied' }])
})

test('a new version that is out during an exam waits: nothing reloads, and the old one hands in', async () => {
  const { uid } = await keptStudent()
  const address = await begin()
  const { page } = stage.phone
  // Only a page that began with a worker can be outdated.
  await open(address)
  await at(page, 1)
  await page.evaluate(() => Object.assign(window, { stillHere: true }))
  await stage.product.release()
  await newWorker(page)
  await choose(page, 'A')
  await checked(page, 'A')
  await page.getByRole('button', { name: '下一题' }).click()
  await at(page, 2)
  expect(await page.getByText('发现新版本').count()).toBe(0)
  await handIn(page)
  await page.getByLabel(`得分 ${await scoreOf('A')}，满分 150`).waitFor()
  expect(await page.evaluate(() => 'stillHere' in window)).toBe(true)
  expect(await handIns(uid)).toEqual([{ verdict: 'applied' }])
})

test('a scheduled paper that came sealed opens with one call once its page is seen, and is begun and done without a network', async () => {
  const { uid } = await keptStudent()
  const { page } = stage.phone
  const HOUR = 3_600_000
  const now = Date.now()
  await stage.product.sql(`update exam set starts_at = $1, ends_at = $2 where no = 'X_math'`, [
    now + HOUR,
    now + 5 * HOUR,
  ])
  try {
    await open('/exam/exam_detail/X_math')
    await page.getByRole('button', { name: '报名', exact: true }).click()
    await page.getByText(/^试卷已加密下载/).waitFor()
    await stage.product.sql(`update exam set starts_at = $1 where no = 'X_math'`, [now - 1_000])
    const seen = async () => {
      await open('/exam/exam_detail/X_math')
      // The page first shows what is from before; its window comes behind it.
      await reload(page)
      await page.getByText('试卷已下载，没有网络也能开考、答完并交卷。').waitFor()
    }
    await Promise.all([page.waitForRequest((request) => request.url().endsWith('/exam/open')), seen()])
    await stage.phone.context.setOffline(true)
    await page.getByRole('button', { name: '进入考试' }).click()
    await page.getByRole('button', { name: '开始考试' }).click()
    await at(page, 1)
    await choose(page, 'A')
    await checked(page, 'A')
    await handIn(page)
    await page.getByText('已交卷，待上传').waitFor()
    await stage.phone.context.setOffline(false)
    await page.getByText('待公布').waitFor()
    expect(await handIns(uid)).toEqual([{ verdict: 'applied' }])
    // Released with the end of the window.
    await stage.product.sql(`update exam set ends_at = $1 where no = 'X_math'`, [Date.now()])
    await reload(page)
    await page.getByLabel(`得分 ${await scoreOf('A')}，满分 150`).waitFor()
  } finally {
    await stage.product.sql(`update exam set starts_at = null, ends_at = null where no = 'X_math'`)
  }
})

test('an essay of 10,000 characters is on the device while it is written, survives a kill, and goes up whole', async () => {
  const { uid } = await keptStudent()
  const address = await begin()
  let { page } = stage.phone
  await page.getByRole('button', { name: /^答题卡/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^第?21/ })
    .click()
  await at(page, TOTAL)
  const text = Array.from({ length: 1_000 }, (_, i) => `第${String(i).padStart(4, '0')}句，思路。`)
    .join('')
    .slice(0, 10_000)
  expect(text).toHaveLength(10_000)
  await stage.phone.context.setOffline(true)
  await page.getByRole('textbox').fill(text)
  await expect
    .poll(() => stage.drafts(page).then((drafts) => JSON.stringify(drafts).includes(text.slice(-12))))
    .toBe(true)
  await stage.phone.kill()
  await stage.phone.reopen({ offline: true })
  await open(address)
  page = stage.phone.page
  await at(page, TOTAL)
  expect(await page.getByRole('textbox').inputValue()).toBe(text)
  await handIn(page)
  await stage.phone.context.setOffline(false)
  await heading(page, '成绩报告')
  const [sent] = await stage.product.sql<{ text: string }>(
    `select payload -> 'response' ->> 'text' as text from study_op where uid = $1 and kind = 'examChoice'`,
    [uid],
  )
  expect(sent?.text).toBe(text)
})

test('above a question all fits 360 px, as high as a thumb, with 存疑 a thumb away from 交卷; a wide report keeps its score in view', async () => {
  await keptStudent()
  await begin()
  const { page } = stage.phone
  const size = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 640 })
  try {
    const box = async (name: string | RegExp) => {
      const found = await page.getByRole('button', { name }).first().boundingBox()
      if (!found) throw new Error(`${String(name)} is not on the screen`)
      return found
    }
    const boxes = await Promise.all([/^离开|^退出/, /^答题卡/, '存疑', /^更多/, /^交卷$/].map(box))
    const [, , flag, , end] = boxes
    for (const { width, height } of boxes) expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    for (const [i, { x }] of boxes.entries()) {
      const before = boxes[i - 1]
      expect(x, 'nothing lies over its neighbour').toBeGreaterThanOrEqual(before ? before.x + before.width : 0)
    }
    if (!flag || !end) throw new Error('one of them is missing')
    expect(end.x - flag.x - flag.width).toBeGreaterThanOrEqual(44)
    expect(end.x + end.width).toBeLessThanOrEqual(360)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await page.getByRole('timer').waitFor()

    await handIn(page)
    await heading(page, '成绩报告')
    await page.setViewportSize({ width: 1280, height: 800 })
    const table = page.getByRole('region', { name: '各题型' })
    await table.scrollIntoViewIfNeeded()
    const [score, beside] = await Promise.all([page.getByLabel(/^得分 /).boundingBox(), table.boundingBox()])
    if (!score || !beside) throw new Error('the report is not whole')
    expect(score.x + score.width, 'the score stands beside what explains it').toBeLessThanOrEqual(beside.x)
    expect(score.y, 'and stays in view').toBeGreaterThanOrEqual(0)
    expect(score.y + score.height).toBeLessThanOrEqual(800)
  } finally {
    if (size) await page.setViewportSize(size)
  }
})
