/**
 * Runs inside index.html, right behind the empty #root (tools/html.ts puts it there): until the app is up, the student sees and
 * taps what stood here last (lastView.ts keeps it). Taps wait for the app.
 */
/** Nobody taps so fast. */
const TWICE_MS = 50

export function showView(): void {
  const kept = JSON.parse(localStorage.getItem('jk-view') ?? 'null')
  const { uid, area, exam } = JSON.parse(localStorage.getItem('user') ?? '{}')
  const { build } = document.documentElement.dataset
  const root = document.getElementById('root')
  const who = [uid, area?.key, exam?.key].join()
  if (!root || !build || kept?.at !== window.location.pathname || kept.who !== who || kept.build !== build) return
  const view = document.createElement('div')
  view.id = 'view'
  view.innerHTML = kept.html
  const taps: Element[] = []
  let lastAt = 0
  // A finger that goes down here and comes up on the app's own screen would tap nothing.
  const hold = (at?: number) => Object.assign(window, { jkHeldAt: at })
  view.addEventListener('pointerdown', () => hold(performance.now()))
  view.addEventListener('pointercancel', () => hold())
  view.addEventListener('click', (event) => {
    hold()
    const { target, timeStamp } = event
    const tapped = target instanceof Element && (target.closest('label') ?? target.closest('a, button, input'))
    if (!tapped) return
    if (tapped instanceof HTMLAnchorElement) event.preventDefault()
    // The browser itself taps a label's input once more.
    const twice = tapped === taps.at(-1) && timeStamp - lastAt < TWICE_MS
    lastAt = timeStamp
    if (!twice) taps.push(tapped)
  })
  Object.assign(window, { jkTaps: taps, jkHeldAt: undefined })
  root.before(view)
  root.hidden = true
}

try {
  showView()
} catch {
  // Without storage, or with a view that cannot be read, the app starts as for the first time.
}
