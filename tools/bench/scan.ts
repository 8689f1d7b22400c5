import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { memoryOfPages } from '#tests/e2e/memory.ts'
import { scannedPdf } from '#tests/support/pdf.ts'
import type { Figure } from './figures.ts'
import { startProduct } from './product.ts'
import { newPhone } from './visit.ts'

const PAGES = 200
/** A4 at 150 dots an inch, as copiers do by default. */
const [WIDTH, HEIGHT] = [1_240, 1_754]
const PICTURES = 8
const ADDRESS = `/media/${'5'.repeat(32)}.pdf`
/** Browsers let go within a second of being told. */
const SETTLES_MS = 2_000
const MAX_MB = 400

/** A scanned book of 200 pages: opened, read at every tenth page, and searched for what only its last page says. */
export async function scan(): Promise<Figure[]> {
  const product = await startProduct()
  const pictures = await Promise.all(Array.from({ length: PICTURES }, (_, i) => pageOf(i)))
  const pages = Array.from({ length: PAGES }, (_, i) => `Page ${i + 1}${i === PAGES - 1 ? ' rendezvous' : ''}`)
  const file = Buffer.from(scannedPdf(pages, { pictures, width: WIDTH, height: HEIGHT }))
  const { page } = await newPhone()
  await page.addInitScript(() => localStorage.setItem('jk-chosen', '1'))
  await page.route(`**${ADDRESS}`, (route) => route.fulfill({ body: file, contentType: 'application/pdf' }))
  const before = performance.now()
  await page.goto(`${product.url}/pdf/${encodeURIComponent(ADDRESS)}`, { waitUntil: 'domcontentloaded' })
  const drawn = (n: number) =>
    page
      .getByRole('region', { name: `第${n}页`, exact: true })
      .locator('canvas')
      .waitFor()
  await drawn(1)
  const opened = performance.now() - before
  const field = page.getByRole('textbox', { name: /^页码/ })
  for (let n = 10; n <= PAGES; n += 10) {
    await field.fill(String(n))
    await field.press('Enter')
    await drawn(n)
  }
  await page.keyboard.press('Control+f')
  const asked = performance.now()
  await page.getByRole('textbox', { name: '在文档中搜索' }).fill('rendezvous')
  await page.getByRole('search').getByText('1 / 1').waitFor()
  const found = performance.now() - asked
  const most = memoryOfPages('VmHWM')
  await giveBack(page)
  const size = `${PAGES} pages, ${(file.length / 1024 ** 2).toFixed(1)} MB`
  return [
    { name: `a scan of ${size}, its first page drawn`, value: opened, unit: 'ms' },
    { name: 'a word of its last page found', value: found, unit: 'ms' },
    {
      name: 'memory of the page that read and searched it, which it does not give back',
      value: memoryOfPages('VmRSS'),
      unit: 'MB',
      budget: { max: MAX_MB },
      note: `${most.toFixed(0)} MB at its most`,
    },
  ]
}

/** Chromium keeps decoded pictures as long as the phone has room, and lets them go when it says that it has none. */
async function giveBack(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Memory.simulatePressureNotification', { level: 'critical' })
  await pause(SETTLES_MS)
}

/** Draws a page of print as a copier sees it: lines of dark specks on paper that is not quite white. */
async function pageOf(n: number): Promise<Buffer> {
  const grey = Buffer.alloc(WIDTH * HEIGHT)
  let seed = n + 1
  const next = () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) >>> 24
  for (let i = 0; i < grey.length; i++) {
    const isLine = Math.floor(i / WIDTH) % 40 < 18
    const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)]
    const isInk = isLine && ((x >> 3) * 7 + (y >> 2) * 13 + n) % 5 < 2
    grey[i] = (isInk ? 40 : 235) + (next() >> 5)
  }
  return sharp(grey, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
    .jpeg({ quality: 50 })
    .toBuffer()
}
