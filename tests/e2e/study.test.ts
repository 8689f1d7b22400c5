import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bankJson } from '#tests/support/bank.ts'
import { type Phone, takePhone, workerReady } from './browser.ts'
import { type Product, runProduct } from './product.ts'

let product: Product
let phone: Phone
beforeAll(async () => {
  product = await runProduct(bankJson({ prefix: 'E2E', chapters: 2, perChapter: 40 }))
})
afterAll(() => product.close())
beforeEach(async () => {
  await product.wire.set('ok')
  phone = await takePhone()
})
afterEach(async ({ task }) => {
  // What the student saw when it went wrong.
  if (task.result?.state === 'fail') await phone.page.screenshot({ path: `shots/${task.name}.png` }).catch(() => {})
  await phone.close()
})

const STUDY = '/question/library_study/E2E_c1/20/第1章'
let mobiles = 13_700_000_000

const open = (path: string) => phone.page.goto(product.url + path, { waitUntil: 'domcontentloaded' })
const stem = (page: Page, n: number) => page.getByText(`第1章第${n}题：`)
/** Every test bank's right option is B. */
const choose = (page: Page, letter: string) => page.getByRole('radio', { name: new RegExp(`^${letter}．`) }).click()
const answers = async (uid: string) =>
  await product.sql<{ question_no: string; times: number; wrong: number }>(
    'select question_no, times, wrong from study_state where uid = $1 order by question_no',
    [uid],
  )
const uidOf = async (mobile: string) =>
  (await product.sql<{ uid: string }>('select uid from student where mobile = $1', [mobile]))[0]?.uid ?? ''

async function skipChoice(page: Page): Promise<void> {
  await page.getByRole('dialog', { name: '选择报考地区与方向' }).getByRole('button', { name: '确定' }).click()
  await page.waitForLoadState('domcontentloaded')
}

/** Logs in by code as a new student would: picture, message, code. The picture's letters are read from the database. */
async function logIn(page: Page, mobile: string): Promise<void> {
  await page.getByRole('button', { name: /^游客/ }).click()
  const dialog = page.getByRole('dialog', { name: '登录' })
  await dialog.getByRole('tab', { name: '验证码登录' }).click()
  await dialog.getByLabel('手机号').fill(mobile)
  await dialog.getByRole('button', { name: '发送验证码' }).click()
  const picture = page.getByRole('dialog', { name: '图形验证码' })
  await picture.getByRole('img', { name: '图形验证码' }).waitFor()
  const [image] = await product.sql<{ code: string }>('select code from image_code where mobile = $1', [mobile])
  await picture.getByLabel('请输入图中的字符').fill(image?.code ?? '')
  const before = product.log().length
  await picture.getByRole('button', { name: '发送验证码' }).click()
  const message = () => product.log().slice(before).split(`短信验证码 ${mobile}: `)[1]?.slice(0, 6) ?? ''
  await expect.poll(message).toHaveLength(6)
  const code = message()
  await dialog.getByLabel('验证码', { exact: true }).fill(code)
  const reloaded = page.waitForEvent('load')
  await dialog.getByRole('button', { name: '登录', exact: true }).click()
  await reloaded
  await expect.poll(() => page.evaluate(() => localStorage.getItem('user'))).toContain('"uid":"')
}

async function student(): Promise<{ mobile: string; uid: string }> {
  const mobile = String(++mobiles)
  await open('/')
  await skipChoice(phone.page)
  await logIn(phone.page, mobile)
  return { mobile, uid: await uidOf(mobile) }
}

/** Where the one batch on this device would go on. */
const savedPlace = (page: Page) =>
  page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('jk-outbox')
      request.onsuccess = () => resolve(request.result)
    })
    const drafts = await new Promise<{ key: string; value: { at: number } }[]>((resolve) => {
      const request = db.transaction('drafts').objectStore('drafts').getAll()
      request.onsuccess = () => resolve(request.result)
    })
    db.close()
    return drafts.find(({ key }) => key.startsWith('batch:'))?.value.at
  })
/** Logging in again soon: what makes the student wait between two codes is over. */
async function laterOn(page: Page): Promise<void> {
  await product.sql('delete from rate')
  await page.evaluate(() => sessionStorage.removeItem('jk-sms-until'))
}

const mark = (page: Page) => page.getByRole('button', { name: /^同步状态/ }).first()
const markSays = async (page: Page, text: RegExp) =>
  await expect.poll(() => mark(page).getAttribute('aria-label'), { timeout: 20_000 }).toMatch(text)

