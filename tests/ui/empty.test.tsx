import { readFileSync } from 'node:fs'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Empty } from '#src/ui/Empty.tsx'

test('what stands where a list is empty has the words of all lists, its own below them, its way out, and a drawing that says nothing of itself', () => {
  const { container } = render(
    <Empty of="star" title="还没有收藏" role="status">
      <a href="/question/library">去练题</a>
    </Empty>,
  )
  expect(screen.getByRole('status').textContent).toBe('暂无更多...还没有收藏去练题')
  expect(screen.getByRole('heading', { name: '还没有收藏' })).toBeTruthy()
  const drawing = container.querySelector('svg')
  expect(drawing?.getAttribute('aria-hidden')).toBe('true')
  expect(drawing?.querySelector('use')?.getAttribute('href')).toMatch(/drawings.*\.svg.*#star$/)
})

test('every drawing that can be asked for is drawn, in colours of the theme alone', () => {
  const sprite = readFileSync('src/ui/drawings.svg', 'utf8')
  const drawn = [...sprite.matchAll(/<symbol id="(\w+)"/g)].map(([, id = '']) => id)
  const [, union = ''] =
    /^type Drawn =([^\n]*(?:\n {2}\|[^\n]*)*)/m.exec(readFileSync('src/ui/Empty.tsx', 'utf8')) ?? []
  const named = [...union.matchAll(/'(\w+)'/g)].map(([, id = '']) => id)
  expect(named.toSorted((a, b) => a.localeCompare(b))).toEqual(drawn.toSorted((a, b) => a.localeCompare(b)))
  const colours = [...sprite.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, colour]) => colour)
  expect(colours.length).toBeGreaterThan(20)
  expect(colours.filter((colour) => !/^(none|var\(--lj-[a-z-]+\))$/.test(colour ?? ''))).toEqual([])
})
