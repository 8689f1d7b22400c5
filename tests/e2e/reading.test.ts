import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { bankJson } from '#tests/support/bank.ts'
import { setStage } from './stage.ts'

const stage = setStage({ own: true, worker: false })
const LONG = String.raw`a=\frac{F-f}{m}=\frac{30-10}{5}=4\ \mathrm{m/s^2}<a_1+a_2+a_3+a_4+a_5+a_6+a_7+a_8`

/** A finger goes sideways from the middle of it, as far as `dx` px. */
async function drag(from: Locator, dx: number): Promise<void> {
  const { page } = stage.phone
  const at = await from.boundingBox()
  if (!at) throw new Error('nothing to drag')
  const [x, y] = [at.x + at.width / 2 - dx / 2, at.y + at.height / 2]
  const session = await stage.phone.context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  await touch('touchStart', [{ x, y }])
  for (let step = 1; step <= 10; step++) await touch('touchMove', [{ x: x + (dx * step) / 10, y }])
  await touch('touchEnd', [])
}

test('a formula wider than the phone is scrolled by a finger, in an option too, and beside it a finger turns the question', async () => {
  const { questions, ...bank } = bankJson({ prefix: 'WIDE', chapters: 1, perChapter: 3 })
  const wide = questions.map((each, i) => ({
    ...each,
    stem: `第${i + 1}题的题干`.repeat(9) + `，由$${LONG}$。所以`,
    options: ['甲', `$${LONG}$`, '丙', '丁'],
    reasons: { C: `由$${LONG}$可知` },
  }))
  stage.product.importBank({ ...bank, questions: wide })
  await stage.beVisitor()
  await stage.open('/question/library_study/WIDE_c1/20/第1章')
  const { page } = stage.phone
  const at = (n: number) => page.getByRole('heading', { level: 1, name: new RegExp(`^第${n}题，共3题`) })
  const formulae = page.locator('article [data-wide]')
  const [inStem, inOption] = [formulae.first(), formulae.nth(1)]
  await inStem.waitFor()
  expect(await inStem.textContent()).toMatch(/。$/)
  for (const formula of [inStem, inOption]) {
    expect(await formula.getAttribute('data-wide')).toBe('more')
    await drag(formula, -200)
    await expect.poll(() => formula.evaluate((box) => box.scrollLeft)).toBeGreaterThan(100)
    await formula.evaluate((box) => box.scrollTo({ left: box.scrollWidth }))
    await expect.poll(() => formula.getAttribute('data-wide')).toBe('end')
  }
  expect(await at(1).isVisible()).toBe(true)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)

  await drag(page.getByRole('radio', { name: /^A．/ }), -150)
  await at(2).waitFor()
  // Else the browser takes a long drag for its own way back.
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).overscrollBehaviorX)).toBe('none')
  await drag(page.getByRole('radio', { name: /^C．/ }), 300)
  await at(1).waitFor()
  // The browser takes a tap that comes while a swift drag still runs out for the end of that drag.
  const isRight = async () => {
    if (await page.getByText('选对了').isVisible()) return true
    await inOption.tap({ timeout: 1000 }).catch(() => {})
    return false
  }
  await expect.poll(isRight).toBe(true)
  await page.getByText('回答正确').first().waitFor()
  await page.getByText('C 项解析').waitFor()
  const inReason = formulae.nth(2)
  // The verdict glides into view meanwhile, and the finger would land beside the formula.
  const scrolled = async () => {
    await drag(inReason, -200)
    return inReason.evaluate((box) => box.scrollLeft)
  }
  await expect.poll(scrolled).toBeGreaterThan(100)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
})
