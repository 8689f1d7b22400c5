import type { Page } from 'playwright-core'

/**
 * What the page says of its own parts and by that of a dialog that was opened from one of them: each element of the dialog that is
 * shown, beside its twin in the same dialog at the end of the page.
 */
export function strayStyles(page: Page, where: string): Promise<string[]> {
  return page.evaluate((place) => {
    const PROPERTIES = [
      'display',
      'color',
      'background-color',
      'margin',
      'padding',
      'border-top-width',
      'font-size',
      'font-weight',
      'line-height',
      'text-align',
      'white-space',
      'text-decoration-line',
      'list-style-type',
    ]
    const dialog = [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')].at(-1)
    const copy = dialog?.cloneNode(true)
    if (!dialog || !(copy instanceof HTMLDialogElement)) return [`${place}: no dialog`]
    copy.open = false
    // Radios of one name are one group.
    for (const input of copy.querySelectorAll('input')) input.removeAttribute('name')
    document.body.append(copy)
    copy.showModal()
    const twins = [...copy.querySelectorAll<HTMLElement>('*')]
    const faults = [...dialog.querySelectorAll<HTMLElement>('*')].flatMap((element, index) => {
      const twin = twins[index]
      if (!twin || element.closest('svg') || !element.checkVisibility() || !twin.checkVisibility()) return []
      const [here, there] = [getComputedStyle(element), getComputedStyle(twin)]
      return PROPERTIES.flatMap((name) => {
        const [is, plain] = [here.getPropertyValue(name), there.getPropertyValue(name)]
        return is === plain ? [] : [`${place}: ${element.tagName} ${element.className} ${name} ${is}, not ${plain}`]
      })
    })
    copy.remove()
    return [...new Set(faults)]
  }, where)
}
