import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ROOT } from './bench/build.ts'
import { endAll } from './bench/endings.ts'
import { startProduct } from './bench/product.ts'
import { CHROMIUM_ARGS, findChromium } from './chromium.ts'

/**
 * `npm run screenshots`: takes the pictures of the manifest (tools/pwa.ts) from the demo as it is built, into public/screenshots.
 * By hand, when what they show looks different.
 */
const FOLDER = path.join(ROOT, 'public/screenshots')
const PHONE = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 }
const COMPUTER = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 }
const QUESTION = '/question/library_study/L_politics_1_1/10/唯物论与辩证法'

async function answered(page: Page): Promise<void> {
  await page.getByRole('radio').nth(2).click()
  await page
    .getByText(/^回答(正确|错误)/)
    .first()
    .waitFor()
}
const shown = (text: string) => async (page: Page) => page.getByText(text).filter({ visible: true }).first().waitFor()

const SHOTS: [file: string, at: string, screen: typeof PHONE, ready: (page: Page) => Promise<void>][] = [
  ['study', QUESTION, PHONE, answered],
  ['home', '/', PHONE, shown('推荐课程')],
  ['exam', '/exam/exam_list', PHONE, shown('分钟')],
  ['wide', QUESTION, COMPUTER, answered],
]

const { url } = await startProduct()
const browser = await chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGS })
mkdirSync(FOLDER, { recursive: true })
for (const [file, at, screen, ready] of SHOTS) {
  const context = await browser.newContext({ ...screen, locale: 'zh-CN' })
  const page = await context.newPage()
  await page.addInitScript(() => localStorage.setItem('jk-chosen', '1'))
  await page.goto(url + at)
  await ready(page)
  const notice = page.getByRole('button', { name: /^关闭/ })
  if (await notice.isVisible()) await notice.click()
  await page.waitForLoadState('networkidle')
  const session = await context.newCDPSession(page)
  const clip = { x: 0, y: 0, ...screen.viewport, scale: screen.deviceScaleFactor }
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80, clip })
  writeFileSync(path.join(FOLDER, `${file}.webp`), Buffer.from(data, 'base64'))
  await context.close()
}
await browser.close()
await endAll()
