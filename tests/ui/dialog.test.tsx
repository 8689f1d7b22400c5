import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { FeedbackHost } from '#src/ui/feedback/FeedbackHost.tsx'

function Opener() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        笔记
      </button>
      {open && (
        <Dialog title="笔记" onClose={() => setOpen(false)}>
          内容
        </Dialog>
      )}
    </>
  )
}

test('a closed dialog gives the focus back to what opened it', async () => {
  render(<Opener />)
  await userEvent.click(screen.getByRole('button', { name: '笔记' }))
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: '笔记' }))
  await userEvent.click(screen.getByRole('button', { name: '关闭' }))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: '笔记' }))
})

const no = { key: 'no', label: '取消' }
test.each([
  ['does what is asked for', { actions: [no, { key: 'yes', label: '去登录', tone: 'primary' as const }] }, '去登录'],
  ['destroys nothing', { actions: [no, { key: 'yes', label: '删除', tone: 'danger' as const }] }, '取消'],
  [
    'answers nothing that came by itself',
    { unasked: true, actions: [no, { key: 'yes', label: '合并', tone: 'primary' as const }] },
    '提示',
  ],
])('Enter in a question %s', (_, question, focused) => {
  render(<FeedbackHost />)
  act(() => void feedback.ask({ title: '提示', message: '说明', ...question }))
  expect(document.activeElement?.textContent).toBe(focused)
  act(() => feedback.get().question?.answer(null))
})

test('what comes by itself waits while something else is asked, and is not taken for told', async () => {
  render(<FeedbackHost />)
  const actions = [{ key: 'ok', label: '知道了' }]
  let told: string | null | undefined
  act(
    () =>
      void feedback.ask({ title: '提示', message: '少了 5 条', unasked: true, actions }).then((key) => (told = key)),
  )
  let warned: string | null | undefined
  act(() => void feedback.ask({ title: '提示', message: '号码不对', actions }).then((key) => (warned = key)))
  expect(screen.queryByText('少了 5 条')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '知道了' }))
  expect([warned, told]).toEqual(['ok', undefined])
  await userEvent.click(screen.getByRole('button', { name: '知道了' }))
  expect([told, feedback.get().question]).toEqual(['ok', null])
})
