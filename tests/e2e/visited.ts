import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { inject } from 'vitest'
import { takePhone, workerReady } from './browser.ts'

/**
 * A profile that holds the worker of the app at this address, and nothing else. Installing it, with its more than hundred files, takes
 * three seconds of processor time, copying it a tenth of a second: so it is made once for each address, and products keep to few.
 */
export async function visitedProfile(url: string): Promise<string> {
  const folder = path.join(inject('preparedFolder'), 'phones', new URL(url).port)
  if (existsSync(folder)) return folder
  await mkdir(path.dirname(folder), { recursive: true })
  const { page, putAway } = await takePhone()
  // No page of the app: that would leave more than the worker.
  await page.goto(`${url}/icon.svg`)
  await page.evaluate(() => navigator.serviceWorker.register('/sw.js'))
  await workerReady(page)
  await rename(await putAway(), folder)
  return folder
}
