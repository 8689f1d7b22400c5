import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { BooksFileInput } from '#server/content/publish/bookFile.ts'
import type { VipFileInput } from '#server/content/publish/vipFile.ts'
import type { BooksWritten } from '#server/store/store.ts'
import type { VipWritten } from '#server/vip/store.ts'
import { publishJson } from './publish.ts'
import type { TestServer } from './server.ts'

type BookInput = BooksFileInput['books'][number]
type PackageInput = NonNullable<VipFileInput['packages']>[number]

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 800"/>'
const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-shop-'))
writeFileSync(path.join(folder, 'cover.svg'), SVG)
writeFileSync(path.join(folder, 'inside.svg'), SVG.replace('600', '300').replace('800', '400'))
/** A file that has pictures beside it. */
export const shopFile = path.join(folder, 'books.json')

type VariantInput = BookInput['variants'][number]
export const variantJson = (no: string, over: Partial<VariantInput> = {}): VariantInput => ({
  no,
  name: '平装',
  price: 2600,
  weight: 260,
  ...over,
})
/** A book of one variant with so many copies, by one receipt. */
export const bookJson = (no: string, copies: number, over: Partial<BookInput> = {}): BookInput => ({
  no,
  title: `${no} 手册`,
  author: '本站自编',
  kind: 'handbook',
  pictures: [
    { name: '封面', src: 'cover.svg' },
    { name: '目录', src: 'inside.svg' },
  ],
  intro: '<p>按考点编排。</p>',
  details: [{ name: '页数', value: '208 页' }],
  publishedAt: '2026-09-01 09:00',
  variants: [variantJson(`${no}_1`, { stock: copies === 0 ? [] : [{ receipt: 'R1', count: copies }] })],
  ...over,
})
export const booksJson = (...books: BookInput[]): BooksFileInput => ({ format: 'lijian-books/1', books })

export const packageJson = (no: string, over: Partial<PackageInput> = {}): PackageInput => ({
  no,
  title: `${no}会员`,
  summary: '题集整套可做',
  intro: '<p>适合每天做题的同学。</p>',
  features: { F_set: true },
  unlocks: [{ kind: 'set' }],
  durations: [
    { no: `${no}_month`, name: '月卡', days: 30, price: 1990 },
    { no: `${no}_exam`, name: '到考', days: 'exam', price: 12_800 },
  ],
  ...over,
})
export const vipJson = (...packages: PackageInput[]): VipFileInput => ({
  format: 'lijian-vip/1',
  features: [
    { no: 'F_practice', name: '章节练习', free: true },
    { no: 'F_set', name: 'VIP 题集', free: '试做10题' },
  ],
  packages,
})

type Target = Pick<TestServer, 'db' | 'mediaDir' | 'clock'>
/** Publishes the way an operator does. */
export const publishBooks = async (server: Target, json: unknown): Promise<BooksWritten> =>
  (await publishJson(server, 'book', json, shopFile)) as BooksWritten
export const publishVip = async (server: Target, json: unknown): Promise<VipWritten> =>
  (await publishJson(server, 'vip', json, 'vip.json')) as VipWritten

/** As an order will: the right to a package until then, epoch ms. */
export const giveVip = async (
  { db }: Pick<TestServer, 'db'>,
  uid: string,
  no: string,
  until: number,
): Promise<void> => {
  await db
    .insertInto('entitlement')
    .values({ uid, kind: 'vip', no, until })
    .onConflict((c) => c.columns(['uid', 'kind', 'no']).doUpdateSet({ until }))
    .execute()
}
/** As an order will: so many copies go. */
export const sell = async ({ db }: Pick<TestServer, 'db'>, no: string, copies: number): Promise<void> => {
  await db
    .updateTable('book_variant')
    .set((eb) => ({ stock: eb('stock', '-', copies), sold: eb('sold', '+', copies) }))
    .where('no', '=', no)
    .execute()
}
