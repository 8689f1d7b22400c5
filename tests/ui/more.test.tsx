import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { useGrowing } from '#src/ui/More.tsx'

const ROWS = Array.from({ length: 100 }, (_, i) => `第${i + 1}行`)

function List({ rows }: { rows: readonly string[] }) {
  const { shown, more } = useGrowing(rows, 40)
  return (
    <>
      <ul>
        {shown.map((row) => (
          <li key={row}>{row}</li>
        ))}
      </ul>
      {more}
    </>
  )
}
const count = () => screen.getAllByRole('listitem').length
const more = () => screen.queryByRole('button', { name: '显示更多' })

test('of a long list so many rows are shown at first, more when asked for, and nothing more at its end', async () => {
  render(<List rows={ROWS} />)
  expect(count()).toBe(40)
  for (const expected of [80, 100]) {
    await userEvent.click(screen.getByRole('button', { name: '显示更多' }))
    expect(count()).toBe(expected)
  }
  expect(more()).toBeNull()
})
test('a short list is whole', () => {
  render(<List rows={ROWS.slice(0, 40)} />)
  expect(count()).toBe(40)
  expect(more()).toBeNull()
})
