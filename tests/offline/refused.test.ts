import { afterEach, expect, test, vi } from 'vitest'
import { leftAt, markLeft } from '#src/offline/device/logouts.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { purgeCaches } from '#src/offline/device/storage.ts'
import { writeMirror } from '#src/session/mirror.ts'

/** How browsers refuse IndexedDB at once, instead of by a request that fails. */
const REFUSALS: [how: string, refuse: () => void][] = [
  ['leaves it out', () => vi.stubGlobal('indexedDB', undefined)],
  ['has null in its place', () => vi.stubGlobal('indexedDB', null)],
  ['throws when it is used', () => vi.stubGlobal('indexedDB', { open: refused, deleteDatabase: refused })],
  [
    'throws when it is named',
    () => {
      const before = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB')
      Object.defineProperty(globalThis, 'indexedDB', { configurable: true, get: refused })
      undo = () => {
        if (before) Object.defineProperty(globalThis, 'indexedDB', before)
        else Reflect.deleteProperty(globalThis, 'indexedDB')
      }
    },
  ],
]
function refused(): never {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}
let undo = () => {}
afterEach(() => {
  undo()
  undo = () => {}
  vi.unstubAllGlobals()
})

test.each(REFUSALS)('a browser that %s keeps no record, and says so in Chinese', async (_, refuse) => {
  refuse()
  const read = openRecord().run(['drafts'], 'readonly', async () => {})
  await expect(read).rejects.toMatchObject({
    name: 'StorageError',
    kind: 'unavailable',
    message: '本地存储不可用，请检查浏览器是否允许保存网站数据',
  })
})

test.each(REFUSALS)('in a browser that %s a student can log out, and the page starts', async (_, refuse) => {
  refuse()
  await purgeCaches('u:s1', 1_000)
  await markLeft('u:s1', 1_000)
  expect(await leftAt('u:s1')).toBe(0)
  const mirrored = writeMirror({ owner: 'u:s1', uid: 's1', token: 't' })
  await expect(mirrored).rejects.toBeInstanceOf(Error)
})
