import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { useFold } from '#src/ui/list/useFold.tsx'

function Table({ count }: { count: number }) {
  const { shown, fold } = useFold(
    Array.from({ length: count }, (_, at) => at + 1),
    3,
  )
  return (
    <>
      <p>{shown.join(' ')}</p>
      {fold}
    </>
  )
}
const rows = () => document.querySelector('p')?.textContent

test('a long table shows its first rows, all of them on demand, and the first ones again', async () => {
  render(<Table count={5} />)
  expect(rows()).toBe('1 2 3')
  const button = screen.getByRole('button', { name: '展开全部 5 项', expanded: false })
  await userEvent.click(button)
  expect(rows()).toBe('1 2 3 4 5')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: '收起', expanded: true }))
  await userEvent.keyboard('{Enter}')
  expect(rows()).toBe('1 2 3')
})

test('a table with a single row more is shown whole', () => {
  render(<Table count={4} />)
  expect(rows()).toBe('1 2 3 4')
  expect(screen.queryByRole('button')).toBeNull()
})
