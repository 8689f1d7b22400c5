import type { Page } from 'playwright-core'

/** All libraries take minutes on a slow phone. */
const GIVE_UP_MS = 900_000

/** Downloads every library that the page 题库 lists, as a student would who taps all of them. */
export async function downloadAll(page: Page): Promise<{ packsMs: number; packsLongest: number }> {
  await page.evaluate(() => {
    window.bench = { shown: 0, fcp: 0, cls: 0, tasks: [] }
    new PerformanceObserver((list) =>
      list.getEntries().forEach((task) => window.bench?.tasks.push(task.duration)),
    ).observe({ type: 'longtask' })
  })
  const started = performance.now()
  await page.evaluate(async () => {
    const moment = () => new Promise((resolve) => setTimeout(resolve, 50))
    const sure = () =>
      [...document.querySelectorAll<HTMLElement>('dialog button')].find(({ textContent }) => textContent === '现在下载')
    const all = (name: string) => [...document.querySelectorAll<HTMLElement>(`main ${name}`)]
    for (;;) {
      const more = all('button').find(({ textContent }) => textContent === '显示更多')
      if (!more) break
      more.click()
      await moment()
    }
    for (const button of all('button[aria-label^="下载离线包"]')) {
      button.click()
      // What is large is asked about first.
      await moment()
      sure()?.click()
      await moment()
    }
  })
  await until(page, () =>
    page.evaluate(
      () =>
        document.querySelectorAll('main button[aria-label^="移除"]').length >=
        document.querySelectorAll('main section[aria-labelledby]').length,
    ),
  )
  const tasks = (await page.evaluate(() => window.bench?.tasks)) ?? []
  return { packsMs: performance.now() - started, packsLongest: Math.max(0, ...tasks) }
}

export async function until(page: Page, there: () => Promise<boolean>): Promise<void> {
  const started = performance.now()
  while (!(await there())) {
    if (performance.now() - started > GIVE_UP_MS) throw new Error(`not there after ${GIVE_UP_MS} ms`)
    await page.waitForTimeout(250)
  }
}
