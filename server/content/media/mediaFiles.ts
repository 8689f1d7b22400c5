import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** The place of a file that another one names beside itself or below; null when it leads elsewhere. */
export function besides(folder: string, name: string): string | null {
  const at = path.resolve(folder, name)
  return at.startsWith(path.resolve(folder) + path.sep) ? at : null
}

/** A file's name as an address writes it (`a%20b.png`); the same where it is none. */
export function decodedName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The public name of a file of ours: the hash of its bytes. */
export const hashedName = (bytes: Buffer, ending: string): string =>
  `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${ending}`

/** Pictures and documents by their hashed names; each appears whole, also where it is read at this moment. */
export async function storeFiles(mediaDir: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  await mkdir(mediaDir, { recursive: true })
  for (const [name, bytes] of files) {
    const coming = path.join(mediaDir, `.${name}.${randomUUID()}`)
    try {
      await writeFile(coming, bytes)
      await rename(coming, path.join(mediaDir, name))
    } finally {
      await rm(coming, { force: true })
    }
  }
}