test('a student picks region and direction, logs in, studies, loses the network, closes the browser, goes on, and finds every answer on the server', async () => {
  await open('/')
  const dialog = phone.page.getByRole('dialog', { name: '选择报考地区与方向' })
  await dialog.getByText('山东', { exact: true }).click()
  await dialog.getByText('高中士兵考军官院校', { exact: true }).click()
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect.poll(() => phone.page.evaluate(() => localStorage.getItem('user'))).toContain('"name":"山东"')
  const mobile = String(++mobiles)
  await logIn(phone.page, mobile)

  await phone.page.getByRole('navigation', { name: '底部导航' }).getByRole('link', { name: '题库' }).click()
  const card = phone.page.getByRole('region', { name: 'E2E 章节题库' })
  await card.getByRole('button', { name: /^第1章/ }).click()
  await stem(phone.page, 1).waitFor()
  await choose(phone.page, 'B')
  await phone.page.getByText('回答正确').first().waitFor()
  await workerReady(phone.page)

  await phone.context.setOffline(true)
  await phone.page.getByRole('button', { name: '下一题' }).click()
  await stem(phone.page, 2).waitFor()
  await choose(phone.page, 'A')
  await phone.page.getByText('回答错误').first().waitFor()
  await phone.page.getByRole('button', { name: '下一题' }).click()
  await stem(phone.page, 3).waitFor()
  await expect.poll(() => savedPlace(phone.page)).toBe(2)
  const address = phone.page.url()
  await phone.context.close()

  await phone.reopen({ offline: true })
  await phone.page.goto(address)
  await stem(phone.page, 3).waitFor()
  await choose(phone.page, 'B')
  await phone.page.getByText('回答正确').first().waitFor()
  await markSays(phone.page, /[23] 条待同步/)

  await phone.context.setOffline(false)
  await markSays(phone.page, /已同步/)
  expect(await answers(await uidOf(mobile))).toEqual([
    { question_no: 'E2E_q1', times: 1, wrong: 0 },
    { question_no: 'E2E_q2', times: 1, wrong: 1 },
    { question_no: 'E2E_q3', times: 1, wrong: 0 },
  ])
})

describe('nothing they did is lost', () => {
  test('an answer survives the browser being killed right after it', async () => {
    const { uid } = await student()
    // A browser keeps localStorage in memory for seconds: the login itself must be on disk before the kill.
    await phone.context.close()
    await phone.reopen()
    await open(STUDY)
    await stem(phone.page, 1).waitFor()
    await workerReady(phone.page)
    await product.wire.set('down')
    await choose(phone.page, 'B')
    await phone.page.getByText('回答正确').first().waitFor()
    await phone.kill()
    await phone.reopen()
    await product.wire.set('ok')
    await open(STUDY)
    await markSays(phone.page, /已同步/)
    expect(await answers(uid)).toEqual([{ question_no: 'E2E_q1', times: 1, wrong: 0 }])
  })

  test('an answer that the server took but could not acknowledge counts once', async () => {
    const { uid } = await student()
    await open(STUDY)
    await stem(phone.page, 1).waitFor()
    await product.wire.set('drop-answer')
    await choose(phone.page, 'B')
    await expect.poll(() => answers(uid)).toHaveLength(1)
    await markSays(phone.page, /1 条待同步/)
    await product.wire.set('ok')
    await markSays(phone.page, /已同步/)
    expect(await answers(uid)).toEqual([{ question_no: 'E2E_q1', times: 1, wrong: 0 }])
  })

  test('a server that dies and comes back gets what was answered meanwhile', async () => {
    const { uid } = await student()
    await open(STUDY)
    await stem(phone.page, 1).waitFor()
    await product.kill()
    await choose(phone.page, 'B')
    await phone.page.getByText('回答正确').first().waitFor()
    await product.restart()
    await markSays(phone.page, /已同步/)
    expect(await answers(uid)).toEqual([{ question_no: 'E2E_q1', times: 1, wrong: 0 }])
  })

  test('an expired token holds the answers until the student logs in again, and studying goes on', async () => {
    const { uid, mobile } = await student()
    await open(STUDY)
    await stem(phone.page, 1).waitFor()
    await product.sql('delete from session where uid = $1', [uid])
    await choose(phone.page, 'B')
    await phone.page.getByText('登录已过期，可以继续做题').waitFor()
    await phone.page.getByRole('button', { name: '下一题' }).click()
    await choose(phone.page, 'B')
    await phone.page.getByText('回答正确').first().waitFor()
    expect(await answers(uid)).toEqual([])
    await open('/')
    await laterOn(phone.page)
    await logIn(phone.page, mobile)
    await markSays(phone.page, /已同步/)
    expect(await answers(uid)).toHaveLength(2)
  })
})

describe('offline', () => {
  test('a chapter that was opened starts from a cold browser on its own address', async () => {
    await student()
    await open(STUDY)
    await stem(phone.page, 1).waitFor()
    await workerReady(phone.page)
    await phone.context.close()
    await phone.reopen({ offline: true })
    await open(STUDY)
    await stem(phone.page, 1).waitFor()
  })

  test('a chapter never opened says so at once, and the rest of the app stays usable', async () => {
    await student()
    await open('/question/library')
    await phone.page.getByRole('region', { name: 'E2E 章节题库' }).waitFor()
    await workerReady(phone.page)
    await phone.context.setOffline(true)
    await open('/question/library_study/E2E_c2/20/第2章')
    await phone.page.getByText('此内容尚未下载，联网后可查看').waitFor()
    await phone.page.getByRole('button', { name: '返回' }).click()
    await phone.page.getByRole('heading', { name: '题库', exact: true }).waitFor()
  })

  test('a network that takes connections and never answers does not hold up what is stored', async () => {
    await student()
    await open(STUDY)
    await stem(phone.page, 1).waitFor()
    await workerReady(phone.page)
    await product.wire.set('hang')
    await open(STUDY)
    await stem(phone.page, 1).waitFor()
    await choose(phone.page, 'B')
    await phone.page.getByText('回答正确').first().waitFor()
  })
})

