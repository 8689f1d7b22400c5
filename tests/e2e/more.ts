import type { Page } from 'playwright-core'

/** Does one of what 更多 of the player offers. */
export async function more(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: /^更多/ }).click()
  await page.getByRole('dialog', { name: '更多' }).getByRole('button', { name, exact: true }).click()
}
