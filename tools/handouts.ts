import { globSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { CHROMIUM_ARGS, findChromium } from './chromium.ts'

/** `npm run handouts`: prints the handouts of the demo's courses from the pages beside them, with a table of contents, their fonts inside. */
const FOLDER = path.resolve(import.meta.dirname, '../server/demo/content/course')

const browser = await chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGS })
const page = await browser.newPage()
for (const name of globSync('*/handout.html', { cwd: FOLDER }).sort()) {
  const to = path.join(FOLDER, name.replace('.html', '.pdf'))
  await page.goto(pathToFileURL(path.join(FOLDER, name)).href)
  await page.pdf({ path: to, preferCSSPageSize: true, printBackground: true, tagged: true, outline: true })
  console.log(to)
}
await browser.close()
