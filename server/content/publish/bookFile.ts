import { readShape } from '#server/content/formats/fileShape.ts'
import { hash } from 'node:crypto'
import path from 'node:path'
import * as v from 'valibot'
import { BookKind, type BookPicture } from '#src/contract/store.ts'
import { No } from '#src/contract/scalar.ts'
import type { Db, Tx } from '#server/db/open.ts'
import {
  type BookRow,
  type BooksWritten,
  type KnownVariant,
  readPublished,
  readVariants,
  type VariantRow,
  writeBooks,
} from '#server/store/store.ts'
import { readKnown } from '#server/vip/store.ts'
import type { Media } from '#server/content/media/arriving.ts'
import { faultless, type Finding, type Report } from '#server/content/draft.ts'
import { pictureFinder } from '#server/content/media/picture.ts'
import { Keys, line, Pixels, reportUsed, Title, Withdrawn } from './paperFile.ts'
import { sizeAmong } from '#server/content/media/pictureSize.ts'
import { richText } from '#server/content/formats/richText.ts'
import { judgeScopes } from '#server/content/bank/scope.ts'
import { Time, writeTime } from '#server/content/media/time.ts'

export const BOOKS_FORMAT = 'lijian-books/1'
const MOST_COPIES = 1_000_000

export const Fen = v.pipe(
  v.number('价格应为数字'),
  v.integer('价格的单位是分，应为整数'),
  v.minValue(1, '价格至少 1 分'),
  v.maxValue(100_000_000, '价格过大'),
)
const PictureFile = v.object({
  name: line('图片名称', 10),
  src: v.string(),
  width: v.optional(Pixels),
  height: v.optional(Pixels),
})
const ReceiptFile = v.object({
  receipt: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/, '入库单号用字母、数字、下划线、连字符，最长64')),
  count: v.pipe(
    v.number('册数应为数字'),
    v.integer('册数应为整数'),
    v.check((count) => count !== 0, '册数不能为 0'),
    v.minValue(-MOST_COPIES, '册数过大'),
    v.maxValue(MOST_COPIES, '册数过大'),
  ),
})
const VariantFile = v.object({
  no: No,
  name: line('规格名称', 20),
  price: Fen,
  weight: v.pipe(
    v.number('重量应为数字'),
    v.integer('重量的单位是克，应为整数'),
    v.minValue(1, '重量至少 1 克'),
    v.maxValue(100_000, '重量过大'),
  ),
  gives: v.optional(No),
  // A number would be put back by every later import of the same file, with all that was sold since.
  stock: v.optional(
    v.array(
      ReceiptFile,
      'stock 应为入库单的数组，如 [{ "receipt": "20261122-1", "count": 200 }]：库存不能直接写成数字',
    ),
    [],
  ),
})
const BookFile = v.object({
  no: No,
  title: Title,
  author: line('作者', 40),
  kind: BookKind,
  pictures: v.pipe(v.array(PictureFile), v.minLength(1, '至少要有一张封面'), v.maxLength(9, '图片最多9张')),
  intro: v.pipe(v.string(), v.trim(), v.nonEmpty('介绍不能为空')),
  details: v.optional(v.array(v.object({ name: line('名目', 8), value: line('内容', 40) })), []),
  directions: Keys,
  areas: Keys,
  publishedAt: v.optional(Time),
  withdrawn: Withdrawn,
  variants: v.pipe(v.array(VariantFile), v.minLength(1, '至少要有一个规格'), v.maxLength(20, '规格最多20个')),
})
type BookFile = v.InferOutput<typeof BookFile>
/** The project's own JSON of books (docs/import.md). */
const BooksFile = v.object({
  format: v.literal(BOOKS_FORMAT, `format 应为 "${BOOKS_FORMAT}"`),
  books: v.pipe(v.array(BookFile), v.minLength(1, '至少要有一本书')),
})
export type BooksFileInput = v.InferInput<typeof BooksFile>

export interface CheckedBooks {
  file: string
  /** Null when the file cannot be read as books. */
  books: BookRow[] | null
  media: Media
  total: number
  findings: Finding[]
}

/** Reads books and the pictures beside their file. @param copies of pictures that lay on other sites. */
export function readBooks(file: string, json: unknown, copies: ReadonlyMap<string, Buffer> = new Map()): CheckedBooks {
  const { said, findings } = readShape(BooksFile, file, json)
  const pictures = new Map(copies)
  const media = { files: pictures, lessons: [] }
  if (!said) return { file, books: null, media, total: 0, findings }
  const report: Report = (level, at, reason) => void findings.push({ file, at, level, reason })
  const around = { report, pictures, find: pictureFinder(path.dirname(file), pictures) }
  const books = said.books.map((book, b) => bookRow(book, `books[${b}]`, around))
  return { file, books, media, total: books.length, findings }
}

