import { readFile, writeFile } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { findChromium } from './chromium.ts'

/** Draws public/*.png from public/icon.svg. Run by hand after the drawing changed. */
const svg = await readFile('public/icon.svg', 'utf8')
const browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox'] })
const page = await browser.newPage()
const full = svg.replace(' rx="112"', '')
for (const { name, size, source, inset } of [
  { name: 'icon-192', size: 192, source: svg, inset: 0 },
  { name: 'icon-512', size: 512, source: svg, inset: 0 },
  // A launcher may cut a maskable icon to a circle of 80 %: the ground fills all of it.
  { name: 'icon-maskable-512', size: 512, source: full, inset: 10 },
  { name: 'apple-touch-icon', size: 180, source: full, inset: 4 },
]) {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(
    `<body style="margin:0;background:${inset ? '#4d6330' : 'transparent'}"><div style="padding:${inset}%;box-sizing:border-box;width:${size}px;height:${size}px">${source}</div>`,
  )
  await writeFile(`public/${name}.png`, await page.screenshot({ omitBackground: inset === 0 }))
}
await browser.close()
