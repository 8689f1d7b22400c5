import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { setStage } from './stage.ts'

const stage = setStage({ worker: false })
const { open, student } = stage

/** What has the focus: its name, its kind, and whether it can be seen that it has it. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement
    if (!(at instanceof HTMLElement) || at === document.body) return null
    const ids = at.getAttribute('aria-labelledby')?.split(' ') ?? []
    const labels = [
      ...ids.map((id) => document.getElementById(id)),
      ...('labels' in at ? [...(at.labels as NodeList)] : []),
    ]
    const words =
      at.getAttribute('aria-label') ?? (labels.map((each) => each?.textContent ?? '').join(' ') || at.innerText)
    // A hidden input shows its focus on what is drawn in its place.
    const drawn = [at, at.parentElement, at.nextElementSibling].filter((each) => each !== null)
    const shown = drawn.some((each) => getComputedStyle(each).outlineStyle !== 'none')
    return { name: words.trim().replace(/\s+/g, ' '), kind: at.getAttribute('type') ?? at.tagName.toLowerCase(), shown }
  })

/** Tabs until what is so called has the focus; every stop on the way must be seen. */
async function tabTo(page: Page, name: RegExp, { back = false } = {}): Promise<void> {
  const passed: string[] = []
  for (let stops = 0; stops < 80; stops++) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
    const at = await focused(page)
    if (!at) continue
    passed.push(at.name)
    if (!at.shown) throw new Error(`nobody sees that ${at.name} has the focus`)
    if (name.test(at.name)) return
  }
  throw new Error(`no way by Tab to ${String(name)}: ${passed.join(' · ')}`)
}

async function press(page: Page, name: RegExp, options = {}): Promise<void> {
  await tabTo(page, name, options)
  await page.keyboard.press('Enter')
}

const number = (page: Page, n: number) =>
  page.getByRole('heading', { level: 1, name: new RegExp(`^第${n}题，共21题`) }).waitFor()

/** Ten with options, six with blanks, five essays. */
async function answerByKeys(page: Page, n: number): Promise<void> {
  if (n <= 10) {
    await page.keyboard.press('b')
    return page.getByRole('radio', { name: /^B．/, checked: true }).waitFor()
  }
  await tabTo(page, n <= 16 ? /第\s?1\s?空|填空|答案/ : /作答|答案|解答/)
  await page.keyboard.type('12')
  await page.keyboard.press('Escape')
}

test('a whole exam by keys alone, from its page to the analysis', async () => {
  await stage.changePhone({ desktop: true })
  await student()
  await open('/exam/exam_detail/X_math')
  const { page } = stage.phone
  await page.getByRole('button', { name: '报名' }).waitFor()
  await press(page, /^报名$/)
  await page.getByRole('button', { name: '进入考试' }).first().waitFor()
  await press(page, /^进入考试/)
  await page.getByRole('button', { name: '开始考试' }).waitFor()
  await press(page, /^开始考试/)
  for (let n = 1; n <= 21; n++) {
    await number(page, n)
    await answerByKeys(page, n)
    if (n < 21) await press(page, /^下一题/)
  }
  await press(page, /^交卷/, { back: true })
  const sheet = page.getByRole('dialog')
  await sheet.waitFor()
  expect(await sheet.innerText()).toContain('所有题都已作答')
  await press(page, /^确定交卷/)
  await page.getByRole('heading', { level: 1, name: '交卷回执' }).waitFor()
  await page.getByRole('button', { name: '查看解析' }).waitFor()
  await press(page, /^查看解析/)
  await page.getByRole('heading', { level: 1, name: /^第1题，共/ }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('heading', { level: 1, name: /^第2题，共/ }).waitFor()
})
