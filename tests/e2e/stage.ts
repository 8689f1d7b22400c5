import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { readCategories } from '#server/structural/store.ts'
import { openDatabase } from '#server/db/open.ts'
import { authorise } from '#tests/support/login.ts'
import { type Phone, type PhoneOptions, rowsOf, takePhone, workerReady } from './browser.ts'
import { borrowProduct, type Fault, type Product, runProduct } from './product.ts'
import { STUDY } from './routes.ts'
import { visitedProfile } from './visited.ts'

export { STUDY }

export const OTHER = '/question/library_study/E2E_c2/20/第2章'
/** What most students choose. */
const NATIONWIDE = { key: '0', name: '全国' }
let mobiles = 13_700_000_000
interface Login {
  uid: string
  token: string
}

/**
 * Goes somewhere, once more if the app called it off: a dialog that closes steps back off its entry in the history, and a browser
 * goes one way at a time. No hand is as fast after a dialog as a story is.
 */
async function travel(go: () => Promise<unknown>): Promise<void> {
  await go().catch((error: unknown) => {
    if (!String(error).includes('net::ERR_ABORTED')) throw error
    return go()
  })
}
export const goTo = (page: Page, address: string, how?: Parameters<Page['goto']>[1]): Promise<void> =>
  travel(() => page.goto(address, how))
export const reload = (page: Page): Promise<void> => travel(() => page.reload())

/**
 * One product for a file of stories and a new phone for each story, with what students do on it.
 * @param own true where a story changes what is not its student's: content, prices, the server itself
 * @param worker false where no story is about being offline
 */
