import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readMirror, writeMirror } from '#src/session/mirror.ts'
import type { SessionState } from '#src/session/session.ts'

/** A page that starts now: the module reads the storage when it is first loaded. */
async function open() {
  vi.resetModules()
  return (await import('#src/session/session.ts')).session
}
const stored = (): Partial<SessionState> => JSON.parse(localStorage.getItem('user') ?? 'null')
const store = (state: unknown) => localStorage.setItem('user', JSON.stringify(state))
const STUDENT = { uid: 'u1', portrait: '', nickname: '小李', mobile: '13800000001' }
const SHANDONG = { key: '37', name: '山东' }
const OFFICER = { key: 'jg', name: '军官' }
const VISITOR = {
  token: '',
  uid: null,
  userinfo: null,
  exam: null,
  area: { key: '0', name: '全国' },
  chapterCount: 20,
}

beforeEach(() => localStorage.clear())
afterEach(() => vi.restoreAllMocks())

describe('what is stored as "user"', () => {
  test('a first visit is a visitor, nationwide, without a direction, with 20 questions a batch', async () => {
    const session = await open()
    expect(session.get()).toEqual(VISITOR)
    expect(session.scope()).toEqual({ sg_key: '', area: '0', key: '' })
    expect(session.loggedIn()).toBe(false)
    expect(session.owner()).toBe('anon')
  })
  test('everything chosen is there after a reload', async () => {
    const session = await open()
    session.login('t1', 'u1')
    session.setUserinfo(STUDENT)
    session.setChoice(SHANDONG, OFFICER)
    session.setChapterCount(50)
    const expected = { token: 't1', uid: 'u1', userinfo: STUDENT, exam: OFFICER, area: SHANDONG, chapterCount: 50 }
    expect(stored()).toEqual(expected)
    expect((await open()).get()).toEqual(expected)
  })
  test.each([
    ['no JSON', '{"token":'],
    ['another kind of thing', '"hello"'],
    ['nothing', 'null'],
    ['a list', '[1]'],
  ])('%s starts as a visitor', async (_, text) => {
    localStorage.setItem('user', text)
    expect((await open()).get()).toEqual(VISITOR)
  })
  test('a broken field falls back alone: the others stay', async () => {
    store({ token: 't1', uid: 'u1', userinfo: { nickname: 5 }, exam: 'jg', area: SHANDONG, chapterCount: 7, old: true })
    expect((await open()).get()).toEqual({ ...VISITOR, token: 't1', uid: 'u1', area: SHANDONG })
  })
  test('a storage that cannot be read or written keeps the choice for as long as the page lives', async () => {
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    const session = await open()
    expect(session.get()).toEqual(VISITOR)
    session.setExam(OFFICER)
    expect(session.scope().sg_key).toBe('jg')
  })
})

describe('region and direction', () => {
  test('sg_key and key are both the direction', async () => {
    const session = await open()
    session.setChoice(SHANDONG, OFFICER)
    expect(session.scope()).toEqual({ sg_key: 'jg', area: '37', key: 'jg' })
  })
})

describe('who this device belongs to', () => {
  test('outlives the token: whoever was logged in last goes on studying as the same owner', async () => {
    const session = await open()
    session.login('t1', 'u1')
    session.setUserinfo(STUDENT)
    session.expire('t1')
    expect(session.loggedIn()).toBe(false)
    expect(session.owner()).toBe('u:u1')
    expect(session.get().userinfo).toEqual(STUDENT)
    expect((await open()).owner()).toBe('u:u1')
  })
  test('only the token that is in use expires', async () => {
    const session = await open()
    session.login('t2', 'u1')
    session.expire('t1')
    expect(session.loggedIn()).toBe(true)
  })
  test('ends with the logout, which leaves region, direction and batch size', async () => {
    const session = await open()
    session.setChoice(SHANDONG, OFFICER)
    session.setChapterCount(10)
    session.login('t1', 'u1')
    session.setUserinfo(STUDENT)
    session.logout()
    expect(session.get()).toEqual({ ...VISITOR, area: SHANDONG, exam: OFFICER, chapterCount: 10 })
    expect(localStorage.getItem('user')).not.toContain('13800000001')
    expect(session.owner()).toBe('anon')
  })
  test('another student’s login shows nothing of the one before; one’s own keeps name and picture', async () => {
    const session = await open()
    session.login('t1', 'u1')
    session.setUserinfo(STUDENT)
    session.login('t2', 'u1')
    expect(session.get().userinfo).toEqual(STUDENT)
    session.login('t3', 'u2')
    expect(session.get()).toMatchObject({ uid: 'u2', userinfo: null })
  })
})

