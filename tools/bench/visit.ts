import { setTimeout as pause } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { type Phone, takePhone } from '#tests/e2e/browser.ts'
import { atEnd } from './endings.ts'
import type { Student } from './product.ts'

/**
 * Lighthouse's mobile throttling as DevTools applies it: 150 ms × 3.75 before each request, 1.6 Mbps and 750 kbps × 0.9. It
 * holds for the page; what the worker fetches after the page has loaded is not slowed down.
 */
const SLOW_4G = {
  offline: false,
  latency: 150 * 3.75,
  downloadThroughput: (1.6 * 1024 * 1024 * 0.9) / 8,
  uploadThroughput: (750 * 1024 * 0.9) / 8,
}
export const SLOW_CPU = 4
const GIVE_UP_MS = 60_000

export interface Visit {
  /** Ms from the start of the navigation to the first contentful paint, and to the frame after the content is there. */
  fcp: number
  shown: number
  /** Cumulative layout shift. */
  cls: number
  /** Ms: the longest task, and total blocking time, up to the content. */
  longest: number
  blocking: number
  /** Over the wire until the content is shown, headers included. */
  bytes: number
  requests: number
}

declare global {
  interface Window {
    bench?: { shown: number; fcp: number; cls: number; tasks: number[] }
  }
}

/** A new phone that closes with the part. */
export async function newPhone(): Promise<Phone> {
  const phone = await takePhone({ whole: true })
  atEnd(() => phone.close())
  return phone
}

export async function slowDown(page: Page, what: { cpu?: number; network?: boolean }): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  if (what.network) await session.send('Network.emulateNetworkConditions', SLOW_4G)
  if (what.cpu) await session.send('Emulation.setCPUThrottlingRate', { rate: what.cpu })
  return session
}

/** Goes to an address as the first thing in this browser, slowed down, and waits for the content. */
export async function visit(page: Page, url: string, content: string, offline = false): Promise<Visit> {
  const session = await slowDown(page, { cpu: SLOW_CPU, network: !offline })
  const ended: { at: number; bytes: number }[] = []
  const local = new Set<string>()
  session.on('Network.requestServedFromCache', ({ requestId }) => local.add(requestId))
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache || response.fromServiceWorker || !response.url.startsWith('http')) local.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!local.has(requestId)) ended.push({ at: Date.now(), bytes: encodedDataLength })
  })
  // Playwright's own calls would load 300 KB of its script into the page that is being timed.
  await session.send('Page.enable')
  await session.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `(${observe.toString()})(${JSON.stringify(content)})`,
  })
  const started = Date.now()
  await session.send('Page.navigate', { url })
  const found = await shown(session, started, content)
  const wire = ended.filter(({ at }) => at - started <= found.shown)
  return {
    fcp: found.fcp,
    shown: found.shown,
    cls: found.cls,
    longest: Math.max(0, ...found.tasks),
    blocking: found.tasks.reduce((sum, ms) => sum + Math.max(0, ms - 50), 0),
    bytes: wire.reduce((sum, { bytes }) => sum + bytes, 0),
    requests: wire.length,
  }
}

/** What `observe` has seen once the content is there. */
async function shown(session: CDPSession, started: number, content: string): Promise<NonNullable<Window['bench']>> {
  for (;;) {
    const { result } = await session.send('Runtime.evaluate', {
      expression: 'window.bench?.shown > 0 && window.bench.fcp > 0 ? window.bench : null',
      returnByValue: true,
    })
    if (result.value) return result.value
    if (Date.now() - started > GIVE_UP_MS) throw new Error(`${content} is not shown after ${GIVE_UP_MS} ms`)
    await pause(100)
  }
}

/** Runs in the page before its own scripts. */
function observe(content: string): void {
  const bench = { shown: 0, fcp: 0, cls: 0, tasks: [] as number[] }
  window.bench = bench
  const follow = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  follow('longtask', ({ duration }) => bench.tasks.push(duration))
  follow('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') bench.fcp = startTime
  })
  follow('layout-shift', (entry) => {
    const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
    if (!shift.hadRecentInput) bench.cls += shift.value
  })
  const look = () => {
    const there = (document.querySelector(content)?.getClientRects().length ?? 0) > 0
    requestAnimationFrame(() => {
      if (there) bench.shown = performance.now()
      else look()
    })
  }
  requestAnimationFrame(look)
}

/** The page 题库 opens the first subject of the direction's papers; test banks are of this one, and the device remembers it. */
export const openPolitics = (page: Page): Promise<void> =>
  page.getByRole('group', { name: '科目' }).getByRole('button', { name: '政治' }).click()

/** Makes the browser this student's, as after a login and the choice of region and direction. */
export async function logIn(page: Page, url: string, { uid, token }: Student): Promise<void> {
  await page.goto(`${url}/icon.svg`)
  await page.evaluate((user) => {
    localStorage.setItem('user', user)
    localStorage.setItem('jk-chosen', '1')
  }, JSON.stringify({ token, uid }))
}
