import { Buffer } from 'node:buffer'
import { hashedName } from './mediaFiles.ts'
import { endingOf, isHuge } from './pictureSize.ts'

/** A picture that takes longer, or has more bytes, is left where it is. */
const MOST_MS = 15_000
const MOST_BYTES = 10_000_000
const AT_ONCE = 6

const TAG = /(<img\b[^>]*?\bsrc\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi
const MARKDOWN = /(!\[[^\]\n]*\]\()([^\s(),\]]+)(?=\))/g
/** Fields of the project's own JSON that are an address and nothing else. */
const ADDRESS_FIELDS = new Set(['cover', 'src'])
const FOREIGN = /^(?:https?:)?\/\/[^/\s]/i

/**
 * Pictures that texts name on other sites, copied: whoever opens a question tells nobody else that they do, and it is there without
 * a network.
 */
export class ForeignPictures {
  /** They stand under the address as the file writes it; null says that no picture can be had there. */
  private readonly copies = new Map<string, string | null>()
  private readonly found: { set: (name: string, bytes: Buffer) => unknown }

  /** @param found gets the copies, by their public names. */
  constructor(found: { set: (name: string, bytes: Buffer) => unknown }) {
    this.found = found
  }

  /** The value with each such address made one of ours. What cannot be had keeps its own, which no text may show (picture.ts). */
  async localised<T>(value: T): Promise<T> {
    const wanted = new Set<string>()
    mapStrings(value, (text, field) => replaced(text, field, (address) => void wanted.add(address)))
    const missing = [...wanted].filter((address) => !this.copies.has(address))
    if (wanted.size === 0) return value
    for (let i = 0; i < missing.length; i += AT_ONCE)
      await Promise.all(missing.slice(i, i + AT_ONCE).map((address) => this.copy(address)))
    return mapStrings(value, (text, field) => replaced(text, field, (address) => this.copies.get(address))) as T
  }

  private async copy(address: string): Promise<void> {
    const bytes = await fetched(address).catch(() => null)
    const ending = bytes && !isHuge(bytes) && endingOf(bytes)
    if (!ending) return void this.copies.set(address, null)
    const name = hashedName(bytes, ending)
    this.found.set(name, bytes)
    this.copies.set(address, `/media/${name}`)
  }
}

/** @param change what takes the place of an address on another site; nothing leaves it. */
function replaced(text: string, field: string, change: (address: string) => string | null | undefined | void): string {
  if (!text.includes('//')) return text
  const other = (address: string) => (FOREIGN.test(address) && change(address.replaceAll('&amp;', '&'))) || address
  if (ADDRESS_FIELDS.has(field)) return other(text)
  return text
    .replaceAll(TAG, (_, head: string, a?: string, b?: string, c?: string) => `${head}"${other(a ?? b ?? c ?? '')}"`)
    .replaceAll(MARKDOWN, (_, head: string, address: string) => head + other(address))
}

/** A copy of JSON, or of what a reader made of a file, with its strings changed. */
function mapStrings(value: unknown, change: (text: string, field: string) => string, field = ''): unknown {
  if (typeof value === 'string') return change(value, field)
  if (Array.isArray(value)) return value.map((each) => mapStrings(each, change, field))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapStrings(each, change, key)]))
}

/** @throws Error when it does not answer in time, with what is no success, or with too much. */
async function fetched(address: string): Promise<Buffer> {
  const url = address.startsWith('//') ? `https:${address}` : address
  const answer = await fetch(url, { signal: AbortSignal.timeout(MOST_MS), headers: { accept: 'image/*' } })
  if (!answer.ok || !answer.body) throw new Error(`${answer.status} ${url}`)
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of answer.body) {
    size += piece.length
    if (size > MOST_BYTES) throw new Error(`over ${MOST_BYTES} bytes: ${url}`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
