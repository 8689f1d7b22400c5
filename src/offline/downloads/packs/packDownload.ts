import { OfflineError } from '#src/api/errors.ts'
import { BUNDLE, type Pack, type PackedBlock, type Picture } from '#src/contract/question.ts'
import { PACK_IMAGES } from '#src/offline/device/names.ts'
import { isPending, type PackRow } from './pack.ts'
import type { PackStore } from './packStore.ts'
import { DamagedError, GoneError } from '../downloadErrors.ts'

export interface DownloadParts {
  store: PackStore
  manifest: (no: string, signal: AbortSignal) => Promise<Pack>
  blocks: (list: Pack['blocks'], signal: AbortSignal) => Promise<PackedBlock[]>
  fetch: (src: string, signal: AbortSignal) => Promise<Response>
  /** Brings the font of formulae, once there are some. A download neither waits for it nor fails with it. */
  fetchFont: () => void
  /** Throws when the network at hand may not be used. */
  mayFetch: (row: PackRow) => void
  /** 0 ≤ part ≤ 1, of all bytes. */
  onProgress: (part: number) => void
}

const PICTURES_AT_ONCE = 4
/** The first asks which version there is, where that is not known. */
const VERSIONS = 4

/** The hash that the server took of the same text at import (server/content/bank/store.ts). */
async function revOf(json: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(json))
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest, 0, 9)))
  return base64.slice(0, 10).replaceAll('+', '-').replaceAll('/', '_')
}
const isWhole = async ({ json, rev }: PackedBlock): Promise<boolean> => (await revOf(json)) === rev

/**
 * One attempt at what `begin` has put down: fetches what is missing, verifies it, swaps it in. Whatever ends it, what was
 * verified is on the device, and the next attempt goes on from there.
 */
export async function download(no: string, parts: DownloadParts, signal: AbortSignal): Promise<PackRow> {
  for (let version = 0; version < VERSIONS; version++) {
    const row = await parts.store.get(no)
    // Another tab has finished it.
    if (row?.ready && !row.next) return row
    if (!row || !isPending(row)) throw new GoneError()
    const current = row.next && (await fetchBlocks(row, row.next, parts, signal)) && (await parts.store.swap(no))
    const done = current ? await parts.store.get(no) : undefined
    if (done) return done
    // No version was asked for yet, or the server has a newer one by now.
    parts.mayFetch(row)
    const newest = await parts.manifest(no, signal)
    signal.throwIfAborted()
    await parts.store.begin(newest, row)
  }
  throw new DamagedError()
}

/** False when the server no longer has this version. */
async function fetchBlocks(row: PackRow, next: Pack, parts: DownloadParts, signal: AbortSignal): Promise<boolean> {
  const pictures = row.withoutPictures ? [] : next.pictures
  const progress = createProgress(next, pictures, parts.onProgress)
  let missing = await parts.store.missing(next)
  progress.blocks(missing)
  while (missing.length > 0) {
    parts.mayFetch(row)
    const asked = missing.slice(0, BUNDLE)
    const got = await parts.blocks(asked, signal)
    signal.throwIfAborted()
    if (got.length < asked.length) return false
    const whole = await filtered(got, isWhole)
    if (whole.some(({ json }) => json.includes('<math'))) parts.fetchFont()
    if (whole.length > 0) await parts.store.keep(row.libraryNo, whole)
    // What is damaged is asked for again, later: the line may be at fault.
    if (whole.length < got.length) throw new DamagedError()
    missing = missing.slice(asked.length)
    progress.blocks(missing)
  }
  await fetchPictures(row, pictures, parts, progress.picture, signal)
  return true
}

async function filtered<T>(list: readonly T[], is: (each: T) => Promise<boolean>): Promise<T[]> {
  const good = await Promise.all(list.map(is))
  return list.filter((_, i) => good[i])
}

/** How much of the version under way is on this device: 0 … 1, of all bytes. */
export async function shareOf(no: string, store: PackStore): Promise<number> {
  const row = await store.get(no)
  if (!row?.next) return 0
  let share = 0
  const pictures = row.withoutPictures ? [] : row.next.pictures
  const progress = createProgress(row.next, pictures, (part) => (share = part))
  progress.blocks(await store.missing(row.next))
  if (pictures.length === 0 || typeof caches === 'undefined') return share
  const cache = await caches.open(PACK_IMAGES)
  for (const picture of pictures) if (await cache.match(picture.src)) progress.picture(picture)
  return share
}

function createProgress(next: Pack, pictures: readonly Picture[], tell: (part: number) => void) {
  const sum = (list: readonly { bytes: number }[]) => list.reduce((all, { bytes }) => all + bytes, 0)
  const raw = sum(next.blocks)
  const all = next.bytes + sum(pictures)
  let blocks = 0
  let pictured = 0
  const say = () => tell(all > 0 ? Math.min(1, (blocks + pictured) / all) : 1)
  return {
    blocks: (missing: readonly { bytes: number }[]): void => {
      blocks = raw > 0 ? next.bytes * (1 - sum(missing) / raw) : next.bytes
      say()
    },
    picture: ({ bytes }: Picture): void => {
      pictured += bytes
      say()
    },
  }
}

async function fetchPictures(
  row: PackRow,
  pictures: readonly Picture[],
  parts: DownloadParts,
  onKept: (picture: Picture) => void,
  signal: AbortSignal,
): Promise<void> {
  if (pictures.length === 0 || typeof caches === 'undefined') return
  const cache = await caches.open(PACK_IMAGES)
  const keep = async (picture: Picture) => {
    const kept = await cache.match(picture.src)
    const fetched = kept ?? (await pictureOf(picture.src, parts, signal))
    if (!kept && fetched) await cache.put(picture.src, fetched)
    onKept(picture)
  }
  for (let from = 0; from < pictures.length; from += PICTURES_AT_ONCE) {
    parts.mayFetch(row)
    await Promise.all(pictures.slice(from, from + PICTURES_AT_ONCE).map(keep))
    signal.throwIfAborted()
  }
}

/** Named by the hash of its bytes, so verified by its name. Null when the server has it no longer: the texts are still good. */
export async function pictureOf(
  src: string,
  { fetch }: Pick<DownloadParts, 'fetch'>,
  signal: AbortSignal,
): Promise<Response | null> {
  const response = await fetch(src, signal).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new OfflineError('网络不可用', { cause })
  })
  if (response.status === 404) return null
  const bytes = await response.arrayBuffer().catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new OfflineError('网络不可用', { cause })
  })
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const name = src.slice(src.lastIndexOf('/') + 1).split('.')[0] ?? '-'
  if (!hex.startsWith(name)) throw new DamagedError()
  return new Response(bytes, { headers: { 'content-type': response.headers.get('content-type') ?? '' } })
}
