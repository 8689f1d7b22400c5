/**
 * Runs inside index.html, before the app's files have come (tools/html.ts puts it there): on a first visit it asks for what the
 * first screen will ask for, so that a slow phone waits for scripts and data at the same time. api/early.ts takes the answers.
 * What a later visit needs is on the device.
 */
/** Put in by tools/html.ts. */
declare const SCREENS: Readonly<Record<string, readonly string[]>>

const early: Record<string, Promise<Response>> = {}
Object.assign(window, { jkEarly: early })

function ask(path: string, form: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams(Object.entries(form).sort(([a], [b]) => (a < b ? -1 : 1))).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8', 'x-owner': 'anon' }
  const answer = fetch(`/pcapi/${path}`, { method: 'POST', headers, body })
  early[`/pcapi/${path}?${body}`] = answer
  return answer
}

/** What the screens where students arrive are made of: else it is asked for when the app's first files have come. */
function preloadScreen(): void {
  const [, group = '', screen = ''] = window.location.pathname.split('/')
  for (const href of SCREENS[`${group}/${screen}`] ?? []) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = href
    document.head.append(link)
  }
}

async function start(): Promise<void> {
  if (localStorage.getItem('user')) return
  const answer = await ask('structural/getList', { area: '0', key: '', sg_key: '' })
  const envelope: { data?: { child?: { key: string }[] }[] } = await answer.clone().json()
  const exam = envelope.data?.[0]?.child?.[0]?.key
  if (!exam) return
  const scope = { area: '0', key: exam, sg_key: exam }
  const [, group, screen, no = ''] = window.location.pathname.split('/')
  if (group !== 'question' || screen !== 'library_study') void ask('home/getNotice', scope)
  if (group === '') void ask('home/getHomeData', scope)
  if (group !== 'question') return
  if (screen === 'library') await ask('question/libraryList', scope)
  if (screen === 'library_study') {
    const chapter = decodeURIComponent(no)
    await Promise.all([
      ask('question/chapter', { ...scope, no: chapter }),
      ask('question/block', { ...scope, no: chapter, at: '0' }),
    ])
  }
}
// Held back until something was finished (install/prompt.ts), which comes later than this may.
window.addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  Object.assign(window, { jkInstall: event })
})
// Whatever goes wrong here goes wrong again where somebody can be told.
preloadScreen()
start().catch(() => {})
