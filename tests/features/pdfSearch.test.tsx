import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { foldPage } from '#src/features/pdf/reader/find.ts'
import { FindBar } from '#src/features/pdf/reader/FindBar.tsx'
import type { Texts } from '#src/features/pdf/reader/texts.ts'
import { useFind } from '#src/features/pdf/reader/useFind.ts'

/** A document of which these are the pages' words. */
function documentOf(pages: readonly string[]): () => React.JSX.Element {
  const texts: Texts = { of: (index) => Promise.resolve(foldPage([pages[index] ?? ''])) }
  return function Opened() {
    return <FindBar find={useFind(texts, pages.length, 0)} count={pages.length} onClose={() => {}} />
  }
}

test.each([
  ['says that a scan has no text, for nothing can be found in it', ['', '', ''], '扫描件没有文字'],
  ['says that the words are not there when a scan has one page of text', ['', '目录', ''], '没有找到'],
  ['counts what it found', ['绝对领导', '', '绝对领导'], '1 / 2'],
])('search in a document %s', async (_, pages, answer) => {
  const Opened = documentOf(pages)
  render(<Opened />)
  await userEvent.type(screen.getByLabelText('在文档中搜索'), '领导')
  await expect.poll(() => screen.getByRole('status').textContent).toBe(answer)
})
