import 'fake-indexeddb/auto'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'

/** What jsdom lacks and our screens ask for. */
window.matchMedia ??= (query: string): MediaQueryList => ({
  matches: false,
  media: query,
  onchange: null,
  addListener: () => {},
  removeListener: () => {},
  addEventListener: () => {},
  removeEventListener: () => {},
  dispatchEvent: () => false,
})
window.scrollTo = () => {}
Element.prototype.scrollTo ??= () => {}
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
const openers = new WeakMap<HTMLDialogElement, Element | null>()
HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
  openers.set(this, document.activeElement)
  this.open = true
}
HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
  this.open = false
  // As in a browser: one that is out of the page gives no focus back.
  const opener = openers.get(this)
  if (this.isConnected && opener instanceof HTMLElement) opener.focus()
}

// A busy machine is slow, not wrong; and a page that takes itself for offline looks every ten seconds whether it still is.
configure({ asyncUtilTimeout: 20_000 })

let errors: unknown[][] = []
beforeEach(() => {
  errors = []
  vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => void errors.push(args))
})
afterEach(() => expect(errors, 'console.error was called').toEqual([]))
afterEach(cleanup)
