import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { workerReady } from '#tests/e2e/browser.ts'
import { publish, setJson } from '#tests/support/sets.ts'
import { movedBy, moveClock } from '#tools/movedClock.ts'
import { type Figure, median, spread } from '../figures.ts'
import { fixedLoopMs, slowerBy } from '../machine.ts'
import { makeFolder, type Product, startProduct, type Student } from '../product.ts'
import { logIn, newPhone, openPolitics, SLOW_CPU, slowDown, type Visit, visit } from '../visit.ts'
import { makeBank, questionNo } from './bank.ts'
import { downloadAll, until } from './downloadAll.ts'
import { type Life, LIVES, live, type Paper, shortened } from './lives.ts'

/** The bench takes this share of everything when it is named; the budgets are for 1. */
const SHARE = Number(process.env.YEARS_SHARE ?? '1')
/** The bench of all parts has no time for three years: it takes one year over 5,000 questions. */
const SMALLER_BANK = 1 / 6
const RUNS = Number(process.env.YEARS_RUNS ?? '3')
const PAPER = 40
const SETTLE_MS = 2_500

interface Screen {
  name: string
  address: string
  /** There once the screen shows what it is opened for. */
  content: string
  /** What is tapped once that is there; the figures are then those from the tap to `shows`. */
  tap?: { on: string; shows: string }
  /** ms, of the longest life. `shown` may be a share of what S0 takes. */
  max: { longest: number; shown?: number; ofNew?: number }
}
const TODAY = 'section[aria-label="今日学习"] dl[aria-busy="false"] dd small'
const SCREENS: readonly Screen[] = [
  {
    name: 'statistics and plan',
    address: '/user/my_error',
    content: '[aria-label="学习统计"]',
    tap: { on: '[aria-label="学习统计"]', shows: 'dialog section h3' },
    max: { longest: 100, shown: 700 },
  },
  { name: 'home, its figures', address: '/', content: TODAY, max: { longest: 150, ofNew: 1.15 } },
  {
    name: 'library page, last 可离线',
    address: '/question/library',
    content: 'main section[aria-labelledby]:last-of-type li:last-child p > span:nth-child(2)',
    max: { longest: 150, shown: 1_200 },
  },
  { name: 'error book', address: '/user/my_error', content: 'main h1', max: { longest: 150, ofNew: 1.2 } },
  {
    name: 'error book, a group opened',
    address: '/user/my_error',
    content: 'main h1',
    tap: { on: 'main ul[aria-label^="未掌握"] li button', shows: 'main ol li' },
    max: { longest: 150 },
  },
  {
    name: 'review, first question',
    address: '/question/library_error_study/all/review/0',
    content: 'main h1, main [role="alert"], main h2',
    max: { longest: 100, shown: 600 },
  },
  {
    name: 'error study, first question',
    address: '/question/library_error_study/all/answer/0',
    content: 'main h1, main [role="alert"], main h2',
    max: { longest: 120 },
  },
  {
    name: 'search opened, own marks',
    address: '/question/library',
    content: 'button[aria-label="搜题"]',
    tap: { on: 'button[aria-label="搜题"]', shows: 'dialog input' },
    max: { longest: 120 },
  },
  { name: 'my sets', address: '/user/my_set', content: 'main h1', max: { longest: 120 } },
  { name: 'collections', address: '/user/my_collect', content: 'main h1', max: { longest: 120 } },
]

interface Account {
  life: Life
  phone: Awaited<ReturnType<typeof newPhone>>
  /** The machine's fixed loop, before the first login and after all was downloaded. */
  loops: number[]
  syncMs: number
  packsMs: number
  packsLongest: number
  storedMb: number
  visits: Map<string, Visit[]>
}

/**
 * A new student, one of a year and one of three years, over a bank of 30,000 questions that all three have downloaded: what their
 * screens take without a network on a phone four times slower than this machine.
 */
export const years = (): Promise<Figure[]> =>
  compare(
    SHARE,
    LIVES.map((each) => shortened(each, SHARE)),
  )

/** The same for a new student and one of a year, over a bank of 5,000: the part of it that the bench of everything has time for. */
export const oneYear = (): Promise<Figure[]> =>
  compare(
    SMALLER_BANK,
    LIVES.filter(({ name }) => name !== 'S2'),
  )

async function compare(share: number, lives: readonly Life[]): Promise<Figure[]> {
  const clock = path.join(makeFolder('clock'), 'moved')
  moveClock(clock, 0)
  const product = await startProduct(undefined, movedBy(clock))
  product.importBanks(makeBank(share))
  const paper = await publishPaper(product)
  const setClock = (at: number) => moveClock(clock, at - Date.now())
  const accounts: Account[] = []
  for (const life of lives) accounts.push(await begin(product, life, await live({ product, life, paper, setClock })))
  const loops: number[] = []
  for (let run = 0; run < RUNS; run++)
    // Turn about, so that all three see the same weather on a shared machine.
    for (const account of accounts) {
      loops.push(fixedLoopMs())
      await look(product, account)
    }
  const slower = slowerBy([...loops, ...accounts.flatMap((account) => account.loops)])
  return figuresOf(accounts, slower)
}

async function publishPaper({ db }: Product): Promise<Paper> {
  const questions = Array.from({ length: PAPER }, (_, i) => questionNo(i))
  await publish(db, setJson({ no: 'YEARS', papers: [[questions]] }))
  const item = db.selectFrom('set_item').select(['no', 'rev']).where('set_no', '=', 'YEARS')
  const { no: itemNo, rev } = await item.executeTakeFirstOrThrow()
  return { no: 'YEARS', itemNo, rev, questions }
}

