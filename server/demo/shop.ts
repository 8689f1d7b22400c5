import { readdir } from 'node:fs/promises'
import path from 'node:path'

const FOLDER = path.join(import.meta.dirname, 'shop')
export const VIP = path.join(FOLDER, 'vip.json')
export const BOOKS = path.join(FOLDER, 'books.json')

/** Every file that the sample shop is made of. */
export const shopFiles = async (): Promise<string[]> =>
  (await readdir(FOLDER)).sort().map((name) => path.join(FOLDER, name))
