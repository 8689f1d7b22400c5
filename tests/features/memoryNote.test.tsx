import { render, screen } from '@testing-library/react'
import { default_w as mostPeoples } from 'ts-fsrs'
import { expect, test } from 'vitest'
import { modelOf } from '#src/domain/study/review.ts'
import { MemoryNote } from '#src/features/stats/MemoryNote.tsx'

/** First answers last `times` as long, and each right one makes a memory grow `growth` times as much. */
const weights = (times: number, growth: number) =>
  mostPeoples.map((weight, i) => (i < 4 ? weight * times : i === 8 ? weight + Math.log(growth) : weight))
function said(times: number, growth: number): string {
  const own = weights(times, growth)
  const fit = { weights: own, reviews: 640, at: Date.UTC(2026, 10, 28, 17) }
  const { container } = render(<MemoryNote figures={{ fit, model: modelOf(own) }} />)
  return container.textContent
}

test('says whose memory reviews are planned by while there is no fit', () => {
  render(<MemoryNote figures={{ fit: null, model: undefined }} />)
  expect(screen.getByText(/^复习间隔按多数人的遗忘快慢来排。/)).toBeTruthy()
})

test('says since when, by how many answers, and that somebody remembers longer than most', () => {
  const text = said(2, 1.6)
  expect(text).toContain('11月29日按 640 次隔天重做的结果校准')
  expect(text).toMatch(/你比多数人记得牢，同一道题大约 [12]\.\d 倍的时间才会忘到同样程度，间隔已随之放长。$/)
})

test('says that somebody forgets faster than most', () => {
  expect(said(0.4, 0.6)).toMatch(/你比多数人忘得快，同一道题大约 [3-8] 成的时间就忘到同样程度，间隔已随之缩短。$/)
})

test('says that somebody remembers about as others do', () => {
  expect(said(1, 1)).toMatch(/你的记忆快慢与多数人相近，间隔只作了细调。$/)
})
