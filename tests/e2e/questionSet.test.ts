import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rowsOf, workerReady } from './browser.ts'
import { goTo, reload, setStage } from './stage.ts'

const stage = setStage({ own: true })
const { open, choose, skipChoice, beVisitor, student, keptStudent, markSays, signIn } = stage

const at = (page: Page, n: number, total: number) =>
  page.getByRole('heading', { level: 1, name: new RegExp(`^第${n}题，共${total}题`) }).waitFor()
/** What the worker keeps of sets. */
const kept = (page: Page, owner = 'anon') =>
  page.evaluate(async (of) => {
    const rows = await (await caches.open(`api-v1:${of}`)).keys()
    return rows.flatMap(({ url }) => new URL(url).pathname.split('/pcapi/questionSet/')[1] ?? []).sort()
  }, owner)
/** The sitting on this device. */
const answered = async (page: Page) =>
  (await rowsOf<{ key: string; value: { at: number } }>(page, 'jk-outbox', 'drafts')).find(({ key }) =>
    key.startsWith('sitting:'),
  )?.value.at

test('a paper opened once, on the very first visit, is done without a network: cold start, kill, hand-in, report', async () => {
  await stage.changePhone({ firstVisit: true })
  await open('/question_set/question_set_list')
  await skipChoice(stage.phone.page)
  let { page } = stage.phone
  await page.getByRole('button', { name: /士兵考学数学仿真卷/ }).click()
  await page.getByRole('radio', { name: /^交卷后看/ }).click()
  await page.getByRole('button', { name: '开始 数学仿真卷（一）' }).click()
  await at(page, 1, 21)
  await workerReady(page)
  await expect.poll(() => kept(page)).toEqual(['detail', 'list', 'paper'])
  await choose(page, 'A')
  await page.getByRole('button', { name: '存疑' }).click()
  await page.getByRole('button', { name: '下一题' }).click()
  await at(page, 2, 21)
  await expect.poll(() => answered(page)).toBe(1)
  const address = page.url()
  await stage.phone.end()

  await stage.phone.reopen({ offline: true })
  page = stage.phone.page
  await open(new URL(address).pathname)
  await at(page, 2, 21)
  await choose(page, 'B')
  await page.getByRole('button', { name: '下一题' }).click()
  await at(page, 3, 21)
  await expect.poll(() => answered(page)).toBe(2)
  await stage.phone.kill()

  await stage.phone.reopen({ offline: true })
  page = stage.phone.page
  await open(new URL(address).pathname)
  await at(page, 3, 21)
  await page.getByRole('button', { name: '交卷', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '交卷' })
  await dialog.getByText('还有 19 题未答。').waitFor()
  await dialog.getByRole('button', { name: '第1题，存疑' }).waitFor()
  await dialog.getByRole('button', { name: '确定交卷' }).click()
  await page.getByRole('heading', { name: '成绩报告' }).waitFor()
  await page.getByText('已答 2 题').waitFor()
  await reload(page)
  await page.getByRole('heading', { name: '成绩报告' }).waitFor()
  await page.getByRole('button', { name: '退出练习' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '返回题集' }).click()
  await page.getByRole('heading', { name: '士兵考学数学仿真卷' }).waitFor()
})

test('a set that was changed is on the screen as soon as the worker has it', async () => {
  await beVisitor()
  await open('/question_set/question_set_list')
  const { page } = stage.phone
  await page.getByRole('button', { name: /士兵考学数学仿真卷/ }).waitFor()
  await workerReady(page)
  await expect.poll(() => kept(page)).toEqual(['list'])
  await stage.product.sql("update question_set set title = '数学卷改名' where no = 'S_math'")
  try {
    await reload(page)
    // The kept answer first, then the fresh one in its place: the worker tells the page.
    await page.getByRole('button', { name: /数学卷改名/ }).waitFor()
  } finally {
    await stage.product.sql("update question_set set title = '士兵考学数学仿真卷' where no = 'S_math'")
  }
})

/** The first question of 数学仿真卷（一） answered, in 交卷后看. */
async function beginPaper(page: Page, uid: string): Promise<void> {
  await open('/question_set/question_set_list')
  await page.getByRole('button', { name: /士兵考学数学仿真卷/ }).click()
  await page.getByRole('radio', { name: /^交卷后看/ }).click()
  await page.getByRole('button', { name: '开始 数学仿真卷（一）' }).click()
  await at(page, 1, 21)
  await workerReady(page)
  await expect.poll(() => kept(page, `u:${uid}`)).toContain('paper')
  await choose(page, 'A')
  await page.getByRole('button', { name: '下一题' }).click()
}

test('a paper handed in without a network is in the record, and another device sees the best score', async () => {
  const { mobile, uid } = await keptStudent()
  let { page } = stage.phone
  await beginPaper(page, uid)
  await at(page, 2, 21)
  await expect.poll(() => answered(page)).toBe(1)
  const address = page.url()
  await stage.phone.kill()

  await stage.phone.reopen({ offline: true })
  page = stage.phone.page
  await open(new URL(address).pathname)
  await at(page, 2, 21)
  await choose(page, 'B')
  await page.getByRole('button', { name: '交卷', exact: true }).click()
  await page.getByRole('button', { name: '确定交卷' }).click()
  await page.getByRole('heading', { name: '成绩报告' }).waitFor()
  const score = (await page.getByLabel(/^得分/).getAttribute('aria-label')) ?? ''
  await page.getByRole('button', { name: '返回题集' }).click()
  await page.getByText(/最好 .*交卷 1 次/).waitFor()
  await goTo(page, `${stage.product.url}/user/my_set`)
  await page.getByRole('button', { name: '查看报告 数学仿真卷（一）' }).click()
  await page.getByLabel(score).waitFor()
  await page.getByText('已答 2 题').waitFor()

  await stage.phone.context.setOffline(false)
  await goTo(page, `${stage.product.url}/question/library`)
  await markSays(page, /已同步/)
  await stage.changePhone()
  page = stage.phone.page
  await signIn(page, mobile)
  await open('/user/my_set')
  await page.getByRole('button', { name: '查看报告 数学仿真卷（一）' }).click()
  await page.getByLabel(score).waitFor()
  await page.getByText(/每题选了什么保存在当时作答的设备上/).waitFor()
})

test('who logs out and in again finds the papers of their sittings without a network', async () => {
  const { mobile, uid } = await student()
  const { page } = stage.phone
  await beginPaper(page, uid)
  await expect.poll(() => answered(page)).toBe(1)
  await open('/user/my_userinfo')
  await page.getByRole('button', { name: '退出登录' }).click()
  await page.getByRole('dialog', { name: '退出登录' }).getByRole('button', { name: '退出', exact: true }).click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/')
  expect(await page.evaluate((of) => caches.has(of), `api-v1:u:${uid}`)).toBe(false)
  await signIn(page, mobile)
  await expect.poll(() => kept(page, `u:${uid}`), { timeout: 20_000 }).toEqual(['detail', 'paper'])

  await stage.phone.context.setOffline(true)
  await open('/user/my_set')
  await page.getByRole('button', { name: '继续 数学仿真卷（一）' }).click()
  await at(page, 2, 21)
})