/** The student's first visit on a new phone: everything is synced, then every library is downloaded. */
async function begin(product: Product, life: Life, student: Student): Promise<Account> {
  const phone = await newPhone()
  const { page } = phone
  await logIn(page, product.url, student)
  const { n } = await product.db
    .selectFrom('study_record')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('uid', '=', student.uid)
    .where('kind', '=', 'state')
    .executeTakeFirstOrThrow()
  const before = fixedLoopMs()
  await slowDown(page, { cpu: SLOW_CPU })
  const started = performance.now()
  await page.goto(`${product.url}/question/library`, { waitUntil: 'domcontentloaded' })
  await until(page, async () => (await countIn(page, 'jk-outbox', 'states')) >= Number(n))
  const syncMs = performance.now() - started
  await page.locator('main section[aria-labelledby]').first().waitFor()
  await workerReady(page)
  const packs = await downloadAll(page)
  await openPolitics(page)
  await page.goto(`${product.url}/user/my_error`, { waitUntil: 'domcontentloaded' })
  await page.locator('main h1').waitFor()
  const { usage = 0 } = await page.evaluate(() => navigator.storage.estimate())
  await phone.end()
  return {
    life,
    phone,
    loops: [before, fixedLoopMs()],
    syncMs,
    ...packs,
    storedMb: usage / 1024 ** 2,
    visits: new Map(),
  }
}

const countIn = (page: Page, database: string, store: string): Promise<number> =>
  page.evaluate(
    async ([database = '', store = '']) => {
      // Opening it before the app has made it would make an empty one of version 1.
      if (!(await indexedDB.databases()).some(({ name }) => name === database)) return 0
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(database)
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('no database')))
      })
      const has = db.objectStoreNames.contains(store)
      const count = has
        ? await new Promise<number>((resolve) => {
            const request = db.transaction(store).objectStore(store).count()
            request.addEventListener('success', () => resolve(request.result))
          })
        : 0
      db.close()
      return count
    },
    [database, store],
  )

/** Every screen in a browser of its own, from the device alone. */
async function look({ url }: Product, { phone, visits }: Account): Promise<void> {
  for (const { name, address, content, tap } of SCREENS) {
    await phone.reopen({ offline: true })
    // A browser is busy with itself for a while, on as many cores as there are.
    await pause(SETTLE_MS)
    const first = await visit(phone.page, url + address, content, true)
    const seen = tap ? await tapped(phone.page, tap) : first
    visits.set(name, [...(visits.get(name) ?? []), ...(seen ? [seen] : [])])
    await phone.context.close()
  }
}

/** Null: there is nothing to tap for a student who has nothing. */
async function tapped(page: Page, { on, shows }: NonNullable<Screen['tap']>): Promise<Visit | null> {
  if ((await page.locator(on).count()) === 0) return null
  const found = await page.evaluate(
    async ([on = '', shows = '']) => {
      const tasks: number[] = []
      const observer = new PerformanceObserver((list) =>
        list.getEntries().forEach(({ duration }) => tasks.push(duration)),
      )
      observer.observe({ type: 'longtask' })
      const started = performance.now()
      document.querySelector<HTMLElement>(on)?.click()
      const shown = await new Promise<number>((resolve) => {
        const look = () =>
          document.querySelector(shows) ? resolve(performance.now() - started) : requestAnimationFrame(look)
        look()
      })
      // The task in which it was shown is told of after it has ended.
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      return { shown, longest: Math.max(0, ...tasks) }
    },
    [on, shows],
  )
  return { fcp: 0, cls: 0, blocking: 0, bytes: 0, requests: 0, ...found }
}

/** @param slower limits in ms are meant for a machine that is quicker so many times; those beside a new student are not */
function figuresOf(accounts: readonly Account[], slower: number): Figure[] {
  const of = (account: Account | undefined, screen: Screen, what: 'shown' | 'longest') =>
    (account?.visits.get(screen.name) ?? []).map((each) => each[what])
  const [fresh, old] = [accounts[0], accounts.at(-1)]
  const screens = SCREENS.flatMap((screen): Figure[] => {
    const { name, max } = screen
    const note = (what: 'shown' | 'longest') =>
      accounts
        .map((account) => {
          const values = of(account, screen, what)
          return `${account.life.name} ${values.length > 0 ? Math.round(median(values)) : '–'}`
        })
        .join(', ')
    const [longest, shown] = [of(old, screen, 'longest'), of(old, screen, 'shown')]
    const limit = max.shown ? max.shown * slower : max.ofNew ? median(of(fresh, screen, 'shown')) * max.ofNew : null
    return [
      {
        name: `${name}: longest task`,
        value: median(longest),
        unit: 'ms',
        budget: { max: max.longest * slower },
        note: `${note('longest')} (${spread(longest)})`,
      },
      {
        name: `${name}: shown`,
        value: median(shown),
        unit: 'ms',
        ...(limit !== null && { budget: { max: limit } }),
        note: `${note('shown')} (${spread(shown)})`,
      },
    ]
  })
  const machine: Figure = {
    name: 'this machine: slower than the one for which limits are meant',
    value: slower,
    unit: '×',
  }
  return [machine, ...screens, ...accounts.flatMap((account) => onceOf(account, slower))]
}

const onceOf = ({ life: { name }, syncMs, packsMs, packsLongest, storedMb }: Account, slower: number): Figure[] => [
  { name: `${name}: first login on a new device, synced`, value: syncMs, unit: 'ms', budget: { max: 6_000 * slower } },
  { name: `${name}: all libraries downloaded`, value: packsMs, unit: 'ms', budget: { max: 60_000 * slower } },
  { name: `${name}: longest task meanwhile`, value: packsLongest, unit: 'ms', budget: { max: 150 * slower } },
  { name: `${name}: kept on the device, all stores`, value: storedMb, unit: 'MB', budget: { max: 24 } },
]
