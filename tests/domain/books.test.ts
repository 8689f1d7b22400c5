import { expect, test } from 'vitest'
import { type BookFilter, findBooks, quantityOf } from '#src/domain/money/books.ts'
import { daysLeft, daysOf, perDay } from '#src/domain/money/vip.ts'

const book = (title: string, over: object = {}) => ({
  title,
  author: '本站自编',
  kind: 'handbook' as const,
  at: 0,
  from: 1000,
  stock: 1,
  sold: 0,
  ...over,
})
const BOOKS = [
  book('数学 真题', { kind: 'past', at: 3, from: 3980, sold: 5 }),
  book('英语手册', { at: 1, stock: 0, sold: 9 }),
  book('ＡＢＣ口袋书', { at: 2, from: 900 }),
]

test.each<[Partial<BookFilter>, string[]]>([
  [{}, ['数学 真题', 'ＡＢＣ口袋书', '英语手册']],
  [{ sort: 'newest' }, ['数学 真题', 'ＡＢＣ口袋书', '英语手册']],
  [{ sort: 'best' }, ['英语手册', '数学 真题', 'ＡＢＣ口袋书']],
  [{ sort: 'cheapest' }, ['ＡＢＣ口袋书', '英语手册', '数学 真题']],
  [{ sort: 'dearest' }, ['数学 真题', '英语手册', 'ＡＢＣ口袋书']],
  [{ kind: 'past' }, ['数学 真题']],
  [{ words: ' abc ' }, ['ＡＢＣ口袋书']],
  [{ words: '真题 数学' }, ['数学 真题']],
  [{ words: '真题 英语' }, []],
])('of these books %j finds %j', (filter, titles) => {
  const found = findBooks(BOOKS, { words: '', kind: null, sort: 'default', ...filter })
  expect(found.map(({ title }) => title)).toEqual(titles)
})

test.each([
  ['3', 10, 3],
  ['12', 10, 10],
  ['500', 1000, 99],
  ['0', 10, 1],
  ['-4', 10, 1],
  ['2.9', 10, 2],
  ['三', 10, 1],
  ['', 10, 1],
  ['5', 0, 1],
])('%j of %d left are %d', (typed, stock, quantity) => expect(quantityOf(typed, stock)).toBe(quantity))

test.each([
  ['so many days are so many', 30, 100, null, 30],
  ['until the exam its day counts, too', null, 100, 130, 31],
  ['an exam today is one day', null, 100, 100, 1],
  ['no exam is no number', null, 100, null, null],
  ['nor is one that is over', null, 100, 99, null],
])('%s', (_, days, today, examDay, expected) => expect(daysOf({ days }, today, examDay)).toBe(expected))

test('a day’s price is whole fen, and the day that has begun is left', () => {
  expect([perDay(1990, 30), perDay(4900, 90), perDay(100, 3)]).toEqual([66, 54, 33])
  const DAY = 86_400_000
  expect([daysLeft(DAY, 0), daysLeft(DAY + 1, 0), daysLeft(1, 0), daysLeft(0, 5)]).toEqual([1, 2, 1, 0])
})
