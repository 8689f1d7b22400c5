import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** The ways in which a file travels, by its name in `content-encoding`; null where compressing it gains nothing. */
export interface Encodings {
  br: Buffer | null
  gzip: Buffer | null
}

const COMPRESSIBLE = new Set(['.html', '.js', '.css', '.json', '.webmanifest', '.svg', '.txt', '.wasm'])
/** The folder of a build that holds its compressed files, named by the hash of their content. */
export const COMPRESSED = 'compressed'

export const isCompressible = (name: string, plain: Buffer): boolean =>
  COMPRESSIBLE.has(path.extname(name)) && plain.length >= 512

export const contentHash = (plain: Buffer): string =>
  createHash('sha256').update(plain).digest('base64url').slice(0, 22)

/** Compresses as small as it goes, which takes about a second for a megabyte. */
export const compressBest = async (plain: Buffer): Promise<{ br: Buffer; gzip: Buffer }> => ({
  br: await brotli(plain, 11),
  gzip: await promisify(gzip)(plain, { level: 9 }),
})

/**
 * Reads what the build has compressed (tools/compressed.ts), which is found by content: a file that was changed afterwards, or is of
 * an earlier release, is compressed here, at once and nearly as small.
 */
export async function encodingsOf(dist: string, name: string, plain: Buffer): Promise<Encodings> {
  if (!isCompressible(name, plain)) return { br: null, gzip: null }
  const hash = contentHash(plain)
  const made = (ending: string) => readFile(path.join(dist, COMPRESSED, hash + ending)).catch(() => null)
  return {
    br: (await made('.br')) ?? (await brotli(plain, 9)),
    gzip: (await made('.gz')) ?? (await promisify(gzip)(plain, { level: 9 })),
  }
}

const brotli = (plain: Buffer, quality: number): Promise<Buffer> =>
  promisify(brotliCompress)(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  })
