import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { PRODUCT_NAME } from '#src/contract/config.ts'

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const SPELLINGS: Record<string, (name: string) => string> = {
  '/index.html': (name) => name.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? ''),
  '/manifest.webmanifest': (name) => JSON.stringify(name).slice(1, -1),
}

/**
 * The files of a build that say the product's name, by URL, with the operator's name in them; none when it is our own. The
 * worker holds the page and the manifest by their hashes, so these change in it: else devices would keep the old name.
 */
export async function renamedFiles(dist: string, name: string): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>()
  if (name === PRODUCT_NAME) return files
  const read = (url: string): Promise<string | null> => readFile(path.join(dist, url), 'utf8').catch(() => null)
  let worker = await read('/sw.js')
  for (const [url, spell] of Object.entries(SPELLINGS)) {
    const text = await read(url)
    if (text === null) continue
    const renamed = text.replaceAll(PRODUCT_NAME, () => spell(name))
    worker = worker?.replaceAll(md5(text), md5(renamed)) ?? null
    files.set(url, Buffer.from(renamed))
  }
  if (worker !== null) files.set('/sw.js', Buffer.from(worker))
  return files
}
