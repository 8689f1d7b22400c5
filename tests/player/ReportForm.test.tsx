import { onDisk } from '#tests/support/drafts.ts'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { OpPayload } from '#src/contract/study.ts'
import { offline } from '#src/offline/index.ts'
import { ReportForm } from '#src/player/marks/ReportForm.tsx'
import { single } from '#tests/support/questions.ts'

const text = () => screen.getByRole<HTMLTextAreaElement>('textbox')
const send = () => screen.getByRole<HTMLButtonElement>('button', { name: '提交' })
const onClose = vi.fn<() => void>()
function open(no: string, onSend: (report: OpPayload<'report'>) => Promise<unknown>) {
  onClose.mockClear()
  return render(<ReportForm part={{ ...single(no), version: 3 }} onSend={onSend} onClose={onClose} />)
}

test('a report carries the version that was seen, and is on the device when the form closes', async () => {
  open('R1', (payload) => offline.add({ kind: 'report', payload }))
  await userEvent.click(screen.getByRole('radio', { name: '解析有误' }))
  await userEvent.type(text(), ' 第二步算错 ')
  await userEvent.click(send())
  await expect.poll(() => onClose.mock.calls.length).toBe(1)
  expect([...(await offline.things('report')).values()]).toMatchObject([
    { questionNo: 'R1', reason: 'analysis', text: '第二步算错', status: 'received' },
  ])
  expect((await offline.waiting()).at(-1)?.payload).toMatchObject({ version: 3 })
})

test('what was reported of the question before stands above the form, with what became of it', async () => {
  await offline.add({ kind: 'report', payload: { questionNo: 'R4', version: 1, reason: 'stem', text: '缺了一句' } })
  const form = open('R4', () => Promise.resolve())
  const earlier = await screen.findByRole('list', { name: '已提交的纠错' })
  expect(earlier.textContent).toMatch(/已提交“题干有误”：已收到缺了一句$/)
  form.unmount()
  open('R5', () => Promise.resolve())
  expect(screen.queryByRole('list', { name: '已提交的纠错' })).toBeNull()
})

test('what was typed is there again until it is sent', async () => {
  const first = open('R2', () => Promise.reject(new Error('full')))
  await userEvent.type(text(), '选项 C 才对')
  await userEvent.click(send())
  await screen.findByRole('alert')
  expect(onClose).not.toHaveBeenCalled()
  first.unmount()
  const second = open('R2', () => Promise.resolve())
  await expect.poll(() => text().value).toBe('选项 C 才对')
  await userEvent.click(send())
  await expect.poll(() => onClose.mock.calls.length).toBe(1)
  second.unmount()
  open('R2', () => Promise.resolve())
  await expect.poll(() => offline.loadDraft(onDisk('report:R2'))).toBeUndefined()
  expect(text().value).toBe('')
})

test('其他 wants words', async () => {
  open('R3', () => Promise.resolve())
  expect(send().disabled).toBe(false)
  await userEvent.click(screen.getByRole('radio', { name: '其他' }))
  expect(send().disabled).toBe(true)
  await userEvent.type(text(), '字体太小')
  expect(send().disabled).toBe(false)
})
