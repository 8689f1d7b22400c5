import type { Product, SoldKind } from '#src/contract/order.ts'

const KINDS: readonly string[] = ['course', 'package', 'set', 'exam', 'vip', 'book', 'library'] satisfies SoldKind[]
const isKind = (text: string): text is SoldKind => KINDS.includes(text)
const PART = /^([a-z]+)-(\w{1,64})-([1-9]\d?)(?:-(\w{1,64}))?$/

/** `kind-no-quantity[-variant]`, joined by commas, as the address of the payment page has it; null for anything else. */
export function readProducts(text: string): Product[] | null {
  const products: Product[] = []
  for (const part of text.split(',')) {
    const [, kind = '', no = '', quantity, variant = null] = PART.exec(part) ?? []
    if (!isKind(kind)) return null
    products.push({ kind, no, quantity: Number(quantity), variant })
  }
  return products
}

export const productsText = (products: readonly Product[]): string =>
  products
    .map(({ kind, no, quantity, variant }) => [kind, no, quantity, ...(variant === null ? [] : [variant])].join('-'))
    .join(',')
