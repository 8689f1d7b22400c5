import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Count, Cover, EpochMs, Html, No } from './scalar.ts'

export const BOOK_KINDS = ['textbook', 'past', 'mock', 'handbook', 'notebook'] as const
/** 教材, 真题, 预测卷, 手册, 本册. */
export const BookKind = v.picklist(BOOK_KINDS)
export type BookKind = v.InferOutput<typeof BookKind>

/** `name` says what it shows: 封面, 目录. */
const Picture = v.object({ ...Cover.entries, name: v.string() })
export type BookPicture = v.InferOutput<typeof Picture>

const head = {
  no: No,
  title: v.string(),
  /** 作者 or 编者. */
  author: v.string(),
  kind: BookKind,
  cover: Picture,
  /** When it was published here. */
  at: EpochMs,
  /** Fen: of the cheapest variant. */
  from: Count,
  /** Of all variants; 0: 售罄. */
  stock: Count,
  /** 已售, of all variants that it ever had. */
  sold: Count,
}
export const BookHead = v.object(head)
export type BookHead = v.InferOutput<typeof BookHead>

/** 规格 */
const Variant = v.object({
  no: No,
  name: v.string(),
  /** Fen. */
  price: Count,
  stock: Count,
  /** With its wrapping, grams: what freight is reckoned by. */
  weight: Count,
  /** The package and days of VIP that the activation code in it opens; null: there is none in it. */
  gives: v.nullable(v.object({ title: v.string(), days: v.nullable(Count) })),
})
export type BookVariant = v.InferOutput<typeof Variant>
const BookDetail = v.object({
  ...head,
  /** The cover first. */
  pictures: v.array(Picture),
  intro: Html,
  /** 页数, 开本 … */
  details: v.array(v.object({ name: v.string(), value: v.string() })),
  variants: v.array(Variant),
})
export type BookDetail = v.InferOutput<typeof BookDetail>

/** What is asked of one who may buy, now. */
const Price = v.object({
  no: No,
  /** Fen; of what comes in several ways the cheapest. */
  price: Count,
  /** Null: there is no end to it. */
  stock: v.nullable(Count),
})
export type Price = v.InferOutput<typeof Price>
export const MAX_PRICES = 500

export const store = {
  /** Every book of the scope's direction and area, in the operator's order: filtered, searched and sorted on the device. */
  list: endpoint({
    path: 'store/list',
    access: 'open',
    keep: 'worker',
    input: v.object({}),
    output: v.array(BookHead),
  }),
  detail: endpoint({
    path: 'store/detail',
    access: 'open',
    keep: 'worker',
    input: v.object({ no: No }),
    output: BookDetail,
  }),
  /**
   * Prices and stock as they are now, of books, variants, VIP packages and durations, by number; what is not sold any more is
   * left out. A page that shows what it has kept asks here whether that still holds.
   */
  prices: endpoint({
    path: 'store/prices',
    access: 'open',
    keep: 'nowhere',
    input: v.object({ nos: v.pipe(v.array(No), v.maxLength(MAX_PRICES)) }),
    output: v.array(Price),
  }),
}
