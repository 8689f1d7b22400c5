import type { Buffer } from 'node:buffer'
import path from 'node:path'

export interface Size {
  width: number
  height: number
}

/**
 * The size of a picture in CSS px, from its file: of the types that media.ts serves.
 * @returns null for what is damaged, or an SVG that names neither its size nor its viewBox
 */
export function pictureSize(bytes: Buffer, ending: string): Size | null {
  const size = READERS[ending]?.(bytes) ?? null
  return size && size.width > 0 && size.height > 0 ? size : null
}

/** A browser makes room for every point that a picture claims to have, four bytes each: more is no picture but an attack. */
export const MOST_PIXELS = 40_000_000

/** Tells by its bytes which kind of picture this is, whatever it is called; null where it is none that we know. */
export const endingOf = (bytes: Buffer): string | null =>
  Object.keys(READERS).find((ending) => pictureSize(bytes, ending) !== null) ?? null

/** Whether it claims so many points that showing it harms. An SVG has none; how large that is matters where it stands. */
export function isHuge(bytes: Buffer): boolean {
  const ending = endingOf(bytes)
  const size = ending === null || ending === 'svg' ? null : pictureSize(bytes, ending)
  return size !== null && size.width * size.height > MOST_PIXELS
}

/** Of one of the pictures that were found beside a file, by its address; null also when it is none of them. */
export function sizeAmong(pictures: ReadonlyMap<string, Buffer>, src: string): Size | null {
  const name = path.basename(src)
  const bytes = pictures.get(name)
  return bytes ? pictureSize(bytes, path.extname(name).slice(1)) : null
}

/** What says how large an SVG is stands at its start. */
const SVG_HEAD = 65_536

const READERS: Record<string, (bytes: Buffer) => Size | null> = {
  svg: sizeOfSvg,
  png: sizeOfPng,
  jpg: sizeOfJpg,
  gif: sizeOfGif,
  webp: sizeOfWebp,
}

function sizeOfSvg(bytes: Buffer): Size | null {
  const [tag = ''] = /<svg\b[^>]*>/i.exec(bytes.toString('utf8', 0, SVG_HEAD)) ?? []
  const length = (name: string) => Number(new RegExp(`\\s${name}\\s*=\\s*["']([\\d.]+)(?:px)?["']`).exec(tag)?.[1])
  const box = /\sviewBox\s*=\s*["']([^"']+)["']/
    .exec(tag)?.[1]
    ?.trim()
    .split(/[\s,]+/)
    .map(Number)
  const width = Math.round(length('width') || (box?.[2] ?? 0))
  const height = Math.round(length('height') || (box?.[3] ?? 0))
  return Number.isFinite(width) && Number.isFinite(height) ? { width, height } : null
}

const PNG = '\x89PNG\r\n\x1a\n'
function sizeOfPng(bytes: Buffer): Size | null {
  if (bytes.length < 24 || bytes.toString('latin1', 0, 8) !== PNG) return null
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Segment after segment up to the one that says how large the picture is. */
function sizeOfJpg(bytes: Buffer): Size | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff_d8) return null
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    // Start of frame, but not the tables of Huffman and arithmetic coding, which lie among them.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

/** Block after block up to the first frame: where that one reaches beyond the screen, browsers make the picture as large. */
function sizeOfGif(bytes: Buffer): Size | null {
  if (bytes.length < 13 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return null
  let at = 13 + gifColours(bytes[10] ?? 0)
  while (bytes[at] === 0x21) {
    at += 2
    for (let length = bytes[at]; length !== 0; length = bytes[at]) {
      if (length === undefined) return null
      at += 1 + length
    }
    at++
  }
  if (bytes[at] !== 0x2c || bytes.length < at + 10) return null
  const reach = (from: number) => bytes.readUInt16LE(at + from) + bytes.readUInt16LE(at + from + 4)
  return { width: Math.max(bytes.readUInt16LE(6), reach(1)), height: Math.max(bytes.readUInt16LE(8), reach(3)) }
}

/** How many bytes the table of colours takes that those flags tell of. */
const gifColours = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

function sizeOfWebp(bytes: Buffer): Size | null {
  if (bytes.length < 30 || bytes.toString('latin1', 8, 12) !== 'WEBP') return null
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8L') {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3f_ff) + 1, height: ((bits >> 14) & 0x3f_ff) + 1 }
  }
  return kind === 'VP8 ' ? { width: bytes.readUInt16LE(26) & 0x3f_ff, height: bytes.readUInt16LE(28) & 0x3f_ff } : null
}
