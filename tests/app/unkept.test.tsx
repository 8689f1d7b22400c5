import { TAB_KEYS } from '#src/device/keys.ts'
import { renderHook, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { tabMemory } from '#src/device/stores.ts'
import { StorageError } from '#src/offline/device/idb.ts'
import { offline } from '#src/offline/index.ts'
import { useOnlyTab } from '#src/offline/useOnlyTab.ts'
import { session } from '#src/session/session.ts'
import { DIRECTION } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { refuseStorage } from '#tests/support/refusedStorage.ts'
import { setScreens } from '#tests/support/screens.ts'

let allow = () => {}
const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 1, perChapter: 5 }))
})
afterEach(() => {
  allow()
  allow = () => {}
  // What this page remembers itself outlives what prepareDevice clears.
  tabMemory.remove(TAB_KEYS.unkeptRead)
})
const open = async (path: string) => await stage.open(path)
const refuse = () => (allow = refuseStorage('localStorage', 'sessionStorage'))
const bar = () => screen.queryByText(/^当前浏览器不保存数据/)
const regions = () => screen.queryByRole('dialog', { name: '选择报考方向与地区' })

test('where the browser keeps what it is given nothing is said', async () => {
  await open('/')
  await screen.findAllByRole('heading')
  expect(bar()).toBeNull()
})

test('in a browser that keeps nothing the region is asked for once in a visit, and that it keeps nothing is said until it is read', async () => {
  refuse()
  await open('/')
  const dialog = within(await screen.findByRole('dialog', { name: '选择报考方向与地区' }))
  await userEvent.click(await dialog.findByRole('radio', { name: DIRECTION.name }))
  await dialog.findByRole('option', { name: '北京' })
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: '报考地区' }), '北京')
  await dialog.findByRole('radio', { checked: true })
  await userEvent.click(dialog.getByRole('button', { name: '先看看' }))
  await expect.poll(regions).toBeNull()
  expect(session.get().area.name).toBe('北京')
  expect(bar()?.textContent).toBe(
    '当前浏览器不保存数据，关闭页面后需要重新登录。请在浏览器设置中允许网站数据，或换用系统浏览器。',
  )

  stage.close()
  await open('/question/library')
  await screen.findByRole('button', { name: /^北京.*点按切换$/ })
  expect(bar()).not.toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '关闭存储提示' }))
  expect(bar()).toBeNull()

  stage.close()
  await open('/')
  await screen.findByRole('button', { name: /^北京.*点按切换$/ })
  expect([bar(), regions()]).toEqual([null, null])
})

test('a browser that refuses the record alone is told that answers are not recorded, one that is slow or full is not', async () => {
  const read = vi.spyOn(offline, 'loadDraft').mockRejectedValue(new StorageError('timeout'))
  await open('/question/library')
  await expect.poll(() => read).toHaveBeenCalled()
  expect(bar()).toBeNull()
  stage.close()
  read.mockRejectedValue(new StorageError('unavailable'))
  await open('/question/library')
  await screen.findByText(/可以做题，但不会记录/)
})

test('whose locks are refused with its site data, the tab is the only one: an exam is sat in it', async () => {
  const request = () => Promise.reject(new DOMException('denied in this context', 'SecurityError'))
  vi.stubGlobal('navigator', { locks: { request } })
  const { result } = renderHook(() => useOnlyTab('exam:1'))
  await waitFor(() => expect(result.current.holder).toBe('here'))
})
