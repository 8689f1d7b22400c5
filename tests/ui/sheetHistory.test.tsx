import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { fromPage, leaveDocument, onPage, watchSheets } from '#src/ui/dialog/sheetHistory.ts'

/** Steps that reach the router, by the address they lead to. */
let heard: string[] = []
window.addEventListener('popstate', () => heard.push(window.location.pathname))

function Sheet({ name, onClose, children }: { name: string; onClose: () => void; children?: React.ReactNode }) {
  return (
    <Dialog title={name} onClose={onClose}>
      {children ?? '内容'}
    </Dialog>
  )
}
function Page({ stubborn = false }: { stubborn?: boolean }) {
  const [open, setOpen] = useState('')
  const close = () => setOpen('')
  return (
    <>
      <button type="button" onClick={() => setOpen('答题卡')}>
        打开
      </button>
      {open === '答题卡' && (
        <Sheet name="答题卡" onClose={stubborn ? () => {} : close}>
          <button type="button" onClick={() => setOpen('设置')}>
            换成设置
          </button>
          <Inner />
        </Sheet>
      )}
      {open === '设置' && <Sheet name="设置" onClose={close} />}
    </>
  )
}
function Inner() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        再打开
      </button>
      {open && <Sheet name="里面" onClose={() => setOpen(false)} />}
    </>
  )
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const isOpen = (name: string) => screen.queryByRole('dialog', { name }) !== null
const sheets = () => Number(window.history.state?.jkSheet ?? 0)
const reach = async (n: number) => await expect.poll(sheets).toBe(n)
const back = () => window.history.back()

beforeEach(async () => {
  watchSheets()
  await onPage()
  window.history.pushState(null, '', '/before')
  window.history.pushState({ own: 1 }, '', '/page')
  heard = []
})

test('history back closes the sheet that is on top, then the one below, then leaves the page', async () => {
  render(<Page />)
  await press('打开')
  await reach(1)
  await press('再打开')
  await reach(2)
  back()
  await expect.poll(() => isOpen('里面')).toBe(false)
  expect(isOpen('答题卡')).toBe(true)
  await reach(1)
  back()
  await expect.poll(() => isOpen('答题卡')).toBe(false)
  expect([window.location.pathname, window.history.state]).toEqual(['/page', { own: 1 }])
  expect(heard, 'the router hears nothing of it').toEqual([])
  back()
  await expect.poll(() => heard).toEqual(['/before'])
})

test('a sheet closed by its own button leaves no entry behind, and forward does not come upon one', async () => {
  render(<Page />)
  await press('打开')
  await reach(1)
  await press('关闭')
  await reach(0)
  window.history.forward()
  await onPage()
  await reach(0)
  back()
  await expect.poll(() => window.location.pathname).toBe('/before')
})

test('a page whose entry has no state of its own is known again', async () => {
  window.history.pushState(null, '', '/bare')
  render(<Page />)
  await press('打开')
  await reach(1)
  back()
  await expect.poll(() => isOpen('答题卡')).toBe(false)
  expect([window.location.pathname, heard]).toEqual(['/bare', []])
})

test('an entry of a sheet with nothing to step back to becomes the page’s own', async () => {
  const go = vi.spyOn(window.history, 'go').mockImplementation(() => {})
  window.history.replaceState({ own: 1, jkSheet: 1 }, '')
  watchSheets()
  await expect.poll(() => window.history.state, { timeout: 3_000 }).toEqual({ own: 1 })
  expect(go).toHaveBeenCalledTimes(1)
  go.mockRestore()
})

test('a sheet that another one takes the place of hands its entry on', async () => {
  render(<Page />)
  await press('打开')
  await reach(1)
  await press('换成设置')
  expect(isOpen('设置')).toBe(true)
  await reach(1)
  back()
  await expect.poll(() => isOpen('设置')).toBe(false)
  expect(window.location.pathname).toBe('/page')
})

test('what refuses to close takes the next back as well', async () => {
  render(<Page stubborn />)
  await press('打开')
  await reach(1)
  back()
  await reach(0)
  await reach(1)
  expect(isOpen('答题卡')).toBe(true)
})

test('a way on that is taken in a sheet begins at the page, which is what back returns to', async () => {
  render(<Page />)
  await press('打开')
  await reach(1)
  fromPage(() => window.history.pushState({ own: 2 }, '', '/next'))
  await press('关闭')
  await expect.poll(() => window.location.pathname).toBe('/next')
  back()
  await expect.poll(() => heard).toEqual(['/page'])
  expect(window.history.state).toEqual({ own: 1 })
})

test('the document is left from the page’s own entry, never with a step of ours under way, which would call it off', async () => {
  const left: unknown[] = []
  const go = vi.spyOn(window.history, 'go')
  const push = vi.spyOn(History.prototype, 'pushState')
  render(<Page />)
  await press('打开')
  await reach(1)
  await press('关闭')
  leaveDocument(() => {
    left.push(window.history.state)
    go.mockClear()
    push.mockClear()
  })
  await expect.poll(() => left).toEqual([{ own: 1 }])

  // What is closed or opened on a page that is going makes no step and no entry.
  await press('打开')
  await press('关闭')
  await press('打开')
  expect([go.mock.calls, push.mock.calls]).toEqual([[], []])
  // A step that came too late has called it off: it is left again, and the router hears nothing of the step.
  heard = []
  window.dispatchEvent(new PopStateEvent('popstate'))
  expect([left.length, heard]).toEqual([2, []])
  // Somebody stopped it: sheets have their entries again.
  await expect.poll(sheets, { timeout: 15_000 }).toBe(1)
  vi.restoreAllMocks()
}, 20_000)
