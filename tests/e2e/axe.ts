import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, ElementContext, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

declare const axe: { run: (place: ElementContext, options: RunOptions) => Promise<AxeResults> }

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** WCAG 2.2 AA, and what axe takes for good practice. */
const ALL: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
}
/** The two rules of those that look at colours: the other theme changes nothing else. */
const OF_COLOURS: RunOptions = { ...ALL, runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }
const SCHEMES = [
  ['light', ALL],
  ['dark', OF_COLOURS],
] as const

/** Links within a document lie where its author put them, as large as their text. */
const PLACE = { exclude: [['[aria-label="跳到文档中的另一处"]']] }

/**
 * Waits until the page is drawn as it will stay. A formula wider than its line is measured only once it is drawn: the first frame
 * draws, the second comes after whatever that began.
 */
export async function drawn(page: Page): Promise<void> {
  for (let frame = 0; frame < 2; frame++)
    await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))))
}

/** What axe finds on the page as it stands, in both themes: the rule, the first places, and why. */
export async function faultsOf(page: Page, where: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE)
  await drawn(page)
  const found: string[] = []
  for (const [scheme, rules] of SCHEMES) {
    await page.evaluate((to) => (document.documentElement.dataset.mantineColorScheme = to), scheme)
    const { violations } = await page.evaluate(([place, rules]) => axe.run(place, rules), [PLACE, rules] as const)
    for (const { id, nodes } of violations) {
      const [first] = nodes
      const places = nodes.slice(0, 3).map(({ target }) => target.join(' '))
      found.push(`${where}, ${scheme}: ${id} ×${nodes.length} ${places.join(' | ')}: ${first?.failureSummary ?? ''}`)
    }
  }
  return found
}
