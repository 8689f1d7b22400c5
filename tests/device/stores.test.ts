import { DEVICE_KEYS, TAB_KEYS } from '#src/device/keys.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { refuseStorage, startPage } from '#tests/support/refusedStorage.ts'

const [a, b] = [DEVICE_KEYS.buzz, DEVICE_KEYS.shuffle]
let undo: (() => void)[]
const refuse = () => undo.push(refuseStorage('localStorage', 'sessionStorage'))
/** Instead of the browser's own, as some are. */
function replaceStorage(storage: unknown): void {
  vi.stubGlobal('localStorage', storage)
  undo.push(() => vi.unstubAllGlobals())
}
/** As a browser's, it has its functions from elsewhere: its own properties are what it holds. */
const storageThat = (setItem: () => void): object => Object.create({ setItem, getItem: () => null, removeItem() {} })
beforeEach(() => {
  undo = []
  localStorage.clear()
  sessionStorage.clear()
  window.history.replaceState(null, '', '/question/library')
})
afterEach(() => {
  for (const each of undo.reverse()) each()
  vi.restoreAllMocks()
})

describe('a browser that keeps what it is given', () => {
  test('has it in its storage, for the device or for this tab', async () => {
    const { deviceMemory, tabMemory } = await startPage()
    deviceMemory.set(a, '1')
    tabMemory.set(TAB_KEYS.courses, '2')
    expect(Object.entries(localStorage)).toEqual([['jk-buzz', '1']])
    expect(Object.entries(sessionStorage)).toEqual([['jk-courses', '2']])
    expect([deviceMemory.works(), deviceMemory.isKept(a), deviceMemory.get(b)]).toEqual([true, true, null])
    deviceMemory.remove(a)
    expect([deviceMemory.get(a), localStorage.length]).toEqual([null, 0])
  })
  test('is left nothing in the history by a reload', async () => {
    const { deviceMemory, reload } = await startPage()
    deviceMemory.set(DEVICE_KEYS.session, 'token')
    reload()
    expect(window.history.state).toBeNull()
  })
})

describe('a browser that refuses', () => {
  test.each<[string, () => void]>([
    ['its storage, and says so', refuse],
    ['to have one at all', () => replaceStorage(null)],
    ['every value, and holds none', () => replaceStorage(storageThat(fail))],
    ['every value, and says nothing', () => replaceStorage(storageThat(() => {}))],
  ])('%s: this page remembers instead', async (_, prepare) => {
    prepare()
    const { deviceMemory } = await startPage()
    expect(deviceMemory.works()).toBe(false)
    expect(deviceMemory.get(a)).toBeNull()
    deviceMemory.set(a, '1')
    deviceMemory.set(b, '2')
    expect([deviceMemory.get(a), deviceMemory.isKept(a), deviceMemory.keys()]).toEqual(['1', false, [a, b]])
    deviceMemory.remove(a)
    expect([deviceMemory.get(a), deviceMemory.keys()]).toEqual([null, [b]])
  })

  test('more, because it is full: what it holds is read, what is new is remembered by the page, another tab’s word counts', async () => {
    localStorage.setItem(a, 'before')
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(fail)
    const { deviceMemory } = await startPage()
    expect([deviceMemory.works(), deviceMemory.get(a)]).toEqual([true, 'before'])
    deviceMemory.set(a, 'now')
    expect([deviceMemory.get(a), deviceMemory.isKept(a)]).toEqual(['now', false])
    window.dispatchEvent(new StorageEvent('storage', { key: a }))
    expect(deviceMemory.get(a)).toBe('before')
  })
})

describe('our own reload', () => {
  test('carries over what only the page remembers, once, and keeps the state of the page', async () => {
    refuse()
    window.history.replaceState({ __TSR_key: 'k' }, '')
    const first = await startPage()
    first.deviceMemory.set(DEVICE_KEYS.session, 'token')
    first.tabMemory.set(TAB_KEYS.unkeptRead, '1')
    first.reload()
    const second = await startPage()
    expect([second.deviceMemory.get(DEVICE_KEYS.session), second.tabMemory.get(TAB_KEYS.unkeptRead)]).toEqual([
      'token',
      '1',
    ])
    expect(window.history.state).toEqual({ __TSR_key: 'k' })
    // A reload of the student's own, or the way back to this page: nothing was left for it.
    expect((await startPage()).deviceMemory.get(DEVICE_KEYS.session)).toBeNull()
  })
  test('to another screen carries it there, and takes nothing of this screen along', async () => {
    refuse()
    window.history.replaceState({ __TSR_key: 'k' }, '')
    const first = await startPage()
    first.deviceMemory.set(DEVICE_KEYS.scopeChosen, '1')
    first.openAnew('/')
    expect(window.location.pathname).toBe('/')
    expect((await startPage()).deviceMemory.get(DEVICE_KEYS.scopeChosen)).toBe('1')
    expect(window.history.state).toBeNull()
  })
  test('puts it where it belongs as soon as the browser takes it', async () => {
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(fail)
    localStorage[a] = 'before'
    const first = await startPage()
    first.deviceMemory.set(DEVICE_KEYS.session, 'token')
    first.reload()
    full.mockRestore()
    expect((await startPage()).deviceMemory.isKept(DEVICE_KEYS.session)).toBe(true)
    expect(localStorage.getItem('user')).toBe('token')
  })
  test('leaves nothing where other sites could read it, and no copies of what can be fetched again', async () => {
    refuse()
    const first = await startPage()
    first.deviceMemory.set(DEVICE_KEYS.session, 'token')
    first.deviceMemory.set(DEVICE_KEYS.lastView, 'x'.repeat(60_000))
    first.reload()
    expect(window.name).toBe('')
    expect(JSON.stringify(window.history.state)).toContain('token')
    expect(JSON.stringify(window.history.state).length).toBeLessThan(1_000)
  })
  test('that the browser does not let us leave anything to is one all the same', async () => {
    refuse()
    const first = await startPage()
    first.deviceMemory.set(DEVICE_KEYS.session, 'token')
    vi.spyOn(History.prototype, 'replaceState').mockImplementation(fail)
    expect(first.reload).not.toThrow()
  })
})

function fail(): never {
  throw new DOMException('no room', 'QuotaExceededError')
}
