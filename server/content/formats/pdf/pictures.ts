import { createHash } from 'node:crypto'
import sharp from 'sharp'
import type { Painted } from './drawn.ts'
import { heightOf, type Picture, widthOf } from './page.ts'

/** A picture as pdf.js decodes it. */
interface Decoded {
  width: number
  height: number
  /** ImageKind of pdf.js: one bit, three bytes or four bytes for each pixel. */
  kind?: number
  data: Uint8Array | Uint8ClampedArray | null
}
const BITS = 1
const RGB = 2

/** Points. Less is a dot, or a line. */
const LEAST = 4
/** Pixels for each point: what is finer only takes longer to load. */
const FINEST = 4
/** Bytes of a picture that is better kept as a photograph. */
const PHOTOGRAPH = 150_000

/** Gets what a page has under a name. */
export type Find = (name: string) => Promise<unknown>

/** Makes a file of a picture as it is seen: what was cropped away could hold an answer. */
export async function pictureOf(
  painted: Painted,
  find: Find,
): Promise<{ picture: Picture; bytes: Buffer | null } | null> {
  const { seen } = painted
  if (Math.min(widthOf(seen), heightOf(seen)) < LEAST) return null
  const bytes = painted.isTurned ? null : await fileOf(painted, find).catch(() => null)
  const name =
    bytes && `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${isPng(bytes) ? 'png' : 'webp'}`
  return { picture: { ...seen, name }, bytes }
}
const isPng = (bytes: Buffer): boolean => bytes[0] === 0x89

async function fileOf(painted: Painted, find: Find): Promise<Buffer | null> {
  const pixels = await pixelsOf(painted.source, find)
  if (!pixels) return null
  const { width, height, channels, data } = pixels
  const upright = sharp(Buffer.from(data.buffer, data.byteOffset, data.byteLength), {
    raw: { width, height, channels },
  })
  if (painted.isFlipped) upright.flip()
  if (painted.isMirrored) upright.flop()
  const file = sharp(await upright.png().toBuffer())
  const part = partOf(painted, width, height)
  if (part) file.extract(part)
  file.resize({ width: Math.ceil(widthOf(painted.seen) * FINEST), withoutEnlargement: true })
  const png = await file.png({ compressionLevel: 9 }).toBuffer()
  return png.length < PHOTOGRAPH ? png : file.webp({ quality: 85 }).toBuffer()
}

/** Null: all of it is seen. */
function partOf(painted: Painted, width: number, height: number) {
  const { seen } = painted
  const [x, y] = [width / widthOf(painted), height / heightOf(painted)]
  const left = Math.round((seen.left - painted.left) * x)
  const top = Math.round((seen.top - painted.top) * y)
  const part = {
    left,
    top,
    width: Math.max(1, Math.min(width - left, Math.round(widthOf(seen) * x))),
    height: Math.max(1, Math.min(height - top, Math.round(heightOf(seen) * y))),
  }
  return part.width === width && part.height === height ? null : part
}

interface Pixels {
  width: number
  height: number
  channels: 1 | 3 | 4
  data: Uint8Array
}
async function pixelsOf(source: unknown, find: Find): Promise<Pixels | null> {
  if (typeof source === 'string') return pixelsOf(await find(source), find)
  if (typeof source !== 'object' || source === null) return null
  if ('mask' in source) {
    const mask = source.mask as Decoded | null
    const named: unknown = mask && typeof mask.data === 'string' ? await find(mask.data) : mask
    const decoded = named as Decoded | null
    return decoded?.data ? bitsOf({ ...decoded, width: mask?.width ?? 0, height: mask?.height ?? 0 }) : null
  }
  const decoded = source as Decoded
  if (!decoded.data) return null
  if (decoded.kind === BITS) return bitsOf(decoded)
  const { width, height } = decoded
  const channels = decoded.kind === RGB ? 3 : 4
  return { width, height, channels, data: new Uint8Array(decoded.data) }
}

/** One bit a pixel, in rows of whole bytes: 0 is black, of a mask too. */
function bitsOf({ width, height, data }: Decoded): Pixels {
  const row = Math.ceil(width / 8)
  const grey = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const bit = ((data?.[y * row + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1
      grey[y * width + x] = bit === 0 ? 0 : 255
    }
  return { width, height, channels: 1, data: grey }
}
