import type { Product } from '#src/contract/order.ts'

type Thing = Pick<Product, 'kind' | 'no' | 'variant'>
const same = (a: Thing, b: Thing): boolean => a.kind === b.kind && a.no === b.no && a.variant === b.variant

/** How many of it are asked for: what is asked for twice is one line. */
export const quantityIn = (products: readonly Product[], of: Thing): number =>
  products.filter((each) => same(each, of)).reduce((sum, { quantity }) => sum + quantity, 0)

/** The same with so many of one, which keeps its place. */
export function withQuantity(products: readonly Product[], of: Thing, quantity: number): Product[] {
  const first = products.findIndex((each) => same(each, of))
  return products.flatMap((each, i) => (i === first ? [{ ...each, quantity }] : same(each, of) ? [] : [each]))
}
