import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { keepInForce, putInForce } from '#server/agreement/publish.ts'
import { memoryCaches } from '#tests/support/cacheStorage.ts'
import { nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const FIRST = Date.UTC(2026, 10, 1, 4)
const SECOND = Date.UTC(2026, 10, 21, 4)

const stage = setScreens(async (server) => {
  await keepInForce(server.db, FIRST)
  const source = { title: '用户协议', html: '<h3>一、新的条款</h3><p>第二版的正文</p>' }
  await putInForce(server.db, { kind: 'user', source, changes: '增加退款的办法' }, SECOND)
})
beforeEach(() => void vi.stubGlobal('caches', memoryCaches()))
const { open } = stage

test('隐私政策 says what is kept, what for, how long and who receives it', async () => {
  await open('/agreement/privacy')
  await screen.findByRole('heading', { name: '隐私政策', level: 1 })
  expect(screen.getByText('第 1 版 · 2026年11月1日起生效')).toBeTruthy()
  const heading = await screen.findByRole('heading', { name: '收货地址', level: 4 })
  expect(heading.nextElementSibling?.textContent).toContain('用途：寄送您购买的图书')
  expect(heading.nextElementSibling?.textContent).toContain('保存多久：到您删除地址或注销账号为止')
  expect(screen.getByText(/^交给：快递公司/)).toBeTruthy()
  expect(screen.queryByText(/历史版本/), 'there is but one').toBeNull()
})

test('用户协议 says what its version changed, and earlier ones stay readable, each with its time', async () => {
  await open('/agreement/user')
  await screen.findByText('第二版的正文')
  expect(screen.getByText('第 2 版 · 2026年11月21日起生效')).toBeTruthy()
  expect(screen.getByText('这一版的变化：增加退款的办法')).toBeTruthy()
  await userEvent.click(screen.getByText('历史版本（2）'))
  const versions = within(screen.getByRole('group'))
  expect(versions.getByRole('link', { name: /^第 2 版/ }).getAttribute('aria-current')).toBe('true')
  await userEvent.click(versions.getByRole('link', { name: /^第 1 版/ }))
  await screen.findByText('第 1 版 · 2026年11月1日至2026年11月21日有效')
  expect(screen.queryByText('第二版的正文')).toBeNull()
  await userEvent.click(within(screen.getByRole('note')).getByRole('link', { name: '查看现行版本' }))
  await screen.findByText('第二版的正文')
})

test('without a network and never opened, the page says what to do', async () => {
  stage.wire.fault = nobody
  await open('/agreement/user')
  expect((await screen.findByRole('alert')).textContent).toContain('用户协议第一次打开要联网')
})
