import { DEVICE_KEYS } from '#src/device/keys.ts'
import { useEffect } from 'react'
import { deviceMemory } from '#src/device/stores.ts'
import { session } from './session.ts'

declare global {
  interface Window {
    /** What was tapped in the view, in order (showView.ts). */
    jkTaps?: Element[]
    /** When the finger went down that is down on the view, ms of the page. */
    jkHeldAt?: number | undefined
  }
}

/** A long list is as quick from the device's own records. */
const MAX_CHARS = 150_000
/** What is left out as a whole or not at all. */
const PARTS = 'dialog, section, footer'
/** Behind a tap's own work. */
const KEEP_MS = 300

/**
 * Keeps what this screen shows for the next start at this address, as a phone keeps a picture of an app: showView.ts shows it
 * before any script of ours has been read. The screen that has something to show takes over from it.
 * @param shown null: what this screen shows is still coming; false: a next start would show something else.
 */
export function useLastView(shown: boolean | null): void {
  const ready = shown !== null
  useEffect(() => {
    if (ready) endView()
  }, [ready])
  useEffect(() => {
    if (!shown) return shown === null ? undefined : forgetView()
    const timer = setTimeout(keep, KEEP_MS)
    window.addEventListener('pagehide', keep)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pagehide', keep)
    }
  })
}

export const forgetView = (): void => deviceMemory.remove(DEVICE_KEYS.lastView)

/** Its student has left this page: what it still shows until the next one comes is kept for nobody. */
let left = false
export function leaveView(): void {
  left = true
  forgetView()
}

function keep(): void {
  if (left) return
  const shell = document.getElementById('root')?.firstElementChild
  if (!shell || document.getElementById('view')) return
  const { exam, area, uid } = session.get()
  const view = {
    at: window.location.pathname,
    who: [uid, area.key, exam?.key].join(),
    build: document.documentElement.dataset.build,
    html: frozen(shell).outerHTML,
  }
  if (view.html.length <= MAX_CHARS) deviceMemory.set(DEVICE_KEYS.lastView, JSON.stringify(view))
  // What is there now is of an earlier time.
  if (view.html.length > MAX_CHARS || !deviceMemory.isKept(DEVICE_KEYS.lastView)) forgetView()
}

/** The same to look at. What is typed before the app is up would be lost, so nothing can be typed. */
function frozen(shell: Element): Element {
  const copy = shell.cloneNode(true)
  if (!(copy instanceof Element)) return shell
  const inputs = shell.querySelectorAll('input')
  copy.querySelectorAll('input').forEach((input, i) => {
    input.toggleAttribute('checked', inputs[i]?.checked ?? false)
    input.setAttribute('value', inputs[i]?.value ?? '')
    input.toggleAttribute('readonly', true)
  })
  const texts = shell.querySelectorAll('textarea')
  copy.querySelectorAll('textarea').forEach((text, i) => {
    text.textContent = texts[i]?.value ?? ''
    text.toggleAttribute('readonly', true)
  })
  const parts = [...shell.querySelectorAll(PARTS)]
  copy.querySelectorAll(PARTS).forEach((part, i) => {
    if (part.localName === 'dialog' || isFarBelow(parts[i])) part.remove()
  })
  return copy
}

/** Nobody sees it before the app is up, so it need not be laid out twice. */
const isFarBelow = (part: Element | undefined): boolean =>
  window.scrollY === 0 && (part?.getBoundingClientRect().top ?? 0) > window.innerHeight * 1.5

/** A finger that stays down for longer does not tap. */
const HELD_MS = 700
const LOOK_MS = 20
const isHeld = (): boolean => window.jkHeldAt !== undefined && performance.now() - window.jkHeldAt < HELD_MS

/** The app's own screen takes the view's place, and does what was tapped meanwhile; a tap that has begun ends first. */
export function endView(): void {
  const view = document.getElementById('view')
  const root = document.getElementById('root')
  if (!view || !root) return
  if (isHeld()) return void setTimeout(endView, LOOK_MS)
  const focused = view.contains(document.activeElement) && document.activeElement
  const twins = (window.jkTaps ?? []).map((tapped) => twinOf(tapped, view, root))
  const focus = focused ? twinOf(focused, view, root) : null
  root.hidden = false
  view.remove()
  focus?.focus()
  for (const twin of twins) if (twin) tap(twin)
}

/** Like a finger: a click without a detail would pass for a key's. */
function tap(twin: HTMLElement): void {
  const target = (twin instanceof HTMLLabelElement && twin.control) || twin
  target.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }))
}

/** The same control under the same text: never another question's option that only looks like it. */
function twinOf(element: Element, view: Element, root: Element): HTMLElement | null {
  const textOf = (found: Element) =>
    [found.closest('article, section, nav, header')?.textContent, found.textContent].join('\n')
  const alike = (within: Element) =>
    [...within.querySelectorAll<HTMLElement>(element.tagName)].filter(
      (found) =>
        textOf(found) === textOf(element) && found.getAttribute('aria-label') === element.getAttribute('aria-label'),
    )
  return alike(root)[alike(view).findIndex((found) => found === element)] ?? null
}
