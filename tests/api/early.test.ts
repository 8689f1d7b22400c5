import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { call } from '#src/api/client.ts'
import { OfflineError, RefusedError } from '#src/api/errors.ts'
import { contract } from '#src/contract/index.ts'
import { session } from '#src/session/session.ts'
import { connect, json, type Wire } from '#tests/support/wire.ts'

/** What index.html asks for before the app's files have come (app/early.ts), and who gets its answers (api/early.ts). */
const WHOLE = { key: '0', name: '全国' }
const JG = { key: 'jg', name: '军官' }
const LIBRARY = '/pcapi/question/libraryList'
const done = (data: unknown): Response => json({ status: 1, msg: '', data })

let wire: Wire
/** Made by the inline script, or by the app afterwards. */
let asked: { path: string; body: Record<string, string>; owner: string | undefined }[]
beforeEach(() => {
  vi.resetModules()
  localStorage.clear()
  session.logout()
  session.setChoice(WHOLE, JG)
  // A first visit has nothing stored yet.
  localStorage.clear()
  wire = connect()
  asked = []
  wire.fault = ({ path, body, headers }) => {
    asked.push({ path, body, owner: headers['x-owner'] })
    return done(path.endsWith('getList') ? [{ child: [JG] }] : [`answer ${asked.length}`])
  }
})
afterEach(() => {
  wire.restore()
  vi.unstubAllGlobals()
  document.head.replaceChildren()
  delete window.jkEarly
})

/** Runs the inline script at an address, until it has asked for all it asks for. */
async function firstVisit(path: string, requests: number): Promise<void> {
  vi.stubGlobal('SCREENS', { '/': ['/assets/home.js'], 'question/library': ['/assets/library.js', '/assets/app.js'] })
  window.history.replaceState(null, '', path)
  // No module: it runs, as in index.html.
  await vi.importActual('#src/app/early.ts')
  await expect.poll(() => asked.length).toBe(requests)
}
const library = () => call(contract.question.libraryList, {})
const times = (path: string): number => asked.filter((each) => each.path === path).length

test('the app’s first call takes the answer that was asked for early, and asks nobody', async () => {
  await firstVisit('/question/library', 3)
  expect(asked.map(({ path }) => path)).toEqual(['/pcapi/structural/getList', '/pcapi/home/getNotice', LIBRARY])
  expect(new Set(asked.map(({ owner }) => owner))).toEqual(new Set(['anon']))
  expect(await library()).toEqual(['answer 3'])
  expect(times(LIBRARY)).toBe(1)
})

test('an early answer serves once: the next call asks the server', async () => {
  await firstVisit('/question/library', 3)
  await library()
  expect(await library()).toEqual(['answer 4'])
  expect(times(LIBRARY)).toBe(2)
})

test.each([
  ['/question/library', 3, ['/assets/library.js', '/assets/app.js']],
  ['/news/news_list', 2, []],
])(
  '%s: the files of the screens of arrival are asked for with the page, those of others when they are wanted',
  async (path, requests, files) => {
    await firstVisit(path, requests)
    const preloads = [...document.head.querySelectorAll('link[rel=modulepreload]')]
    expect(preloads.map((link) => link.getAttribute('href'))).toEqual(files)
  },
)

test('on the study screen it asks for the chapter and its first questions', async () => {
  await firstVisit(`/question/library_study/${encodeURIComponent('第1章')}/20/x`, 3)
  expect(asked.slice(1)).toEqual([
    { path: '/pcapi/question/chapter', body: { area: '0', key: 'jg', sg_key: 'jg', no: '第1章' }, owner: 'anon' },
    {
      path: '/pcapi/question/block',
      body: { area: '0', key: 'jg', sg_key: 'jg', no: '第1章', at: '0' },
      owner: 'anon',
    },
  ])
  expect(await call(contract.question.block, { no: '第1章', at: 0 })).toEqual(['answer 3'])
  expect(await call(contract.question.chapter, { no: '第1章' })).toEqual(['answer 2'])
  expect(await call(contract.question.chapter, { no: '第2章' })).toEqual(['answer 4'])
})

test.each([
  ['region', () => session.setChoice({ key: '37', name: '山东' }, JG)],
  ['direction', () => session.setExam({ key: 'wz', name: '文职' })],
])('another %s than the first visit’s never gets its answers', async (_, choose) => {
  await firstVisit('/question/library', 3)
  choose()
  expect(await library()).toEqual(['answer 4'])
  expect(asked[3]?.body).toEqual(session.scope())
})

test('a device that has been here before asks for nothing early', async () => {
  localStorage.setItem('user', '{}')
  await firstVisit('/question/library', 0)
  expect(window.jkEarly).toEqual({})
})

describe('a call that is given up', () => {
  const slow = Promise.withResolvers<Response>()
  const leave = new AbortController()
  beforeEach(() => {
    const form = Object.entries(session.scope()).sort(([a], [b]) => (a < b ? -1 : 1))
    window.jkEarly = { [`${LIBRARY}?${new URLSearchParams(form)}`]: slow.promise }
  })

  test('does not wait for the early answer that it has taken', async () => {
    const left = call(contract.question.libraryList, {}, { signal: leave.signal })
    await expect.poll(() => window.jkEarly).toEqual({})
    leave.abort()
    await expect(left).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('before it could take the early answer leaves it to the next one', async () => {
    await expect(call(contract.question.libraryList, {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
    slow.resolve(done(['late']))
    expect(await library()).toEqual(['late'])
  })
})

test('an early request that reached nobody fails the one call that takes it, and the next one asks anew', async () => {
  const answers = wire.fault
  wire.fault = async (sent, signal) => {
    const first = sent.path === LIBRARY && times(LIBRARY) === 0
    const usual = await answers?.(sent, signal)
    if (first) throw new TypeError('Failed to fetch')
    return usual ?? null
  }
  await firstVisit('/question/library', 3)
  await expect(library()).rejects.toBeInstanceOf(OfflineError)
  expect(await library()).toEqual(['answer 4'])
})

test('a refusal that came early is told as any other', async () => {
  const answers = wire.fault
  wire.fault = (sent, signal) => {
    const usual = answers?.(sent, signal) ?? null
    return sent.path === LIBRARY ? json({ status: 0, msg: '题库维护中', data: null }) : usual
  }
  await firstVisit('/question/library', 3)
  await expect(library()).rejects.toEqual(new RefusedError('题库维护中'))
})

test('on the home page it asks for what is on there', async () => {
  await firstVisit('/', 3)
  expect(asked.map(({ path }) => path)).toEqual([
    '/pcapi/structural/getList',
    '/pcapi/home/getNotice',
    '/pcapi/home/getHomeData',
  ])
  expect(await call(contract.home.getHomeData, {})).toEqual(['answer 3'])
  expect(times('/pcapi/home/getHomeData')).toBe(1)
})
