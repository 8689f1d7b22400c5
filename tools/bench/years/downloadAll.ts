import type { Page } from 'playwright-core'

/** All libraries take minutes on a slow phone. */
const GIVE_UP_MS = 900_000

/** Downloads every library that the page 题库 lists, by 下载全部. */
export async function downloadAll(page: Page): Promise<{ packsMs: number; packsLongest: number }> {
  await page.evaluate(() => {
    window.bench = { shown: 0, fcp: 0, cls: 0, tasks: [] }
    new PerformanceObserver((list) =>
      list.getEntries().forEach((task) => window.bench?.tasks.push(task.duration)),
    ).observe({ type: 'longtask' })
  })
  const started = performance.now()
  await page.getByRole('button', { name: '下载全部题库' }).click()
  // What is large is asked about first.
  const sure = page.getByRole('button', { name: '现在下载' })
  const done = page.getByText(/^\d+ 个题库都已下载$/)
  await until(page, async () => {
    if (await sure.isVisible()) await sure.click()
    return (await done.count()) > 0
  })
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
