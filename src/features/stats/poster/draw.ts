import { modulesOf } from '#src/ui/qrModules.ts'
import type { Poster } from './posters.ts'

/** Portrait, as chat apps show a picture whole. */
export const POSTER_WIDTH = 1080
export const POSTER_HEIGHT = 1440
const EDGE = 84
const INNER = POSTER_WIDTH - 2 * EDGE
/** A poster looks the same by day and by night: its colours are those of the logo. */
const INK = {
  top: '#5a7338',
  bottom: '#2b3a1b',
  pale: '#f7f9ee',
  soft: '#d9e2c4',
  gold: '#f0b96a',
  card: '#fbfcf6',
  text: '#20241a',
  muted: '#5d6352',
  line: '#dfe1d5',
}

interface Parts {
  product: string
  /** '' says nobody's name. */
  nickname: string
  /** The product's own. */
  address: string
  /** The font families of the page. */
  fonts: string
}

/** Draws a poster from what the device has, without a network. */
export function drawPoster(ctx: CanvasRenderingContext2D, poster: Poster, parts: Parts): void {
  ctx.textBaseline = 'alphabetic'
  ground(ctx)
  brand(ctx, parts)
  headline(ctx, poster, parts)
  facts(ctx, poster, parts)
  foot(ctx, poster, parts)
}

interface Said {
  x: number
  y: number
  size: number
  colour: string
  weight?: number
  align?: CanvasTextAlign
  /** It is made smaller until it fits, and ends in … where even that is too wide. */
  most?: number
}
const LEAST = 0.55

function say(ctx: CanvasRenderingContext2D, text: string, said: Said & Pick<Parts, 'fonts'>): number {
  const { x, y, colour, weight = 400, align = 'left', most = INNER, fonts } = said
  let [size, words] = [said.size, text]
  const set = () => (ctx.font = `${weight} ${size}px ${fonts}`)
  set()
  const width = ctx.measureText(words).width
  if (width > most) size = Math.max(said.size * LEAST, (said.size * most) / width)
  set()
  while (words.length > 1 && ctx.measureText(words).width > most + 1)
    words = `${Array.from(words).slice(0, -2).join('')}…`
  ctx.fillStyle = colour
  ctx.textAlign = align
  ctx.fillText(words, x, y)
  return ctx.measureText(words).width
}

function ground(ctx: CanvasRenderingContext2D): void {
  const shade = ctx.createLinearGradient(0, 0, POSTER_WIDTH * 0.4, POSTER_HEIGHT)
  shade.addColorStop(0, INK.top)
  shade.addColorStop(1, INK.bottom)
  ctx.fillStyle = shade
  ctx.fillRect(0, 0, POSTER_WIDTH, POSTER_HEIGHT)
  // The sword of the logo, large and pale, stands behind all words.
  ctx.save()
  ctx.globalAlpha = 0.1
  ctx.translate(866, 392)
  ctx.rotate(Math.PI / 8)
  ctx.scale(2.5, 2.5)
  ctx.translate(-256, -264)
  sword(ctx, INK.pale, INK.soft, INK.pale)
  ctx.restore()
}

function inked(ctx: CanvasRenderingContext2D, shape: Path2D, colour: string): void {
  ctx.fillStyle = colour
  ctx.fill(shape)
}

/** public/icon.svg has the same, in a square of 512. */
function sword(ctx: CanvasRenderingContext2D, blade: string, edge: string, guard: string): void {
  const fill = (colour: string, path: string) => inked(ctx, new Path2D(path), colour)
  fill(blade, 'M256 84l34 48v176h-68V132z')
  fill(edge, 'M256 84l34 48v176h-34z')
  fill(guard, 'M185 300h142a17 17 0 0 1 0 34H185a17 17 0 0 1 0-34z')
  fill(blade, 'M238 334h36v64a10 10 0 0 1-10 10h-16a10 10 0 0 1-10-10z')
  fill(guard, 'M232 420a24 24 0 1 1 48 0a24 24 0 1 1-48 0z')
}

function brand(ctx: CanvasRenderingContext2D, { product, nickname, fonts }: Parts): void {
  const side = 92
  box(ctx, { x: EDGE, y: EDGE, width: side, height: side, radius: 22 }, 'rgb(255 255 255 / 14%)')
  ctx.save()
  ctx.translate(EDGE, EDGE)
  ctx.scale(side / 512, side / 512)
  sword(ctx, INK.pale, INK.soft, INK.gold)
  ctx.restore()
  say(ctx, product, { x: EDGE + side + 24, y: EDGE + 60, size: 42, weight: 600, colour: INK.pale, fonts, most: 420 })
  if (nickname)
    say(ctx, nickname, {
      x: POSTER_WIDTH - EDGE,
      y: EDGE + 60,
      size: 36,
      colour: INK.soft,
      align: 'right',
      fonts,
      most: 340,
    })
}

