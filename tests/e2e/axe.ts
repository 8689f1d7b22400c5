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

type Node = AxeResults['violations'][number]['nodes'][number]
/**
 * Leaves out what only stands half behind a bar at the foot of the screen, as anything does at some place of the scroll: each target is
 * measured once more in the middle of the screen.
 */
async function stillSmall(page: Page, nodes: readonly Node[]): Promise<Node[]> {
  const found: Node[] = []
  for (const node of nodes) {
    const place = node.target.join(' ')
    const rest = await page.evaluate(async (selector) => {
      const { scrollY } = window
      document.querySelector(selector)?.scrollIntoView({ block: 'center', behavior: 'instant' })
      const { violations } = await axe.run(selector, { runOnly: { type: 'rule', values: ['target-size'] } })
      window.scrollTo({ top: scrollY, behavior: 'instant' })
      return violations.length
    }, place)
    if (rest > 0) found.push(node)
  }
  return found
}

/** What axe finds on the page as it stands, in both themes: the rule, the first places, and why. */
export async function faultsOf(page: Page, where: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE)
  await drawn(page)
  const found: string[] = []
  for (const [scheme, rules] of SCHEMES) {
    await page.evaluate((to) => (document.documentElement.dataset.mantineColorScheme = to), scheme)
    const { violations } = await page.evaluate(([place, rules]) => axe.run(place, rules), [PLACE, rules] as const)
    for (const { id, nodes: all } of violations) {
      const nodes = id === 'target-size' ? await stillSmall(page, all) : all
      if (nodes.length === 0) continue
      const [first] = nodes
      const places = nodes.slice(0, 3).map(({ target }) => target.join(' '))
      found.push(`${where}, ${scheme}: ${id} ×${nodes.length} ${places.join(' | ')}: ${first?.failureSummary ?? ''}`)
    }
  }
  return found
}
