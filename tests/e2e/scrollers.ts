import type { Page } from 'playwright-core'

/**
 * The elements of the open dialog that can be scrolled up and down, as they stand now. More than one is a fault: a finger at the end of
 * the inner one moves the outer one, and what was read leaves the screen.
 */
export const scrollersOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
    if (!dialog) return []
    const scrolls = (each: Element) =>
      ['auto', 'scroll'].includes(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight + 1
    return [dialog, ...dialog.querySelectorAll('*')]
      .filter((each) => each.tagName !== 'TEXTAREA' && scrolls(each))
      .map((each) => `${each.tagName.toLowerCase()}.${each.className}`)
  })