export function setStage({ own = false, worker = true } = {}) {
  let product: Product
  let phone: Phone
  let leave: () => Promise<void>
  beforeAll(async () => {
    if (own) {
      product = await runProduct()
      leave = product.close
    } else ({ product, giveBack: leave } = await borrowProduct())
  })
  afterAll(() => leave())
  beforeEach(async () => {
    await product.wire.set('ok')
    // A story that failed halfway must not leave its server to those that follow.
    if (product.isAltered()) await product.restart()
    phone = await take()
  })
  afterEach(async ({ task }) => {
    // What the student saw when it went wrong.
    const { state, retryCount = 0 } = task.result ?? {}
    if (state === 'fail') await phone.page.screenshot({ path: `shots/${task.name}.${retryCount}.png` }).catch(() => {})
    await phone.close()
  })

  /** @param firstVisit the app's worker is not there yet, as it never is after a release: the kept one would be of the release before */
  const take = async ({ firstVisit = false, ...options }: PhoneOptions & { firstVisit?: boolean } = {}) => {
    const isNew = firstVisit || !worker || product.hasReleased() || options.whole
    return takePhone({ worker, ...options, ...(!isNew && { from: await visitedProfile(product.url) }) })
  }
  const open = async (path: string): Promise<void> => {
    await goTo(phone.page, product.url + path, { waitUntil: 'domcontentloaded' })
    // What a killed browser shows first may be older than what it has kept.
    await phone.page.locator('#view').waitFor({ state: 'detached' })
  }
  // The last view, shown while the page starts, says the same.
  const stem = (page: Page, n: number) => page.locator('#root').getByText(`第1章第${n}题：`)
  /** Every test bank's right option is B. */
  const choose = (page: Page, letter: string) => page.getByRole('radio', { name: new RegExp(`^${letter}．`) }).click()
  /** As right as every test bank has it, and kept: until then the mark speaks of what was before, and a page that goes takes the tap with it. */
  /** 题库, with a subject open: the test bank's where none is named. */
  async function openLibraries(subject = '政治'): Promise<void> {
    await open('/question/library')
    await phone.page.getByRole('group', { name: '科目' }).getByRole('button', { name: subject }).click()
  }
  async function solve(page: Page): Promise<void> {
    await choose(page, 'B')
    await page.getByText('回答正确').first().waitFor()
  }
  const answers = async (uid: string) =>
    await product.sql<{ question_no: string; times: number; wrong: number }>(
      `select id as question_no, (body ->> 'times')::int as times, (body ->> 'wrong')::int as wrong from study_record
        where uid = $1 and kind = 'state' order by id`,
      [uid],
    )
  /** A paper of the demo content, as a sitting names it. */
  const anyPaper = async (): Promise<object> => {
    const [paper] = await product.sql<{ no: string; itemNo: string; rev: string }>(
      `select set_no as no, no as "itemNo", rev from set_item where no = 'S_math_1'`,
    )
    return { of: 'set', ...paper, trial: false }
  }
  const anyExam = async (): Promise<{ exam: string; rev: string }> => {
    const [exam] = await product.sql<{ exam: string; rev: string }>(
      `select no as exam, rev from exam where no = 'X_math'`,
    )
    if (!exam) throw new Error('the demo has no such exam')
    return exam
  }
  const uidOf = async (mobile: string) =>
    (await product.sql<{ uid: string }>('select uid from student where mobile = $1', [mobile]))[0]?.uid ?? ''

  async function skipChoice(page: Page): Promise<void> {
    const dialog = page.getByRole('dialog', { name: '选择报考方向与地区' })
    await dialog.getByRole('radio').first().check()
    await dialog.getByRole('button', { name: /^(先看看|确定)$/ }).click()
    await page.waitForLoadState('domcontentloaded')
  }

  /**
   * Stores in a browser what the screens would of a visitor, who has chosen region and direction, or of whoever has logged in. A page
   * of the app is loaded anew as they do it; where there is none yet, the story opens its own.
   */
  async function store(page: Page, mobile?: string): Promise<void> {
    const db = await openDatabase({ socketFolder: product.socketFolder }, () => {}, 1)
    const login = mobile === undefined ? {} : await authorise(db, mobile, Date.now())
    const categories = await readCategories(db, NATIONWIDE.key)
    await db.destroy()
    const isNew = !page.url().startsWith(product.url)
    // No page of the app.
    if (isNew) await page.goto(`${product.url}/icon.svg`)
    await page.evaluate(
      ([suggested, { uid, token }]) => {
        const stored: object = JSON.parse(localStorage.getItem('user') ?? '{}')
        localStorage.setItem('user', JSON.stringify({ ...suggested, ...stored, ...(uid && { uid, token }) }))
        // Region and direction are not asked for again.
        localStorage.setItem('jk-chosen', '1')
      },
      [{ area: NATIONWIDE, exam: categories[0]?.child[0] }, login as Partial<Login>] as const,
    )
    if (!isNew) await reload(page)
  }
  /** A visitor, without the screen that asks for region and direction, which tests/e2e/study.test.ts walks. */
  const beVisitor = (): Promise<void> => store(phone.page)
  /** Without the screens, which tests/e2e/login.test.ts and study.test.ts walk. */
  const signIn = (page: Page, mobile: string): Promise<void> => store(page, mobile)

  /**
   * Logs in by code as a new student would: picture, message, code. The picture's letters are read from the database.
   * @param asked the dialog is open already
   * @param kept false in a browser that does not keep the login
   */
  async function logIn(page: Page, mobile: string, { asked = false, kept = true } = {}): Promise<void> {
    if (!asked) await page.getByRole('button', { name: /^游客/ }).click()
    const dialog = page.getByRole('dialog', { name: '登录' })
    await dialog.getByLabel('手机号').fill(mobile)
    await dialog.getByRole('button', { name: '发送验证码' }).click()
    const picture = page.getByRole('dialog', { name: '图形验证码' })
    await picture.getByRole('img', { name: '图形验证码' }).waitFor()
    const [image] = await product.sql<{ code: string }>(
      'select code from image_code where mobile = $1 order by expires_at desc',
      [mobile],
    )
    await picture.getByLabel('请输入图中的字符').fill(image?.code ?? '')
    const before = product.log().length
    await picture.getByRole('button', { name: '发送验证码' }).click()
    const message = () => product.log().slice(before).split(`短信验证码 ${mobile}: `)[1]?.slice(0, 6) ?? ''
    await expect.poll(message).toHaveLength(6)
    const code = message()
    // The server writes it down before the dialog knows that it was sent, and closes what lies over the field.
    await dialog.getByRole('button', { name: /秒后重发$/ }).waitFor()
    await dialog.getByLabel('验证码', { exact: true }).fill(code)
    await dialog.getByRole('checkbox', { name: /^我已阅读并同意/ }).check()
    await Promise.all([
      page.waitForEvent('domcontentloaded'),
      dialog.getByRole('button', { name: '登录', exact: true }).click(),
    ])
    if (kept) await expect.poll(() => page.evaluate(() => localStorage.getItem('user'))).toContain('"uid":"')
  }

  async function student(): Promise<{ mobile: string; uid: string }> {
    const mobile = String(++mobiles)
    await signIn(phone.page, mobile)
    return { mobile, uid: await uidOf(mobile) }
  }

  /** One whose phone may die at once: a browser keeps localStorage, and the login with it, in memory for seconds. */
  async function keptStudent(): Promise<{ mobile: string; uid: string }> {
    const someone = await student()
    await phone.end()
    await phone.reopen()
    return someone
  }

  /** What this device keeps of what is under way. */
  const drafts = (page: Page) =>
    rowsOf<{ key: string; value: { at: number; parts: unknown; items: unknown[] } }>(page, 'jk-outbox', 'drafts')
  /** The one batch on this device, as it would go on. */
  const savedBatch = async (page: Page) => (await drafts(page)).find(({ key }) => key.startsWith('batch:'))?.value
  const savedPlace = async (page: Page) => (await savedBatch(page))?.at
  /** A student whose one answer is on the phone, given while the wire had this fault. */
  async function answerUnder(fault: Fault): Promise<{ mobile: string; uid: string }> {
    const someone = await student()
    await open(STUDY)
    await stem(phone.page, 1).waitFor()
    await workerReady(phone.page)
    await product.wire.set(fault)
    await solve(phone.page)
    return someone
  }

  /** Logging in again soon: what makes the student wait between two codes is over. */
  async function laterOn(page: Page): Promise<void> {
    await product.sql('delete from rate')
    await page.evaluate(() => sessionStorage.removeItem('jk-sms-until'))
  }

  const mark = (page: Page) => page.getByRole('button', { name: /^同步状态/ }).first()
  const markSays = async (page: Page, text: RegExp) =>
    await expect.poll(() => mark(page).getAttribute('aria-label'), { timeout: 20_000 }).toMatch(text)

  return {
    get product() {
      return product
    },
    get phone() {
      return phone
    },
    anotherPhone: take,
    /** The first phone is put away and another one taken. */
    changePhone: async (options?: Parameters<typeof take>[0]) => {
      await phone.close()
      phone = await take(options)
    },
    open,
    openLibraries,
    stem,
    choose,
    solve,
    answers,
    anyPaper,
    anyExam,
    uidOf,
    newMobile: () => String(++mobiles),
    skipChoice,
    beVisitor,
    logIn,
    signIn,
    student,
    keptStudent,
    answerUnder,
    drafts,
    savedBatch,
    savedPlace,
    laterOn,
    markSays,
  }
}
