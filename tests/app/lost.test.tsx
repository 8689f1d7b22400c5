import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { offline } from '#src/offline/index.ts'
import { setScreens } from '#tests/support/screens.ts'

const stage = setScreens()
/** A page that is closed before it has looked would tell the next test's page what it finds. */
async function open(path: string): Promise<void> {
  const look = vi.spyOn(offline, 'lost')
  await stage.open(path)
  await expect.poll(() => look.mock.settledResults.filter(({ type }) => type === 'fulfilled')).toHaveLength(1)
  look.mockRestore()
}
const dialog = async () => within(await screen.findByRole('dialog', { name: '提示信息' }))

test.each(['/', '/question/library'])(
  'a student whose unsent records the browser has cleared reads on %s how many, once, and what to do',
  async (path) => {
    localStorage.setItem('jk-lost:anon', '5')
    await open(path)
    const told = await dialog()
    expect(told.getByText(/^有 5 条未同步的记录被系统清除/)).toBeTruthy()
    expect(told.getByText(/添加到桌面/)).toBeTruthy()
    await userEvent.click(told.getByRole('button', { name: '知道了' }))
    await expect.poll(() => localStorage.getItem('jk-lost:anon')).toBeNull()
    stage.close()
    await open(path)
    expect(screen.queryByText(/被系统清除/)).toBeNull()
  },
)

test.each([
  [true, '浏览器会保留你的数据'],
  [false, '浏览器没有同意，请添加到桌面后再试'],
])('保留数据 asks the browser, and says what it answered: %s', async (granted, said) => {
  const persist = vi.fn<() => Promise<boolean>>().mockResolvedValue(granted)
  vi.stubGlobal('navigator', Object.create(navigator, { storage: { value: { persist } } }))
  localStorage.setItem('jk-lost:anon', '1')
  await open('/')
  await userEvent.click((await dialog()).getByRole('button', { name: '保留数据' }))
  expect(await screen.findByText(said)).toBeTruthy()
  expect(persist).toHaveBeenCalledOnce()
})
