import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useDialogs, useFirstChoice } from '#src/app/shell/useDialogs.ts'
import { loginRequest } from '#src/session/loginRequest.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'

const file = vi.hoisted(() => Promise.withResolvers<void>())
vi.mock('#src/features/login/dialog/LoginDialog.tsx', async () => {
  await file.promise
  return { LoginDialog: ({ onClose }: { onClose: () => void }) => <button onClick={onClose}>登录</button> }
})
vi.mock('#src/features/structural/ScopeDialog.tsx', () => ({ ScopeDialog: () => <p>地区</p> }))

function Shell() {
  const dialogs = useDialogs()
  useFirstChoice(dialogs)
  return dialogs.shown && <dialogs.shown.Dialog onClose={dialogs.close} />
}
/** The region is put off by a task: it would have come long ago. */
const aMinute = () => act(() => vi.advanceTimersByTimeAsync(60_000))

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

test('the login that a first visit asks for comes before the region, however long its file takes', async () => {
  const asked = feedback.ask({ title: '提示信息', message: '请登录', actions: [{ key: 'login', label: '去登录' }] })
  render(<Shell />)
  await aMinute()
  expect(screen.queryByText('地区')).toBeNull()
  await act(async () => {
    feedback.get().question?.answer('login')
    await asked
    loginRequest.askFor('/user/my_note')
  })
  await aMinute()
  expect(screen.queryByText('地区')).toBeNull()
  file.resolve()
  await aMinute()
  const login = screen.getByText('登录')
  expect(screen.queryByText('地区')).toBeNull()
  act(() => login.click())
  await aMinute()
  expect(screen.getByText('地区')).toBeTruthy()
})