describe('other tabs', () => {
  const told = (init: StorageEventInit) => window.dispatchEvent(new StorageEvent('storage', init))
  test('a login elsewhere is known here, and told to whoever subscribed', async () => {
    const session = await open()
    const seen = vi.fn<(state: SessionState) => void>()
    const stop = session.subscribe(seen)
    store({ token: 't9', uid: 'u9' })
    told({ key: 'user' })
    expect(session.get()).toMatchObject({ token: 't9', uid: 'u9' })
    expect(seen).toHaveBeenCalledExactlyOnceWith(session.get())
    stop()
    told({ key: 'user' })
    expect(seen).toHaveBeenCalledTimes(1)
  })
  test('a login whose news is still on the way is not undone by what comes of the student before', async () => {
    const session = await open()
    session.login('t1', 'u1')
    store({ token: 't2', uid: 'u2', area: SHANDONG })
    session.setUserinfo(STUDENT)
    expect(stored()).toMatchObject({ token: 't2', uid: 'u2', area: SHANDONG })
    expect(session.get()).toMatchObject({ token: 't2', uid: 'u2', userinfo: null })
  })
  test('nor by the end of the login before, nor by a choice that is made here', async () => {
    const session = await open()
    session.login('t1', 'u1')
    store({ token: 't2', uid: 'u2', area: SHANDONG })
    session.expire('t1')
    expect(stored()).toMatchObject({ token: 't2', uid: 'u2' })
    session.setExam(OFFICER)
    expect(stored()).toMatchObject({ token: 't2', uid: 'u2', area: SHANDONG, exam: OFFICER })
    expect(session.owner()).toBe('u:u2')
  })
  test('what is removed without a word is written anew by the next choice', async () => {
    const session = await open()
    session.login('t1', 'u1')
    localStorage.removeItem('user')
    session.setExam(OFFICER)
    expect(stored()).toMatchObject({ token: 't1', uid: 'u1', exam: OFFICER })
  })
  test('a storage that was emptied elsewhere makes a visitor; other keys are none of our business', async () => {
    const session = await open()
    session.login('t1', 'u1')
    localStorage.clear()
    told({ key: 'theme' })
    expect(session.loggedIn()).toBe(true)
    told({ key: null })
    expect(session.get()).toEqual(VISITOR)
  })
})

test('the gate asks for a login, and remembers what it is for until somebody asks for another', async () => {
  const gate = (await import('#src/session/loginRequest.ts')).loginRequest
  const asked = vi.fn<() => void>()
  gate.onAsk(asked)
  gate.askFor('/user/my_order')
  expect(gate.wanted()).toBe('/user/my_order')
  gate.ask()
  expect(gate.wanted()).toBe('')
  expect(asked).toHaveBeenCalledTimes(2)
})

describe('what the worker may know', () => {
  test('is nothing before the first page, and then who studies', async () => {
    indexedDB = new IDBFactory()
    await expect(readMirror()).resolves.toBeNull()
    await writeMirror({ owner: 'u:u1', uid: 'u1', token: 't1' })
    await expect(readMirror()).resolves.toEqual({ owner: 'u:u1', uid: 'u1', token: 't1' })
  })
})
