import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { bankJson } from '#tests/support/bank.ts'
import { more } from '#tests/e2e/more.ts'
import { OTHERS, ROUTES, STUDY } from '#tests/e2e/routes.ts'
import { ROOT } from './bench/build.ts'
import { endAll } from './bench/endings.ts'
import { type Product, startProduct, type Student } from './bench/product.ts'
import { CHROMIUM_ARGS, findChromium } from './chromium.ts'

/**
 * `npm run gallery [parts of addresses]`: every address of the app as it is built, on a phone, a tablet and two computers, by day and
 * by night, side by side in gallery/index.html, to be looked at; with what is wider than its screen and what the console said.
 */
const FOLDER = path.join(ROOT, 'gallery')
const WIDTHS = [360, 768, 1280, 1920]
const SCHEMES = ['light', 'dark'] as const
const wanted = process.argv.slice(2)

interface Shot {
  file: string
  width: number
  scheme: string
  faults: string[]
}

async function login(context: BrowserContext, { token, uid }: Student): Promise<void> {
  const user = { token, uid, userinfo: null, area: { key: '0', name: '全国' }, exam: EXAM }
  await context.addInitScript((value) => {
    localStorage.setItem('jk-chosen', '1')
    localStorage.setItem('user', value)
  }, JSON.stringify(user))
}
const EXAM = { key: 'jg', name: '高中士兵考军官院校' }

/** A miss, collected and noted, so that the lists of one's own have something; all of it with the server. */
async function fillLists(page: Page, url: string): Promise<void> {
  await page.goto(url + STUDY)
  await page.getByRole('radio').first().click()
  await page.getByText('回答错误').first().waitFor()
  await more(page, '收藏')
  await more(page, /^笔记/)
  const note = page.getByRole('dialog', { name: '笔记', exact: true })
  await note.getByRole('textbox', { name: '我的笔记' }).fill('注意进位')
  await note.getByRole('button', { name: '保存' }).click()
  await note.waitFor({ state: 'detached' })
  // The dialog that has closed still steps back off its entry in the history, which calls this off.
  await page.goto(url).catch(() => page.goto(url))
  await page.getByLabel(/^同步状态.*已同步/).waitFor()
}

/** Text of its own is what tells that a screen has come. */
async function settle(page: Page, says: string | RegExp): Promise<boolean> {
  const came = page.locator('#root').getByText(says).filter({ visible: true }).first().waitFor({ timeout: 10_000 })
  const isHere = await came.then(
    () => true,
    () => false,
  )
  await page.waitForLoadState('networkidle')
  return isHere
}

async function shoot(browser: Browser, product: Product, student: Student, width: number, scheme: 'light' | 'dark') {
  const context = await browser.newContext({
    viewport: { width, height: width < 500 ? 780 : 900 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale: 'zh-CN',
    serviceWorkers: 'block',
  })
  await login(context, student)
  const page = await context.newPage()
  const said: string[] = []
  page.on('console', (message) => message.type() === 'error' && said.push(message.text().slice(0, 200)))
  const shots = new Map<string, Shot>()
  for (const [address, says] of addresses) {
    said.length = 0
    await page.goto(product.url + address)
    const isHere = await settle(page, says)
    const extra = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    const file = `${everywhere.findIndex(([each]) => each === address)}-${width}-${scheme}.png`
    await page.screenshot({ path: path.join(FOLDER, file), fullPage: true })
    const faults = [...said, ...(extra > 0 ? [`比屏幕宽 ${extra} px`] : []), ...(isHere ? [] : ['内容没有出现'])]
    shots.set(address, { file, width, scheme, faults })
    for (const fault of faults) console.log(`${address} ${width} ${scheme}：${fault}`)
  }
  await context.close()
  return shots
}

const figure = ({ file, width, scheme, faults }: Shot): string =>
  `<figure><a href="${file}"><img src="${file}" loading="lazy" alt=""></a><figcaption>${width} · ${scheme === 'dark' ? '夜间' : '白天'}${faults.map((fault) => `<b>${escaped(fault)}</b>`).join('')}</figcaption></figure>`
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function pageOf(all: Map<string, Shot>[]): string {
  const sections = addresses.map(
    ([address]) =>
      `<section><h2>${escaped(decodeURIComponent(address))}</h2><div>${all
        .map((shots) => shots.get(address))
        .map((shot) => (shot ? figure(shot) : ''))
        .join('')}</div></section>`,
  )
  return `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><title>画面总览</title><style>body{font:15px/1.5 sans-serif;margin:20px}div{display:flex;gap:12px;overflow-x:auto;align-items:start}figure{margin:0}img{height:520px;object-fit:contain;object-position:top;border:1px solid #999}b{display:block;color:#b3261e}</style>${sections.join('')}</html>`
}

/** A picture is named by its address's place in here, so that some can be taken anew beside those of all. */
const everywhere = [...ROUTES, ...OTHERS]
const addresses = everywhere.filter(
  ([address]) => wanted.length === 0 || wanted.some((part) => decodeURIComponent(address).includes(part)),
)
const product = await startProduct()
product.importBank(bankJson({ prefix: 'E2E', chapters: 2, perChapter: 40 }))
const student = await product.student()
const browser = await chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGS })
rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
// On a phone, where a note opens as a dialog.
const first = await browser.newContext({ locale: 'zh-CN', viewport: { width: 360, height: 740 } })
await login(first, student)
await fillLists(await first.newPage(), product.url)
await first.close()
const all: Map<string, Shot>[] = []
for (const width of WIDTHS)
  for (const scheme of SCHEMES) {
    all.push(await shoot(browser, product, student, width, scheme))
    console.log(`${width} ${scheme}：${addresses.length} 个地址`)
  }
writeFileSync(path.join(FOLDER, 'index.html'), pageOf(all))
await browser.close()
await endAll()
console.log('gallery/index.html')
