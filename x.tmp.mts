import { chromium } from 'playwright-core'
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
for (const [w, dark] of [
  [360, false],
  [768, true],
  [1280, false],
] as const) {
  const p = await b.newPage({ viewport: { width: w, height: 800 }, colorScheme: dark ? 'dark' : 'light' })
  await p.addInitScript(() => localStorage.setItem('jk-chosen', '1'))
  for (const k of ['user', 'privacy']) {
    await p.goto(`http://localhost:8499/agreement/${k}`)
    await p.getByRole('heading', { level: 1 }).waitFor()
    await p.waitForTimeout(500)
    await p.screenshot({ path: `/tmp/a-${k}-${w}.png` })
    await p.screenshot({ path: `/tmp/a-${k}-${w}-full.png`, fullPage: true })
  }
}
await b.close()
