import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mendMissingChunks } from '#src/app/missingChunk.ts'

let pathname: string
let onLine: boolean
let answer: () => Promise<{ ok: boolean }>
let lost: (event: { preventDefault: () => void }) => void
const reload = vi.fn<() => void>()
const preventDefault = vi.fn<() => void>()
beforeEach(() => {
  ;[pathname, onLine] = ['/question/library', true]
  answer = async () => ({ ok: true })
  sessionStorage.clear()
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.stubGlobal('fetch', () => answer())
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => onLine)
  vi.stubGlobal('window', {
    history: { state: null },
    location: {
      get pathname() {
        return pathname
      },
      reload,
    },
    addEventListener: (_: string, listener: typeof lost) => (lost = listener),
  })
  mendMissingChunks()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  reload.mockClear()
})
/** A piece of the app is nowhere; resolves when all that follows has been done. */
async function miss(): Promise<number> {
  lost({ preventDefault })
  await new Promise((resolve) => setImmediate(resolve))
  return reload.mock.calls.length
}

test('a piece that is nowhere is one reload, and no loop', async () => {
  expect(await miss()).toBe(1)
  expect(await miss()).toBe(1)
  vi.setSystemTime(Date.now() + 61_000)
  expect(await miss()).toBe(2)
  // The router would reload by itself.
  expect(preventDefault).toHaveBeenCalledTimes(3)
})

test.each([
  ['without a network', () => (onLine = false)],
  ['where nobody answers', () => (answer = () => Promise.reject(new TypeError('lost')))],
  ['where the server is broken', () => (answer = async () => ({ ok: false }))],
  ['in a study', () => (pathname = '/question/library_study/L_c1')],
  ['in an exam', () => (pathname = '/exam/exam_study/1')],
])('%s it is none', async (_, set) => {
  set()
  expect(await miss()).toBe(0)
})