/** Judges books that were read against what the database holds, without changing anything. */
export async function judgeBooks(db: Db | Tx, read: CheckedBooks): Promise<CheckedBooks> {
  if (!read.books) return read
  const findings = [...read.findings]
  const report: Report = (level, at, reason) => void findings.push({ file: read.file, at, level, reason })
  const numbers = read.books.flatMap(({ no, variants }, b) => [
    { no, at: `books[${b}].no` },
    ...variants.map((variant, i) => ({ no: variant.no, at: `books[${b}].variants[${i}].no` })),
  ])
  await reportUsed(db, 'book', numbers, report)
  await judgeScopes(
    db,
    read.books.map(({ directions, areas }, b) => ({ at: `books[${b}]`, directions, areas })),
    report,
  )
  const known = await readVariants(
    db,
    numbers.map(({ no }) => no),
  )
  const given = read.books.flatMap(({ variants }) => variants.flatMap(({ gives }) => (gives === null ? [] : [gives])))
  const durations = (await readKnown(db, given)).packageOf
  for (const [b, { no, variants }] of read.books.entries())
    for (const [i, variant] of variants.entries())
      judgeVariant(no, variant, `books[${b}].variants[${i}]`, { report, known, durations })
  return { ...read, findings }
}

interface Around {
  report: Report
  find: (source: string) => string | null
  /** What `find` has found. */
  pictures: ReadonlyMap<string, Buffer>
}

function bookRow({ intro, publishedAt, pictures, variants, ...book }: BookFile, at: string, around: Around): BookRow {
  const { html, warnings } = richText(intro, around.find)
  for (const warning of new Set(warnings))
    around.report(warning.startsWith('图片') ? 'fault' : 'warning', `${at}.intro`, warning)
  const row = {
    ...book,
    intro: html,
    at: publishedAt ?? null,
    pictures: pictures.flatMap((picture, i) => pictureOf(picture, `${at}.pictures[${i}]`, around)),
    variants: variants.map(({ stock, gives, ...variant }) => ({ ...variant, gives: gives ?? null, receipts: stock })),
  }
  // Of what came in each receipt remembers by itself whether it was counted.
  const said = { ...row, variants: row.variants.map((variant) => ({ ...variant, receipts: [] })) }
  return { ...row, rev: hash('sha256', JSON.stringify(said), 'base64url').slice(0, 10) }
}

function pictureOf(
  { name, src: source, width, height }: BookFile['pictures'][number],
  at: string,
  { find, pictures, report }: Around,
): BookPicture[] {
  const src = find(source)
  if (src === null) {
    report('fault', at, `图片不可用：${source.slice(0, 80)}`)
    return []
  }
  const size = width && height ? { width, height } : sizeAmong(pictures, src)
  if (!size) report('fault', at, `图片 ${source.slice(0, 80)} 读不出大小，请写明 width 和 height`)
  return size ? [{ name, src, width: size.width, height: size.height }] : []
}

interface Stored {
  report: Report
  known: ReadonlyMap<string, KnownVariant>
  durations: ReadonlyMap<string, string>
}
function judgeVariant(book: string, { no, gives, receipts }: VariantRow, at: string, stored: Stored): void {
  const { report, known, durations } = stored
  const before = known.get(no)
  if (before && before.book !== book) report('fault', `${at}.no`, `规格编号 ${no} 已被图书 ${before.book} 使用`)
  if (gives !== null && !durations.has(gives))
    report('fault', `${at}.gives`, `会员时长 ${gives} 不存在，请先导入会员文件`)
  judgeReceipts(receipts, before, `${at}.stock`, report)
}

/** A receipt counts once and cannot be changed; what goes out must have been there. */
function judgeReceipts(
  stock: VariantRow['receipts'],
  before: KnownVariant | undefined,
  at: string,
  report: Report,
): void {
  const counted = new Map(before?.receipts.map(({ receipt, count }) => [receipt, count]))
  const named = new Set<string>()
  let left = before?.stock ?? 0
  for (const [i, { receipt, count }] of stock.entries()) {
    const was = counted.get(receipt)
    if (named.has(receipt)) report('fault', `${at}[${i}]`, `入库单 ${receipt} 写了两次`)
    else if (was === undefined) left += count
    else if (was !== count)
      report('fault', `${at}[${i}]`, `入库单 ${receipt} 已按 ${was} 册入账，不能改成 ${count} 册；差额请另写一单`)
    named.add(receipt)
  }
  if (left < 0) report('fault', at, `出库比库存多 ${-left} 册：现有 ${before?.stock ?? 0} 册`)
  if (left > MOST_COPIES) report('fault', at, `库存过大：${left} 册`)
}

/** Publishes checked books, all or nothing. @throws FileFault when they have faults. */
export const writeCheckedBooks = (tx: Tx, checked: CheckedBooks, now: number): Promise<BooksWritten> =>
  writeBooks(tx, faultless(checked, checked.books), now)

/** All books, in the operator's commands. */
const ALL_BOOKS = 'books'

/** Published books as the file that would publish them again: one, or all. */
export async function exportBooks(db: Db, no: string): Promise<BooksFileInput | null> {
  const books = await readPublished(db, no === ALL_BOOKS ? null : no)
  if (books.length === 0) return null
  return {
    format: BOOKS_FORMAT,
    books: books.map(({ at, variants, ...book }) => ({
      ...book,
      publishedAt: writeTime(at),
      variants: variants.map(({ gives, receipts, ...variant }) => ({
        ...variant,
        ...(gives !== null && { gives }),
        stock: receipts,
      })),
    })),
  }
}
