/** Bytes. A document is in memory while it is read, next to its pictures: a small phone has no room for more. */
export const LARGEST_DOCUMENT = 30 * 1024 * 1024

/** Where documents may come from. */
export interface DocumentSites {
  /** Of this page, as the browser says it. */
  origin: string
  /** Of the bucket the operator keeps files in, as `https://host`; empty: there is none. */
  bucket: string
}
/** foreign: of somebody else, or what is not even an address; not-document: of this site, but no PDF file. */
export type DocumentUrl =
  | { open: true; address: string; fileName: string }
  | { open: false; why: 'foreign' | 'not-document' }

/** What the server serves under /media/: one plain name, nothing that could be read in two ways. */
const SITE_FILE = /^\/media\/[A-Za-z0-9_-]{1,128}\.pdf$/
/** Folders and a file of a bucket. `%` stands for a byte of a character's UTF-8 only: never for a sign that means something. */
const BUCKET_FILE = /^(?:\/(?!\.)(?:[A-Za-z0-9._~-]|%[89A-F][0-9A-F])+)+\.pdf$/
const LONGEST = 2048
const FOREIGN: DocumentUrl = { open: false, why: 'foreign' }
const NOT_DOCUMENT: DocumentUrl = { open: false, why: 'not-document' }

/**
 * Decides whether an address that came in a link may be opened as a document. Only a file of this site (its path, or its whole
 * https address) and of its bucket is: anything else would show a stranger's file under our name, or hand our page a script. What
 * may pass is listed letter by letter, so that no parser after this one can read the address in another way.
 *
 * @param text as the link has it, decoded once.
 */
export function documentUrl(text: string, { origin, bucket }: DocumentSites): DocumentUrl {
  if (text.length > LONGEST || text.includes('\\') || text.startsWith('//')) return FOREIGN
  const path = text.startsWith('/') ? text : pathOn(origin, text)
  if (path !== null) return SITE_FILE.test(path) ? found(path, path) : NOT_DOCUMENT
  const key = pathOn(bucket, text)
  if (key !== null) return BUCKET_FILE.test(key) && isReadable(key) ? found(text, key) : NOT_DOCUMENT
  return FOREIGN
}

/** What follows the site's name; null for another site, for a name that only begins alike, and for anything but https. */
const pathOn = (site: string, text: string): string | null =>
  site.startsWith('https://') && text.startsWith(`${site}/`) ? text.slice(site.length) : null

const found = (address: string, path: string): DocumentUrl => ({
  open: true,
  address,
  fileName: decodeURIComponent(path.slice(path.lastIndexOf('/') + 1)),
})

function isReadable(key: string): boolean {
  try {
    return decodeURIComponent(key) !== ''
  } catch {
    return false
  }
}
