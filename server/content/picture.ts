import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { FileFault } from './draft.ts'

/** A picture of a file's own folder, or one that is among the media already. */
export interface PictureFile {
  /** By content hash, as it is served below /media/. */
  name: string
  bytes: Buffer
  /** In CSS px, so that its room is kept while it comes. */
  width: number
  height: number
}
type Size = Pick<PictureFile, 'width' | 'height'>

/** What the first bytes say that it is, whatever its name ends in, and how large. Null: no picture of that kind, or a broken one. */
const READERS: Record<string, (bytes: Buffer) => Size | null> = { png, jpg, webp, svg }

const HASHED = /^\/media\/[a-f0-9]{16,64}\.[a-z]{3,4}$/

/** @throws FileFault in Chinese when there is no such picture that every browser shows. */
export async function readPicture(source: string, folder: string, mediaDir: string): Promise<PictureFile> {
  const kept = HASHED.test(source)
  const root = path.resolve(folder)
  const at = kept ? path.join(mediaDir, path.basename(source)) : path.resolve(root, source)
  if (!kept && !at.startsWith(root + path.sep)) throw new FileFault(`图片要放在文件所在的文件夹里：${source}`)
  const ending = path.extname(at).slice(1).toLowerCase().replace('jpeg', 'jpg')
  const read = Object.hasOwn(READERS, ending) ? READERS[ending] : undefined
  if (!read) throw new FileFault(`图片只能是 SVG、PNG、JPG、WebP：${source}`)
  const bytes = await readFile(at).catch(() => null)
  if (!bytes) throw new FileFault(`找不到图片：${source}`)
  const size = read(bytes)
  if (!size || size.width < 1 || size.height < 1)
    throw new FileFault(`图片无法识别${ending === 'svg' ? '（SVG 要有 viewBox 或 width、height）' : ''}：${source}`)
  const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${ending}`
  return { name, bytes, ...size }
}

function png(bytes: Buffer): Size | null {
  if (bytes.length < 24 || bytes.toString('latin1', 0, 8) !== '\u0089PNG\r\n\u001A\n') return null
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Frame headers, as against tables (C4), arithmetic conditioning (CC) and what is reserved (C8). */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Its segments one after another, until the one that says its size. */
function jpg(bytes: Buffer): Size | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    if (isFrame(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    // Fill bytes may stand before a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

/** Of its three forms: lossy, lossless and extended. */
function webp(bytes: Buffer): Size | null {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return null
  const form = bytes.toString('latin1', 8, 16)
  if (form === 'WEBPVP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (form === 'WEBPVP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (form !== 'WEBPVP8L') return null
  const bits = bytes.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
}

/** By its viewBox, else by width and height in px. */
function svg(bytes: Buffer): Size | null {
  const [, attributes] = /<svg\b([^>]*)>/i.exec(bytes.toString('utf8')) ?? []
  if (attributes === undefined) return null
  const number = (name: string) =>
    Number(new RegExp(`\\b${name}\\s*=\\s*["']([\\d.]+)(?:px)?["']`).exec(attributes)?.[1])
  const [, , across = number('width'), down = number('height')] =
    /\bviewBox\s*=\s*["']([^"']*)["']/
      .exec(attributes)?.[1]
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? []
  return across > 0 && down > 0 ? { width: Math.round(across), height: Math.round(down) } : null
}
