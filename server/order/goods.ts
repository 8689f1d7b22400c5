import { type RawBuilder, sql } from 'kysely'
import { MAX_QUANTITY, type OrderLine, type Product, QUANTITY_MESSAGE } from '#src/contract/order.ts'
import { FOR_GOOD, type RightKind } from '#src/domain/money/rights.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { readEnds, readExamEnd } from '#server/rights/store.ts'

/** What is asked for as it is sold now. */
interface Row extends Omit<OrderLine, 'quantity'> {
  /** Not sold any more, or never was. */
  withdrawn: boolean
  /** Grams; null: it is no goods. */
  weight: number | null
  /** Null: there is no end to it. */
  stock: number | null
  /** Of a right: null for good, or until the exam day. */
  days: number | null
}
type Other = Pick<Row, 'title' | 'cover'>
export interface Goods extends Omit<Row, 'withdrawn'> {
  quantity: number
  /** Until when the right lasts that has no days: epoch ms; null: for good. */
  until: number | null
  /** What it means to buy it, or with `shut` why it cannot be. */
  note: string
  shut: boolean
}

const SOLD: RawBuilder<unknown> = sql`
  select w.at, c.title, '' as detail, c.cover, c.price, c.withdrawn, null::int as weight, null::int as stock, c.days
    from wanted w join course c on c.no = w.no where w.kind = 'course'
  union all select w.at, p.title, '', p.cover, p.price, p.withdrawn, null, null, p.days
    from wanted w join course_package p on p.no = w.no where w.kind = 'package'
  union all select w.at, s.title, '', null, s.price, false, null, null, null
    from wanted w join question_set s on s.no = w.no where w.kind = 'set'
  union all select w.at, x.title, '', null, x.price, coalesce(x.ends_at <= w.now, false), null, null, null
    from wanted w join exam x on x.no = w.no where w.kind = 'exam'
  union all select w.at, p.title, d.name, null, d.price, p.withdrawn or d.retired, null, null, d.days
    from wanted w join vip_package p on p.no = w.no join vip_duration d on d.package_no = p.no and d.no = w.variant
    where w.kind = 'vip'
  union all select w.at, b.title, v.name, b.pictures -> 0, v.price, b.withdrawn or v.retired, v.weight, v.stock, null
    from wanted w join book b on b.no = w.no join book_variant v on v.book_no = b.no and v.no = w.variant
    where w.kind = 'book'`

/** What is sold, though not in the variant that is asked for. */
const OTHERWISE_SOLD: RawBuilder<unknown> = sql`
  select w.at, b.title, b.pictures -> 0 as cover from wanted w join book b on b.no = w.no and not b.withdrawn
    where w.kind = 'book' and not exists (select from book_variant v where v.book_no = b.no and v.no = w.variant)
  union all select w.at, p.title, null from wanted w join vip_package p on p.no = w.no and not p.withdrawn
    where w.kind = 'vip' and not exists (select from vip_duration d where d.package_no = p.no and d.no = w.variant)`

export interface Buyer {
  uid: string
  /** Epoch ms. */
  now: number
}

/** What is asked for, in its order, each with what may keep it from being bought. */
export async function readGoods(db: Db | Tx, buyer: Buyer, products: readonly Product[]): Promise<Goods[]> {
  const asked = merged(products)
  const wanted = JSON.stringify(asked.map((each, at) => ({ ...each, at, now: buyer.now })))
  const read = async <T>(from: RawBuilder<unknown>) => {
    const { rows } = await sql<T & { at: number }>`
      with wanted as (select * from json_to_recordset(${wanted}::json) as w(at int, kind text, no text, variant text, now bigint))
      select x.* from (${from}) x order by x.at`.execute(db)
    return new Map(rows.map((row) => [row.at, row]))
  }
  const found = await read<Row>(SOLD)
  const others = found.size < asked.length ? await read<Other>(OTHERWISE_SOLD) : new Map<number, Other>()
  const rights = asked.flatMap(({ kind, no }) => (isRight(kind) ? [{ kind, no }] : []))
  const ends = await readEnds(db, buyer.uid, rights, buyer.now)
  const examEnd = asked.some(({ kind }) => kind === 'vip') ? await readExamEnd(db, buyer.uid, buyer.now) : null
  return asked.map((product, at) => {
    const owned = ends.find(({ kind, no }) => kind === product.kind && no === product.no)?.until ?? null
    return judged(product, found.get(at), others.get(at), { owned, examEnd })
  })
}

export const isRight = (kind: Product['kind']): kind is RightKind => kind !== 'book' && kind !== 'library'

/** What is asked for twice is one line. */
function merged(products: readonly Product[]): Product[] {
  const lines = new Map<string, Product>()
  for (const each of products) {
    const key = [each.kind, each.no, each.variant].join()
    lines.set(key, { ...each, quantity: each.quantity + (lines.get(key)?.quantity ?? 0) })
  }
  return [...lines.values()]
}

interface Having {
  /** When what the student has of it ends, epoch ms. */
  owned: number | null
  /** The end of the student's exam day, epoch ms; null: there is none ahead. */
  examEnd: number | null
}

function judged(
  product: Product,
  row: (Row & { at: number }) | undefined,
  other: Other | undefined,
  having: Having,
): Goods {
  const { kind, no, variant, quantity } = product
  if (!row || row.withdrawn) {
    const { title = '已下架的商品', detail = '', cover = null } = row ?? (other && { ...other, detail: '' }) ?? {}
    const none = { price: 0, weight: null, stock: null, days: null, until: null }
    const note = other ? OTHER_VARIANTS[kind === 'vip' ? 'vip' : 'book'] : unsoldNote(kind)
    return { kind, no, variant, quantity, title, detail, cover, ...none, note, shut: true }
  }
  const { at: _, withdrawn: __, ...sold } = row
  const until = kind === 'vip' && row.days === null ? having.examEnd : null
  const why = whyShut(product, row, having)
  return { ...sold, kind, no, variant, quantity, until, note: why ?? noteOf(product, row, having), shut: why !== null }
}

const OTHER_VARIANTS = {
  book: '没有这个规格，请回到图书页重新选择',
  vip: '没有这个时长，请回到会员页重新选择',
}
const unsoldNote = (kind: Product['kind']): string =>
  kind === 'library' ? '题库免费使用，不用购买' : '已下架，不再出售'

function whyShut({ kind, quantity }: Product, { price, stock, days }: Row, { owned, examEnd }: Having): string | null {
  if (price === 0) return '免费，不用购买'
  if (quantity > MAX_QUANTITY) return `${QUANTITY_MESSAGE}，请减少数量`
  if (stock !== null) {
    if (stock === 0) return '已售罄'
    return quantity > stock ? `库存只剩 ${stock} 件，请减少数量` : null
  }
  if (quantity > 1 && days === null) return '数字商品只需买 1 份'
  if (owned === FOR_GOOD) return '已经永久拥有，不用再买'
  if (kind !== 'vip' || days !== null) return null
  if (examEnd === null) return '按考试日期开通，请先在“我的资料”里设置考试日期'
  return owned !== null && owned >= examEnd ? '已经开通到考试那天，不用再买' : null
}

function noteOf({ kind, quantity }: Product, { stock, days }: Row, { owned, examEnd }: Having): string {
  if (stock !== null) return ''
  if (days !== null) return `有效期 ${days * quantity} 天${owned === null ? '' : '，接在现有有效期之后'}`
  return kind === 'vip' && examEnd !== null ? '有效期到考试那天' : '永久有效'
}