describe('whose answers', () => {
  test('another student on the same phone sees and sends nothing of the first, whose answers go up at the next login', async () => {
    const first = await student()
    await open(STUDY)
    await stem(phone.page, 1).waitFor()
    await workerReady(phone.page)
    await product.wire.set('down')
    await choose(phone.page, 'B')
    await phone.page.getByText('回答正确').first().waitFor()
    await open('/user/my_userinfo')
    await phone.page.getByRole('button', { name: '退出登录' }).click()
    await phone.page.getByText('还有 1 条未同步').waitFor()
    const left = phone.page.waitForEvent('load')
    await phone.page.getByRole('button', { name: '保留在本机并退出' }).click()
    await left
    await product.wire.set('ok')
    await laterOn(phone.page)
    const second = String(++mobiles)
    await logIn(phone.page, second)
    await markSays(phone.page, /已同步/)
    expect(await answers(await uidOf(second))).toEqual([])
    expect(await answers(first.uid)).toEqual([])
    await open('/user/my_userinfo')
    await phone.page.getByRole('button', { name: '退出登录' }).click()
    const out = phone.page.waitForEvent('load')
    await phone.page.getByRole('button', { name: '退出', exact: true }).click()
    await out
    await laterOn(phone.page)
    await logIn(phone.page, first.mobile)
    await expect.poll(() => answers(first.uid), { timeout: 20_000 }).toHaveLength(1)
  })

  test('what a visitor answered is merged into the account when the student says so', async () => {
    await open('/')
    await skipChoice(phone.page)
    await open(STUDY)
    await choose(phone.page, 'B')
    await phone.page.getByText('回答正确').first().waitFor()
    await open('/')
    const mobile = String(++mobiles)
    await logIn(phone.page, mobile)
    await phone.page.getByRole('button', { name: '合并到账号' }).click()
    await expect
      .poll(async () => answers(await uidOf(mobile)), { timeout: 20_000 })
      .toEqual([{ question_no: 'E2E_q1', times: 1, wrong: 0 }])
  })

  test('a second device shows what the first one did', async () => {
    const { mobile, uid } = await student()
    await open(STUDY)
    await choose(phone.page, 'B')
    await expect.poll(() => answers(uid), { timeout: 20_000 }).toHaveLength(1)
    await phone.close()
    phone = await takePhone()
    await open('/')
    await skipChoice(phone.page)
    await laterOn(phone.page)
    await logIn(phone.page, mobile)
    await open('/question/library')
    await phone.page.getByRole('region', { name: 'E2E 章节题库' }).getByText('1/40').waitFor()
  })
})

test('two tabs answer and sync together, and each answer counts once', async () => {
  const { uid } = await student()
  await open(STUDY)
  const other = await phone.context.newPage()
  await other.goto(product.url + '/question/library_study/E2E_c2/20/第2章')
  for (let i = 0; i < 3; i++) {
    for (const page of [phone.page, other]) {
      await choose(page, 'B')
      await page.getByText('回答正确').first().waitFor()
      await page.getByRole('button', { name: '下一题' }).click()
    }
  }
  await expect.poll(() => answers(uid), { timeout: 20_000 }).toHaveLength(6)
  expect((await answers(uid)).every((row) => row.times === 1)).toBe(true)
})

test('a whole batch by keyboard alone', async () => {
  const { uid } = await student()
  await open('/question/library_study/E2E_c1/5/第1章')
  await stem(phone.page, 1).waitFor()
  for (const n of [1, 2, 3, 4, 5]) {
    await stem(phone.page, n).waitFor()
    await phone.page.keyboard.press(n % 2 ? 'b' : '2')
    await phone.page.getByText('回答正确').first().waitFor()
    await phone.page.keyboard.press('ArrowRight')
  }
  await phone.page.getByRole('heading', { name: '本组完成' }).waitFor()
  await phone.page.getByText('100%').waitFor()
  await expect.poll(() => answers(uid), { timeout: 20_000 }).toHaveLength(5)
})

test('the app is installable, and the check would notice a missing icon', async () => {
  await open('/')
  await workerReady(phone.page)
  const session = await phone.context.newCDPSession(phone.page)
  expect(await session.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] })
  expect((await session.send('Page.getAppManifest')).errors).toEqual([])
  await phone.page.evaluate(() => {
    const link = document.querySelector('link[rel=manifest]')
    link?.setAttribute(
      'href',
      `data:application/json,${encodeURIComponent('{"name":"x","start_url":"/","display":"standalone","icons":[]}')}`,
    )
  })
  await expect
    .poll(async () => (await session.send('Page.getInstallabilityErrors')).installabilityErrors.length)
    .toBeGreaterThan(0)
})
