import { expect, test } from 'vitest'
import { productsText, readProducts } from '#src/domain/products.ts'
import { quantityIn, withQuantity } from '#src/domain/quantities.ts'

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
