import type { BookHead, BookKind } from '#src/contract/store.ts'
import { saying } from '../text/words.ts'

export const BOOK_SORTS = ['default', 'newest', 'best', 'cheapest', 'dearest'] as const
/** What a student looks for; '' and null: whatever. */
export interface BookFilter {
  words: string
  kind: BookKind | null
  sort: (typeof BOOK_SORTS)[number]
}
type Book = Pick<BookHead, 'title' | 'author' | 'kind' | 'at' | 'from' | 'stock' | 'sold'>

const ORDERS: Record<BookFilter['sort'], (a: Book, b: Book) => number> = {
  // What can be had first.
  default: (a, b) => Number(a.stock === 0) - Number(b.stock === 0),
  newest: (a, b) => b.at - a.at,
  best: (a, b) => b.sold - a.sold,
  cheapest: (a, b) => a.from - b.from,
  dearest: (a, b) => b.from - a.from,
}

/** Books that are looked for, in the order asked for; among equals the operator's. Each of several words must be there. */
export function findBooks<T extends Book>(all: readonly T[], { words, kind, sort }: BookFilter): T[] {
  const says = saying(words)
  return all
    .filter((book) => (kind === null || book.kind === kind) && says(`${book.title} ${book.author}`))
    .sort(ORDERS[sort])
}

/** How many of a variant one may ask for at once: as there are, and no more than a person carries. */
export const MOST_AT_ONCE = 99
export const mostOf = (stock: number): number => Math.min(stock, MOST_AT_ONCE)

/** What was typed as a number that can be had; at least one, which is refused where there is none. */
export const quantityOf = (typed: string | number, stock: number): number => {
  const count = Math.floor(Number(typed))
  return Number.isFinite(count) ? Math.max(1, Math.min(count, mostOf(stock))) : 1
}
