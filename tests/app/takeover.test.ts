import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type * as Bridge from '#src/app/swBridge.ts'
import { eventually } from '#tests/support/eventually.ts'

/** What stands for the library that registers the worker, and for the browser's side of it. */
const { made } = vi.hoisted(() => ({ made: [] as FakeWorkbox[] }))
class FakeWorkbox extends EventTarget {
  messageSkipWaiting = vi.fn<() => void>()
  register = () => Promise.resolve()
  constructor() {
    super()
    made.push(this)
  }
}
vi.mock('workbox-window', () => ({ Workbox: FakeWorkbox }))
let bridge: typeof Bridge
let serviceWorker: EventTarget & { controller: object | null }
const toast = vi.fn<(text: string) => void>()
const reload = vi.fn<() => void>()
let pathname: string
beforeEach(async () => {
  // What waits, and whether it took over, is the page's own: each test is a new page.
  vi.resetModules()
  bridge = await import('#src/app/swBridge.ts')
  const { feedback } = await import('#src/ui/feedback/feedback.ts')
  vi.spyOn(feedback, 'toast').mockImplementation(toast)
  vi.useFakeTimers()
  vi.stubEnv('DEV', false)
  made.length = 0
  reload.mockClear()
  toast.mockClear()
  pathname = '/question/library'
  serviceWorker = Object.assign(new EventTarget(), { controller: {} })
  vi.stubGlobal('navigator', { serviceWorker })
  vi.stubGlobal('document', { readyState: 'complete', fonts: new EventTarget() })
  vi.stubGlobal('window', {
    history: { state: null },
    location: {
      get pathname() {
        return pathname
      },
      reload,
    },
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** A new version has been fetched and waits. */
async function waiting(): Promise<FakeWorkbox> {
  bridge.startWorker()
  await vi.advanceTimersByTimeAsync(2_000)
  await eventually(() => expect(made).toHaveLength(1))
  const [workbox] = made
  if (!workbox) throw new Error('nothing was registered')
  workbox.dispatchEvent(new Event('waiting'))
  return workbox
}

test('a new version that was asked for and does not come within 5 s is told, and asked for no more', async () => {
  const workbox = await waiting()
  expect(bridge.update.reason()).toBe('发现新版本')
  bridge.update.apply()
  await vi.advanceTimersByTimeAsync(4_900)
  expect(toast).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(200)
  expect(toast).toHaveBeenCalledExactlyOnceWith('新版本会在关闭所有页面后生效')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(workbox.messageSkipWaiting).toHaveBeenCalledTimes(1)
  expect(reload).not.toHaveBeenCalled()
})

test('one that comes is one reload, and nothing is told', async () => {
  await waiting()
  bridge.update.apply()
  await vi.advanceTimersByTimeAsync(1_000)
  serviceWorker.dispatchEvent(new Event('controllerchange'))
  expect(reload).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(toast).not.toHaveBeenCalled()
})

test('one that another tab asked for waits for the end of a study', async () => {
  pathname = '/question/library_study/L_c1/20/x'
  await waiting()
  expect(bridge.update.reason()).toBe('')
  serviceWorker.dispatchEvent(new Event('controllerchange'))
  expect(reload).not.toHaveBeenCalled()
  pathname = '/question/library'
  bridge.update.moved()
  expect(reload).toHaveBeenCalledTimes(1)
})

/** What the server says of the oldest version that may be used. */
async function serverSays(answer: () => Promise<Response>): Promise<void> {
  vi.stubGlobal('fetch', vi.fn<typeof fetch>(answer))
  bridge.startWorker()
  await vi.advanceTimersByTimeAsync(2_000)
  await eventually(() => expect(fetch).toHaveBeenCalledExactlyOnceWith('/version', { cache: 'no-store' }))
  await vi.advanceTimersByTimeAsync(1_000)
}
const says =
  (text: string, status = 200) =>
  async () =>
    new Response(text, { status })

test('a version that the server has given up asks to be updated, where nothing is studied', async () => {
  const listener = vi.fn<() => void>()
  bridge.update.subscribe(listener)
  await serverSays(says('99.0.0\n'))
  expect(bridge.update.reason()).toBe('当前版本已停用，记录都在，请更新')
  expect(listener).toHaveBeenCalled()
  pathname = '/exam/exam_study/1/exam/X/x/0/0'
  expect(bridge.update.reason()).toBe('')
  pathname = '/'
  bridge.update.apply()
  expect(reload).toHaveBeenCalledTimes(1)
})

test.each([
  ['one that is still good', says('0.0.0')],
  ['a captive portal', says('<!doctype html>请先登录 99.0.0')],
  ['a server that has trouble', says('99.0.0', 503)],
  ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
])('is asked by nobody else: %s', async (_, answer) => {
  await serverSays(answer)
  expect(bridge.update.reason()).toBe('')
})

test.each([
  ['1.2.3', '1.2.4', true],
  ['1.2.3', '1.10.0', true],
  ['1.9.9', '2.0.0', true],
  ['1.2.3', '1.2.3', false],
  ['2.0.0', '1.9.9', false],
  ['1.10.0', '1.9.0', false],
  ['1.2.3', '', false],
  ['1.2.3', '1.2', false],
])('%s is older than %s: %s', async (own, least, older) => {
  const { isOlder } = await import('#src/app/register.ts')
  expect(isOlder(own, least)).toBe(older)
})