function headline(ctx: CanvasRenderingContext2D, { title, figure, unit, note, marks }: Poster, { fonts }: Parts): void {
  // Without a row of days there is room to stand lower.
  const y = marks ? 320 : 400
  say(ctx, title, { x: EDGE, y, size: 52, colour: INK.soft, fonts })
  const said = { x: EDGE - 6, y: y + 250, weight: 700, fonts }
  const width = say(ctx, figure, { ...said, size: 260, colour: INK.pale, most: INNER - 170 })
  say(ctx, unit, { ...said, x: EDGE + width + 22, size: 68, weight: 600, colour: INK.gold, most: 170 })
  say(ctx, note, { x: EDGE, y: y + 342, size: 42, colour: INK.soft, fonts })
  if (marks) week(ctx, marks, fonts)
}

const MARKS = { y: 744, radius: 33 }

/** A filled circle for a day with study, an outline for one without, less of it for one to come. */
function week(ctx: CanvasRenderingContext2D, marks: NonNullable<Poster['marks']>, fonts: string): void {
  const { y, radius } = MARKS
  const step = (INNER - 2 * radius) / (marks.length - 1)
  for (const [i, { name, on }] of marks.entries()) {
    const x = EDGE + radius + step * i
    ctx.beginPath()
    ctx.arc(x, y, radius - 2, 0, 2 * Math.PI)
    ctx.fillStyle = INK.gold
    ctx.strokeStyle = `rgb(255 255 255 / ${on === null ? 20 : 55}%)`
    ctx.lineWidth = 3
    if (on) ctx.fill()
    else ctx.stroke()
    const colour = on ? INK.bottom : on === null ? 'rgb(255 255 255 / 45%)' : INK.soft
    say(ctx, name, { x, y: y + 12, size: 34, weight: on ? 600 : 400, colour, align: 'center', fonts })
  }
}

const FACTS = { y: 836, height: 216 }

function facts(ctx: CanvasRenderingContext2D, poster: Poster, { fonts }: Parts): void {
  const { y, height } = FACTS
  box(ctx, { x: EDGE, y, width: INNER, height, radius: 36 }, 'rgb(255 255 255 / 12%)')
  const step = INNER / Math.max(1, poster.facts.length)
  for (const [i, { name, value }] of poster.facts.entries()) {
    const said = { x: EDGE + step * (i + 0.5), align: 'center', most: step - 36, fonts } as const
    say(ctx, value, { ...said, y: y + 108, size: 58, weight: 600, colour: INK.pale })
    say(ctx, name, { ...said, y: y + 166, size: 34, colour: INK.soft })
    if (i > 0)
      box(
        ctx,
        { x: EDGE + step * i - 1, y: y + 56, width: 2, height: height - 112, radius: 1 },
        'rgb(255 255 255 / 22%)',
      )
  }
}

const FOOT = { y: 1116, height: 240 }

/** The way to the product stands on white, which every camera reads. */
function foot(ctx: CanvasRenderingContext2D, { closing }: Poster, { address, product, fonts }: Parts): void {
  const { y, height } = FOOT
  box(ctx, { x: EDGE, y, width: INNER, height, radius: 36 }, INK.card)
  const side = height - 48
  const { size, path } = modulesOf(address)
  // Whole pixels a module: uneven ones are not read.
  const module = Math.floor(side / size)
  ctx.save()
  ctx.translate(POSTER_WIDTH - EDGE - 24 - (side + module * size) / 2, y + 24 + (side - module * size) / 2)
  ctx.scale(module, module)
  inked(ctx, new Path2D(path), INK.text)
  ctx.restore()
  const said = { x: EDGE + 44, most: INNER - side - 120, fonts }
  say(ctx, closing, { ...said, y: y + 88, size: 46, weight: 600, colour: INK.text })
  say(ctx, `扫码打开${product}，一起备考`, { ...said, y: y + 146, size: 34, colour: INK.muted })
  say(ctx, new URL(address).host, { ...said, y: y + 194, size: 30, colour: INK.muted })
}

interface Box {
  x: number
  y: number
  width: number
  height: number
  radius: number
}
/** It is drawn by arcs: browsers before 2023 have no roundRect. */
function box(ctx: CanvasRenderingContext2D, { x, y, width, height, radius }: Box, colour: string): void {
  ctx.beginPath()
  ctx.moveTo(x + radius, y)
  ctx.arcTo(x + width, y, x + width, y + height, radius)
  ctx.arcTo(x + width, y + height, x, y + height, radius)
  ctx.arcTo(x, y + height, x, y, radius)
  ctx.arcTo(x, y, x + width, y, radius)
  ctx.closePath()
  ctx.fillStyle = colour
  ctx.fill()
}
