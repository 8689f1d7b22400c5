import { act, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { FeedbackHost } from '#src/ui/feedback/FeedbackHost.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  act(() => void vi.runAllTimers())
  vi.useRealTimers()
})
const page = (dialog: boolean) => (
  <>
    <FeedbackHost />
    {dialog && (
      <Dialog title="收货地址" onClose={() => {}}>
        <p>地址</p>
      </Dialog>
    )}
  </>
)
const regions = (root: ParentNode) => [...root.querySelectorAll('[aria-live="polite"]')]
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

test('a notice comes into a region that was there before, and goes again', () => {
  render(page(false))
  const [region] = regions(document)
  expect(region?.textContent).toBe('')
  act(() => feedback.toast('保存成功'))
  pass(200)
  expect(regions(document)).toEqual([region])
  expect(region?.textContent).toBe('保存成功')
  pass(4000)
  expect(region?.textContent).toBe('')
})

test('while a dialog is open it is told there, because all else is not heard', () => {
  render(page(true))
  const dialog = screen.getByRole('dialog', { name: '收货地址' })
  const [region] = regions(dialog)
  expect(region?.textContent).toBe('')
  act(() => feedback.toast('保存成功'))
  pass(200)
  expect(within(dialog).getByText('保存成功').parentElement).toBe(region)
})

test('of a dialog that closes in the same moment it is told after that', () => {
  const { rerender } = render(page(true))
  act(() => feedback.toast('保存成功'))
  expect(screen.queryByText('保存成功')).toBeNull()
  rerender(page(false))
  pass(200)
  expect(screen.getByText('保存成功')).toBeTruthy()
})
