import type { UploadKeys } from '#src/contract/config.ts'

/** How long temporary keys live: so long a signature may be used (spec.md §9), by the server's clock. */
export const KEY_SECONDS = 900

/** The key that stands in a path behind where the bucket is; null when it stands elsewhere or is no text. */
export function keyAt(path: string, bucket: string): string | null {
  if (!path.startsWith(bucket)) return null
  try {
    return decodeURIComponent(path.slice(bucket.length))
  } catch {
    return null
  }
}

/** A key as it stands in an address. Signs that are legal there and read as something else elsewhere, as in a header, are encoded, too. */
export const pathOf = (key: string): string => key.split('/').map(encoded).join('/')
const encoded = (name: string): string =>
  encodeURIComponent(name).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Where students' pictures are. They upload by themselves, with keys for nothing but their own prefix. */
export interface Storage {
  /** @param now epoch ms */
  issue: (owner: { uid: string; prefix: string }, now: number) => Promise<UploadKeys>
  /** The key at an address of this storage; null for every other address. */
  keyOf: (address: string) => string | null
  /** Where its files are besides this site, as `https://host`: nothing but these may a page show or send to. */
  origins: readonly string[]
  /** As our pages name it: a path of this site or an https address. */
  addressOf: (key: string) => string
  /** Whether a picture is there now. */
  holds: (key: string) => Promise<boolean>
  /** What nothing names any more. */
  remove: (key: string) => Promise<void>
  /** Finds what a student has there while they are known; resolves with the way to delete it once they are gone. */
  allOf: (uid: string) => Promise<() => Promise<void>>
}
