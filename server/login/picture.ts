import { randomInt } from 'node:crypto'
import sharp from 'sharp'
import svgCaptcha from 'svg-captcha'

/** Sizes are in px; the dialog shows it smaller, for sharp screens. */
const WIDTH = 240
const HEIGHT = 88
/** These stay themselves when they are bent, and when they are read as small or large. */
const LETTERS = 'ABCDEFHKMNPRWXYabdefhkmnprwxy34678'
const LENGTH = 4
const DRAWING = { noise: 1, color: false, width: 120, height: 44 }
/** Of 10,000 points so many are turned dark or light. */
const SPECKLES = 120

export interface Picture {
  /** What is to be typed, in small letters. */
  text: string
  png: Buffer
}

export async function drawPicture(): Promise<Picture> {
  const text = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)] ?? '').join('')
  return { text: text.toLowerCase(), png: await drawText(text) }
}

/** The library's types know only how it draws a text that it has chosen itself, without care. */
function draw(text: string): string {
  const library: unknown = svgCaptcha
  const drawn: unknown = typeof library === 'function' ? Reflect.apply(library, null, [text, DRAWING]) : null
  if (typeof drawn !== 'string') throw new Error('svg-captcha draws no given text any more')
  return drawn
}

/**
 * A text as points, bent and crossed by a line: a drawing would hold the outlines of its letters, by which a script of twenty lines
 * reads every one.
 */
export async function drawText(text: string): Promise<Buffer> {
  const drawn = await sharp(Buffer.from(draw(text)), { density: 144 })
    .resize(WIDTH, HEIGHT, { fit: 'fill' })
    .flatten({ background: 'white' })
    .greyscale()
    .raw()
    .toBuffer()
  return sharp(speckled(bend(drawn)), { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
    .png({ colours: 8, compressionLevel: 9 })
    .toBuffer()
}

const between = (from: number, to: number): number => from + ((to - from) * randomInt(1_000_000)) / 1_000_000

/** A wave along a line: how far a point of it is moved, in px. */
function wave(height: number, length: number): (at: number) => number {
  const [phase, size, period] = [between(0, 2 * Math.PI), between(0.7, 1) * height, between(0.7, 1.3) * length]
  return (at) => size * Math.sin((2 * Math.PI * at) / period + phase)
}

/** Each point of the new picture comes from a place nearby; each picture is bent in its own way. */
function bend(from: Uint8Array): Uint8Array {
  const across = [wave(4, 70), wave(1, 20)]
  const down = [wave(5, 90), wave(1.5, 30)]
  const moved = (waves: readonly ((at: number) => number)[], at: number) =>
    Math.round(waves.reduce((sum, each) => sum + each(at), 0))
  const to = new Uint8Array(from.length)
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const [sx, sy] = [x + moved(across, y), y + moved(down, x)]
      const isInside = sx >= 0 && sx < WIDTH && sy >= 0 && sy < HEIGHT
      to[y * WIDTH + x] = isInside ? (from[sy * WIDTH + sx] ?? 255) : 255
    }
  return to
}

function speckled(picture: Uint8Array): Uint8Array {
  const to = Uint8Array.from(picture)
  const count = (picture.length * SPECKLES) / 10_000
  for (let i = 0; i < count; i++) {
    const at = randomInt(picture.length)
    to[at] = 255 - (to[at] ?? 255)
  }
  return to
}
