/**
 * Runs inside index.html, right behind the empty #root (tools/html.ts puts it there): until the app is up, the student sees and
 * taps what stood here last (lastView.ts keeps it). Taps wait for the app.
 */
export function showView(): void {
  const kept = JSON.parse(localStorage.getItem('jk-view') ?? 'null')
  const { uid, area, exam } = JSON.parse(localStorage.getItem('user') ?? '{}')
  const build = document.querySelector<HTMLScriptElement>('script[src*="/index-"]')?.src
  const root = document.getElementById('root')
  const who = [uid, area?.key, exam?.key].join()
  if (!root || kept?.at !== window.location.pathname || kept.who !== who || kept.build !== build) return
  const view = document.createElement('div')
  view.id = 'view'
  view.innerHTML = kept.html
  const taps: Element[] = []
  view.addEventListener('click', (event) => {
    const target = event.target instanceof Element && event.target.closest('a, button, label, input')
    // The browser itself taps a label's input once more.
    if (!target || (target instanceof HTMLInputElement && target.closest('label'))) return
    if (target instanceof HTMLAnchorElement) event.preventDefault()
    taps.push(target)
  })
  Object.assign(window, { jkTaps: taps })
  root.before(view)
  root.hidden = true
}

try {
  showView()
} catch {
  // Without storage, or with a view that cannot be read, the app starts as for the first time.
}
