/**
 * History back closes what lies over the page. Each open sheet has an entry of its own above the page's, at the same address: back
 * leaves that entry, and the sheet closes. The entries are made and undone behind the router, which never learns of them, and its
 * own navigation begins from the page's entry (`fromPage`): nothing dead is ever left in the history.
 */

/** In the state of a sheet's entry: how many sheets are open there. */
const MARK = 'jkSheet'
/** What is still there after so long refuses to be closed, and has its entry again. */
const SLOW_MS = 300
/** A browser that tells nothing of a step must not hold up the router. */
const LOST_MS = 1_000
/** A browser that was told to leave and still stands there stays for good: somebody stopped it. */
const STAYED_MS = 10_000

interface Layer {
  close: () => void
}
const layers: Layer[] = []
/** Wait for the page's own entry. */
let waiting: (() => void)[] = []
/** A step of ours is under way. */
let stepping: ReturnType<typeof setTimeout> | null = null
let due: ReturnType<typeof setTimeout> | null = null
/** How the document is being left. A step or an entry of ours would call that off. */
let leaving: (() => void) | null = null

type State = Record<string, unknown> | null
const stateNow = (): State => window.history.state
const depth = (): number => Number(stateNow()?.[MARK] ?? 0)

/** The state of the entry without our mark: that of the page it belongs to. */
export function pageState(): State {
  const state = stateNow()
  if (!state) return null
  const { [MARK]: _, ...own } = state
  return Object.keys(own).length > 0 ? own : null
}
const pageNow = (): string => JSON.stringify([window.location.href, pageState()])
/** The page that the open sheets lie over. */
let page = ''

/** Makes as many entries as there are sheets, one step after another. */
function settle(): void {
  due = null
  if (stepping !== null || leaving !== null) return
  const [have, want] = [depth(), waiting.length > 0 ? 0 : layers.length]
  if (have > want) return step(want - have)
  if (waiting.length > 0) {
    const acts = waiting
    waiting = []
    for (const act of acts) act()
    // A page that is left takes its sheets along; they are not to have entries over the next one.
    return settleSoon(layers.length > 0 ? SLOW_MS : 0)
  }
  for (let at = have + 1; at <= want; at++) {
    // The router has put its own in the place of the browser's, and would take this for a navigation.
    History.prototype.pushState.call(window.history, { ...stateNow(), [MARK]: at }, '')
  }
  page = pageNow()
}

function settleSoon(ms = 0): void {
  if (due !== null) clearTimeout(due)
  due = setTimeout(settle, ms)
}

function step(by: number): void {
  stepping = setTimeout(lost, LOST_MS)
  window.history.go(by)
}
/** There is nothing to step to, in a tab that was copied, say: the entry becomes the page's own. */
function lost(): void {
  History.prototype.replaceState.call(window.history, pageState(), '')
  stepped()
}
function stepped(): void {
  if (stepping !== null) clearTimeout(stepping)
  stepping = null
  settle()
}

function onPop(event: PopStateEvent): void {
  if (leaving !== null) {
    // A slow step that was given up has called it off all the same.
    event.stopImmediatePropagation()
    return leaving()
  }
  if (stepping !== null) {
    event.stopImmediatePropagation()
    return stepped()
  }
  // The student has gone to another page, or come upon an entry whose sheet is long closed.
  if (layers.length === 0 || pageNow() !== page) return settleSoon(layers.length > 0 ? SLOW_MS : 0)
  event.stopImmediatePropagation()
  const left = layers.slice(depth()).reverse()
  for (const { close } of left) close()
  settleSoon(SLOW_MS)
}

/** Before the router listens: what is ours it must not hear. A reload may have come upon the entry of a sheet. */
export function watchSheets(): void {
  window.removeEventListener('popstate', onPop, { capture: true })
  window.addEventListener('popstate', onPop, { capture: true })
  settleSoon()
}

/** Something lies over the page until the returned function is called; history back calls `close`. */
export function openSheet(close: () => void): () => void {
  const layer = { close }
  layers.push(layer)
  settleSoon()
  return () => {
    layers.splice(layers.indexOf(layer), 1)
    settleSoon()
  }
}

/** Does something with the history, from the page's own entry: at once, unless sheets are open. */
export function fromPage(act: () => void): void {
  if (depth() === 0 && stepping === null && waiting.length === 0) return act()
  waiting.push(act)
  settle()
}

/** The page's own entry is the current one. */
export const onPage = (): Promise<void> => new Promise((resolve) => fromPage(resolve))

/** Leaves the document from the page's own entry, with no step under way: a browser goes one way at a time, the last one told. */
export function leaveDocument(leave: () => void): void {
  fromPage(() => {
    leaving = leave
    setTimeout(stay, STAYED_MS)
    leave()
  })
}
function stay(): void {
  leaving = null
  settle()
}
