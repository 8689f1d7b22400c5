import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { checkBooks, writeCheckedBooks } from '#server/content/bookFile.ts'
import { checkVip, writeCheckedVip } from '#server/content/vipFile.ts'
import type { Tx } from '#server/db/open.ts'

const FOLDER = path.join(import.meta.dirname, 'shop')

/** Every file that the sample shop is made of. */
export const shopFiles = async (): Promise<string[]> =>
  (await readdir(FOLDER)).sort().map((name) => path.join(FOLDER, name))

/** Sample books and VIP packages, published like an operator's files. */
export async function publishShop(tx: Tx, mediaDir: string): Promise<void> {
  const read = async (name: string) => {
    const file = path.join(FOLDER, name)
    return [file, JSON.parse(await readFile(file, 'utf8'))] as const
  }
  // First: an activation code in a book names a duration.
  await writeCheckedVip(tx, await checkVip(tx, ...(await read('vip.json'))))
  await writeCheckedBooks(tx, await checkBooks(tx, ...(await read('books.json'))), mediaDir, Date.now())
}
