import type { BookHead, BookKind, BookVariant } from '#src/contract/store.ts'

export const KIND_NAMES: Record<BookKind, string> = {
  textbook: '教材',
  past: '真题',
  mock: '预测卷',
  handbook: '手册',
  notebook: '本册',
}

/** From so few on it is said how many are left. */
export const FEW = 10
export const SOLD_OUT = '售罄'
/** Of one variant. */
export const stockText = (stock: number): string =>
  stock === 0 ? SOLD_OUT : stock <= FEW ? `仅剩 ${stock} 件` : `库存 ${stock} 件`
/** Of all variants of a book: how many of which there are stands beside each of them. */
const anyText = (stock: number): string => (stock === 0 ? SOLD_OUT : stock <= FEW ? `共剩 ${stock} 件` : '有货')

/** How many were sold, a new book's 0 included, and what is left. */
export const factsOf = ({ stock, sold }: Pick<BookHead, 'stock' | 'sold'>): string[] => [`已售 ${sold}`, anyText(stock)]

export const givesText = ({ title, days }: NonNullable<BookVariant['gives']>): string =>
  `附激活码：${title}${days === null ? '到考' : ` ${days} 天`}`
