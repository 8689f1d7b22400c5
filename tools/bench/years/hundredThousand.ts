import { workerReady } from '#tests/e2e/browser.ts'
import type { Figure } from '../figures.ts'
import { startProduct } from '../product.ts'
import { timeOpening } from '../search.ts'
import { logIn, newPhone, SLOW_CPU, slowDown, visit } from '../visit.ts'
import { makeBank } from './bank.ts'
import { downloadAll } from './downloadAll.ts'

/** The bank of 30,000 is taken so many times. */
const SHARE = 100 / 30
const LIBRARIES = 'main section[aria-labelledby]'
/** A question in the middle of a chapter of 6,667. */
const CHAPTER = '/question/library_study/YL_c1/20/x?q=YL_q6001&at=240'

/** One phone that has downloaded 100,000 questions: what holds, and what does not. */
export async function hundredThousand(): Promise<Figure[]> {
  const product = await startProduct()
  product.importBanks(makeBank(SHARE))
  const phone = await newPhone()
  const list = `${product.url}/question/library`
  await logIn(phone.page, product.url, await product.student())
  await phone.page.goto(list, { waitUntil: 'domcontentloaded' })
  await phone.page.locator(LIBRARIES).first().waitFor()
  await workerReady(phone.page)
  await slowDown(phone.page, { cpu: SLOW_CPU })
  const { packsMs, packsLongest } = await downloadAll(phone.page)
  await phone.end()
  await phone.reopen({ offline: true })
  const shown = await visit(phone.page, list, LIBRARIES, true)
  await phone.page.waitForLoadState('networkidle')
  const first = await phone.page.evaluate(timeOpening)
  await phone.end()
  await phone.reopen({ offline: true })
  const chapter = await visit(phone.page, product.url + CHAPTER, 'main h1', true)
  await phone.page.goto(list)
  await phone.page.locator(LIBRARIES).first().waitFor()
  const again = await phone.page.evaluate(timeOpening)
  const { usage = 0 } = await phone.page.evaluate(() => navigator.storage.estimate())
  const row = (name: string, value: number, unit: Figure['unit'] = 'ms'): Figure => ({
    name: `100,000 questions: ${name}`,
    value,
    unit,
  })
  return [
    row('all libraries downloaded', packsMs),
    row('longest task meanwhile', packsLongest),
    row('题库 shown from the device', shown.shown),
    row('a chapter shown from the device', chapter.shown),
    row('搜题 opened, index made', first.ms),
    row('longest task meanwhile', first.longest),
    row('搜题 opened again', again.ms),
    row('longest task meanwhile', again.longest),
    row('kept on the device, all stores', usage / 1024 ** 2, 'MB'),
  ]
}
