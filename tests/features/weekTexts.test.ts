import { expect, test } from 'vitest'
import { foundText } from '#src/features/stats/week/texts.ts'
import { spanOf } from '#src/domain/study/week.ts'

const MONDAY = 20_786
const spanWith = (spentMs: number) =>
  spanOf(new Map([[MONDAY, { answered: 2, right: 1, spentMs }]]), MONDAY, MONDAY + 6)

test.each([
  [20_000, '这周学了 1 天，共不足 1 分钟，正确率 50%'],
  [600_000, '这周学了 1 天，共 10 分钟，正确率 50%'],
])('a week of %i ms is told without a hole between the words', (ms, said) => {
  expect(foundText(spanWith(ms), '这周')).toBe(said)
})
test('a week without an answer says so', () => {
  expect(foundText(spanOf(new Map(), MONDAY, MONDAY + 6), '这周')).toBe('这周还没有做题')
})
