import { expect, test } from 'vitest'
import { productsText, readProducts } from '#src/domain/money/products.ts'
import { quantityIn, withQuantity } from '#src/domain/money/quantities.ts'

const B = { kind: 'book', no: 'B', variant: 'B_1' } as const

test.each([
  ['book-B-1-B_1', 1, 'book-B-3-B_1'],
  ['vip-V-1-V_month,book-B-2-B_1,book-B-1-B_2', 2, 'vip-V-1-V_month,book-B-3-B_1,book-B-1-B_2'],
  ['book-B-2-B_1,book-C-1-C_1,book-B-5-B_1', 7, 'book-B-3-B_1,book-C-1-C_1'],
  ['book-C-1-C_1', 0, 'book-C-1-C_1'],
])('%s has %i of it, and with 3 is %s', (text, quantity, changed) => {
  const products = readProducts(text) ?? []
  expect(quantityIn(products, B)).toBe(quantity)
  expect(productsText(withQuantity(products, B, 3))).toBe(changed)
})

test.each([
  ['of another kind', { kind: 'vip', no: 'B', variant: 'v' }],
  ['with another number', { kind: 'book', no: 'C', variant: 'v' }],
  ['of another variant', { kind: 'book', no: 'B', variant: 'w' }],
] as const)('what is %s is another thing', (_, other) => {
  const of = { kind: 'book', no: 'B', variant: 'v' } as const
  const products = [
    { ...other, quantity: 2 },
    { ...of, quantity: 3 },
  ]
  expect(quantityIn(products, of)).toBe(3)
  expect(withQuantity(products, of, 9)).toEqual([
    { ...other, quantity: 2 },
    { ...of, quantity: 9 },
  ])
})
