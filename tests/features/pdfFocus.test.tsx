import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { FindBar } from '#src/features/pdf/reader/FindBar.tsx'
import { OutlinePanel } from '#src/features/pdf/reader/OutlinePanel.tsx'
import { Controls } from '#src/features/pdf/reader/Toolbar.tsx'
import type { Find } from '#src/features/pdf/reader/useFind.ts'

const nothing = () => {}
const FIND: Find = {
  words: '',
  search: nothing,
  matches: [],
  onPage: new Map(),
  active: -1,
  reading: null,
  hasText: true,
  step: nothing,
}

function Opened({ part }: { part: 'find' | 'outline' }) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        打开
      </button>
      {open && part === 'find' && <FindBar find={FIND} count={3} onClose={close} />}
      {open && part === 'outline' && <OutlinePanel entries={[]} onGo={nothing} onClose={close} />}
    </>
  )
}

test.each([
  ['find', () => screen.getByLabelText('在文档中搜索'), '关闭搜索'],
  ['outline', () => screen.getByRole('heading', { name: '目录' }), '关闭目录'],
] as const)('%s takes the focus when it opens and gives it back when it closes', async (part, first, shut) => {
  render(<Opened part={part} />)
  const opener = screen.getByRole('button', { name: '打开' })
  await userEvent.click(opener)
  expect(document.activeElement).toBe(first())
  await userEvent.click(screen.getByRole('button', { name: shut }))
  expect(document.activeElement).toBe(opener)
})

test('which page is read is said once the pages stand', async () => {
  const at = (page: number) => (
    <Controls page={page} count={9} percent={100} fits onPage={nothing} onStep={nothing} onFit={nothing} />
  )
  const { rerender } = render(at(0))
  const said: string[] = []
  new MutationObserver(() => said.push(screen.getByRole('status').textContent ?? '')).observe(
    screen.getByRole('status'),
    { childList: true, characterData: true, subtree: true },
  )
  rerender(at(3))
  rerender(at(6))
  fireEvent.scroll(window)
  await expect.poll(() => said).toEqual(['第 7 页，共 9 页'])
})
