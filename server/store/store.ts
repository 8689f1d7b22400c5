import { type RawBuilder, sql } from 'kysely'
import type { BookDetail, BookHead, BookVariant, Price } from '#src/contract/store.ts'
import type { Scope } from '#src/contract/scalar.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { inScope } from '#server/structural/store.ts'

const head: RawBuilder<BookHead> = sql<BookHead>`b.no, b.title, b.author, b.kind, b.pictures -> 0 as cover,
  b.published_at as at, x."from", x.stock, x.sold`

/** Books `b` that are sold, with what their variants `x` come to. */
const books = sql`book b cross join lateral (
    select min(v.price) filter (where not v.retired) as "from", sum(v.stock) filter (where not v.retired)::int as stock,
      sum(v.sold)::int as sold
    from book_variant v where v.book_no = b.no) x
  where not b.withdrawn and x."from" is not null`

/** @param most so many of them, the first ones; null: all */
export async function readBooks(db: Db, scope: Scope, most: number | null = null): Promise<BookHead[]> {
  const { rows } = await sql<BookHead>`
    select ${head} from ${books} and ${inScope('b', scope)} order by b.position, b.no limit ${most}`.execute(db)
  return rows
}

/** Null when there is no such book, or not any more. */
export async function readBook(db: Db, no: string): Promise<BookDetail | null> {
  const { rows } = await sql<Omit<BookDetail, 'variants'>>`
    select ${head}, b.pictures, b.intro, b.details from ${books} and b.no = ${no}`.execute(db)
  const { rows: variants } = await sql<BookVariant>`
    select v.no, v.name, v.price, v.stock, v.weight,
      case when d.no is not null then json_build_object('title', p.title, 'days', d.days) end as gives
    from book_variant v left join vip_duration d on d.no = v.gives left join vip_package p on p.no = d.package_no
    where v.book_no = ${no} and not v.retired order by v.position, v.no`.execute(db)
  return rows[0] ? { ...rows[0], variants } : null
}

/** Of these numbers those of books and variants that are sold. */
export async function readBookPrices(db: Db, nos: readonly string[]): Promise<Price[]> {
  const { rows } = await sql<Price>`
    select b.no, x."from" as price, x.stock from ${books} and b.no = any(${nos})
    union all select v.no, v.price, v.stock from book_variant v join book b on b.no = v.book_no
      where not b.withdrawn and not v.retired and v.no = any(${nos})`.execute(db)
  return rows
}

/** 入库单: so many came, or with a minus went, on this piece of paper. */
export interface Receipt {
  receipt: string
  count: number
}
export interface VariantRow extends Omit<BookVariant, 'stock' | 'gives'> {
  /** Number of a duration of VIP. */
  gives: string | null
  receipts: Receipt[]
}
export interface BookRow
  extends Omit<BookDetail, keyof BookHead | 'variants'>, Pick<BookDetail, 'no' | 'title' | 'author' | 'kind'> {
  directions: string[]
  areas: string[]
  /** When it is said to be published, epoch ms; null: as it was, or now. */
  at: number | null
  withdrawn: boolean
  variants: VariantRow[]
  /** Hash of all this, receipts apart. */
  rev: string
}

/** What stands of a variant, for judging a file. */
export interface KnownVariant {
  no: string
  book: string
  stock: number
  receipts: Receipt[]
}

/** Locked until the transaction ends: what is judged by their stock stays true, orders wait so long. */
export async function readVariants(db: Db | Tx, nos: readonly string[]): Promise<Map<string, KnownVariant>> {
  const { rows } = await sql<KnownVariant>`
    select v.no, v.book_no as book, v.stock, (select coalesce(json_agg(json_build_object('receipt', r.receipt, 'count', r.count)
      order by r.at, r.receipt), '[]') from stock_receipt r where r.variant_no = v.no) as receipts
    from book_variant v where v.no = any(${nos}) order by v.no for update of v`.execute(db)
  return new Map(rows.map((row) => [row.no, row]))
}

export interface BooksWritten {
  added: number
  changed: number
  /** Copies that the receipts of this file added. */
  copies: number
}

/** Publishes books. What a file does not name stays as it is; a variant that its book has left out is not sold any more. */
export async function writeBooks(tx: Tx, rows: readonly BookRow[], now: number): Promise<BooksWritten> {
  const written = { added: 0, changed: 0, copies: 0 }
  for (const book of rows) {
    const before = await tx.selectFrom('book').select('rev').where('no', '=', book.no).executeTakeFirst()
    if (before?.rev !== book.rev) {
      await writeBook(tx, book, now)
      written[before ? 'changed' : 'added']++
    }
    for (const { no, receipts } of book.variants) written.copies += await writeReceipts(tx, no, receipts, now)
  }
  return written
}

async function writeBook(tx: Tx, { variants, at, details, pictures, ...same }: BookRow, now: number): Promise<void> {
  const row = {
    ...same,
    details: JSON.stringify(details),
    pictures: JSON.stringify(pictures),
    ...(at !== null && { published_at: at }),
  }
  await tx
    .insertInto('book')
    .values({ published_at: now, ...row, position: sql`(select coalesce(max(position) + 1, 0) from book)` })
    .onConflict((c) => c.column('no').doUpdateSet(row))
    .execute()
  await tx.updateTable('book_variant').set({ retired: true }).where('book_no', '=', same.no).execute()
  for (const [position, { receipts: _, ...variant }] of variants.entries()) {
    const values = { ...variant, position, retired: false }
    await tx
      .insertInto('book_variant')
      .values({ ...values, book_no: same.no })
      .onConflict((c) => c.column('no').doUpdateSet(values))
      .execute()
  }
}

/** @returns what those of them come to that had not been counted. */
async function writeReceipts(tx: Tx, no: string, receipts: readonly Receipt[], now: number): Promise<number> {
  if (receipts.length === 0) return 0
  const { rows } = await sql<{ count: number }>`
    with fresh as (
      insert into stock_receipt (variant_no, receipt, count, at)
      select ${no}, r.receipt, r.count, ${now} from json_to_recordset(${JSON.stringify(receipts)}::json) as r(receipt text, count int)
      on conflict do nothing returning count
    ), counted as (select coalesce(sum(count), 0)::int as count from fresh)
    update book_variant v set stock = v.stock + c.count from counted c where v.no = ${no} returning c.count`.execute(tx)
  return rows[0]?.count ?? 0
}

export interface PublishedBook extends Omit<BookRow, 'rev' | 'at'> {
  at: number
}

/** Books as they were published: one, or with null all. */
export async function readPublished(db: Db, no: string | null): Promise<PublishedBook[]> {
  const { rows } = await sql<PublishedBook>`
    select b.no, b.title, b.author, b.kind, b.intro, b.details, b.pictures, b.directions, b.areas, b.withdrawn,
      b.published_at as at, (select json_agg(json_build_object('no', v.no, 'name', v.name, 'price', v.price, 'weight', v.weight,
        'gives', v.gives, 'receipts', (select coalesce(json_agg(json_build_object('receipt', r.receipt, 'count', r.count)
          order by r.at, r.receipt), '[]') from stock_receipt r where r.variant_no = v.no)) order by v.position, v.no)
        from book_variant v where v.book_no = b.no and not v.retired) as variants
    from book b where ${no === null ? sql`true` : sql`b.no = ${no}`} order by b.position, b.no`.execute(db)
  return rows
}
