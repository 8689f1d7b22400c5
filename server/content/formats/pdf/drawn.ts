import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { boxAt, IDENTITY, type Matrix, matrixOf, times } from './matrix.ts'
import { type Box, heightOf, holds, middle, type Page, widthOf } from './page.ts'
import { drawnPath } from './paths.ts'
import { type Font, TextState } from './textState.ts'

/** pdf.js lists what is drawn like this. */
export interface Operators {
  fnArray: readonly number[]
  argsArray: readonly (readonly unknown[] | null)[]
}
export interface Sheet {
  width: number
  height: number
  /** From what is drawn to the page as a reader sees it. */
  matrix: Matrix
  font: (name: string) => Font
  isShown: (layer: unknown) => boolean
}
/** A picture that is yet to be made a file of. */
export interface Painted extends Box {
  /** Its name among the page's objects, or itself. Null: it is of a kind that cannot be read. */
  source: unknown
  /** It is upside down, or seen in a mirror. */
  isFlipped: boolean
  isMirrored: boolean
  isTurned: boolean
  /** It is cut to what is seen. */
  seen: Box
}
export type Drawn = Omit<Page, 'pictures' | 'number'> & { pictures: Painted[] }

/** Glyphs and other things of one page: what has more is no paper. */
const MOST_DRAWN = 200_000
/** The page has more than a paper has. */
export class TooMuchDrawn extends Error {
  override readonly name = 'TooMuchDrawn'
}

interface Ink {
  /** From 0, black, to 1, white. */
  light: number
  alpha: number
}
interface State {
  ctm: Matrix
  text: TextState
  clip: Box
  fill: Ink
  stroke: Ink
}

const FAINT = 0.78
const isFaint = ({ light, alpha }: Ink): boolean => 1 - (1 - light) * alpha > FAINT
/** OCR leaves its text unseen over the picture. */
const UNSEEN = 3

/** Follows what is drawn on a page, and says what stands where. */
export function drawnOn({ fnArray, argsArray }: Operators, sheet: Sheet): Drawn {
  const painter = new Painter(sheet)
  for (const [i, operator] of fnArray.entries()) painter.take(operator, argsArray[i] ?? [])
  return painter.page()
}

class Painter {
  private readonly sheet: Sheet
  private readonly whole: Box
  private state: State
  private readonly saved: State[] = []
  private readonly layers: boolean[] = []
  private isClipping = false
  private count = 0
  private readonly unseen: Page['glyphs'] = []
  private readonly drawn: Drawn

  constructor(sheet: Sheet) {
    const { width, height, matrix } = sheet
    this.sheet = sheet
    this.whole = { left: 0, top: 0, right: width, bottom: height }
    const ink = { light: 0, alpha: 1 }
    this.state = { ctm: matrix, text: new TextState(), clip: this.whole, fill: ink, stroke: ink }
    this.drawn = {
      width,
      height,
      glyphs: [],
      rules: [],
      figures: [],
      pictures: [],
      slanted: '',
      faint: '',
      isRecognised: false,
    }
  }

  page(): Drawn {
    const isRecognised = this.drawn.glyphs.length === 0 && this.unseen.length > 0
    return { ...this.drawn, isRecognised, ...(isRecognised && { glyphs: this.unseen }) }
  }

  take(operator: number, args: readonly unknown[]): void {
    const act = ACTS[operator]
    if (act) act(this, args)
    else if (PICTURES.has(operator)) this.paint(null)
  }

  save(): void {
    this.saved.push({ ...this.state, text: this.state.text.copy() })
  }
  restore(): void {
    this.state = this.saved.pop() ?? this.state
  }
  transform(matrix: Matrix): void {
    this.state = { ...this.state, ctm: times(this.state.ctm, matrix) }
  }
  get text(): TextState {
    return this.state.text
  }
  setFont(name: unknown, size: unknown): void {
    this.text.setFont(this.sheet.font(String(name)), Number(size))
  }
  setInk(of: 'fill' | 'stroke', ink: Partial<Ink>): void {
    this.state = { ...this.state, [of]: { ...this.state[of], ...ink } }
  }
  setStates(states: readonly (readonly [string, unknown])[]): void {
    for (const [name, value] of states) {
      if (name === 'ca') this.setInk('fill', { alpha: Number(value) })
      if (name === 'CA') this.setInk('stroke', { alpha: Number(value) })
      if (name === 'Font' && Array.isArray(value)) this.setFont(value[0], value[1])
    }
  }
  clipNext(): void {
    this.isClipping = true
  }
  enter(isShown: boolean): void {
    this.layers.push(isShown)
  }
  enterLayer(tag: unknown, properties: unknown): void {
    this.enter(tag !== 'OC' || this.sheet.isShown(properties))
  }
  leave(): void {
    this.layers.pop()
  }

  show(glyphs: unknown): void {
    const { text, ctm, clip, fill, stroke } = this.state
    const ink = text.mode % 4 === 1 ? stroke : fill
    for (const { glyph, isSlanted } of text.show(glyphs as Parameters<TextState['show']>[0], ctm)) {
      const x = (glyph.left + glyph.right) / 2
      if (this.isHidden || !holds(clip, x, glyph.baseline - glyph.size / 3)) continue
      this.drew()
      if (isSlanted) this.drawn.slanted += glyph.text
      else if (text.mode === UNSEEN) this.unseen.push(glyph)
      else if (isFaint(ink)) this.drawn.faint += glyph.text
      else this.drawn.glyphs.push(glyph)
    }
  }

  path([operator, data, bounds]: readonly unknown[]): void {
    const { ctm, clip, fill, stroke } = this.state
    if (this.isClipping) {
      this.isClipping = false
      const [left = 0, top = 0, right = 0, bottom = 0] = Array.from(bounds as ArrayLike<number>)
      this.state = { ...this.state, clip: common(clip, boxAt(ctm, left, top, right, bottom)) }
    }
    const kind = Number(operator)
    const [numbers] = data as (ArrayLike<number> | null)[]
    if (kind === OPS.endPath || !numbers || this.isHidden || isFaint(STROKES.has(kind) ? stroke : fill)) return
    this.drew()
    const { rules, figure } = drawnPath(numbers, ctm, !STROKES.has(kind))
    this.drawn.rules.push(...rules.filter((rule) => holds(clip, (rule.left + rule.right) / 2, middle(rule))))
    const seen = figure && common(figure, clip)
    if (seen && widthOf(seen) > 0 && heightOf(seen) > 0) this.drawn.figures.push(seen)
  }

  paint(source: unknown, within: Matrix = IDENTITY): void {
    if (this.isHidden) return
    this.drew()
    const matrix = times(this.state.ctm, within)
    const [a, b, , d] = matrix
    const box = boxAt(matrix, 0, 0, 1, 1)
    const seen = common(box, this.state.clip)
    if (widthOf(seen) <= 0 || heightOf(seen) <= 0) return
    const isTurned = Math.abs(b) > SLIGHT * Math.abs(a)
    this.drawn.pictures.push({ ...box, source, seen, isFlipped: d > 0, isMirrored: a < 0, isTurned })
  }

  private get isHidden(): boolean {
    return this.layers.includes(false)
  }
  private drew(): void {
    this.count++
    if (this.count > MOST_DRAWN) throw new TooMuchDrawn()
  }
}
/** A picture that is turned by less lies straight. */
const SLIGHT = 0.02

const common = (a: Box, b: Box): Box => ({
  left: Math.max(a.left, b.left),
  top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right),
  bottom: Math.min(a.bottom, b.bottom),
})

const lightOf = (colour: unknown): number => {
  const [, r = '0', g = '0', b = '0'] = /^#(..)(..)(..)$/.exec(String(colour)) ?? []
  return [r, g, b]
    .map((each) => Number.parseInt(each, 16) / 255)
    .reduce((sum, each, i) => sum + each * (LUMA[i] ?? 0), 0)
}
const LUMA = [0.299, 0.587, 0.114]

const STROKES = new Set<number>([
  OPS.stroke,
  OPS.closeStroke,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
])
/** Those of the others that cannot be read. */
const PICTURES = new Set<number>([
  OPS.paintImageMaskXObjectGroup,
  OPS.paintInlineImageXObjectGroup,
  OPS.paintImageXObjectRepeat,
  OPS.paintImageMaskXObjectRepeat,
])

type Act = (painter: Painter, args: readonly unknown[]) => void
const matrixIn = (args: readonly unknown[]): Matrix => matrixOf(args.length === 6 ? args : args[0])
const ACTS: Record<number, Act> = {
  [OPS.save]: (painter) => painter.save(),
  [OPS.restore]: (painter) => painter.restore(),
  [OPS.beginGroup]: (painter) => painter.save(),
  [OPS.endGroup]: (painter) => painter.restore(),
  [OPS.transform]: (painter, args) => painter.transform(matrixIn(args)),
  [OPS.paintFormXObjectBegin]: (painter, [matrix]) => {
    painter.save()
    if (matrix) painter.transform(matrixOf(matrix))
  },
  [OPS.paintFormXObjectEnd]: (painter) => painter.restore(),
  [OPS.clip]: (painter) => painter.clipNext(),
  [OPS.eoClip]: (painter) => painter.clipNext(),
  [OPS.setGState]: (painter, [states]) => painter.setStates(states as [string, unknown][]),
  [OPS.setFillRGBColor]: (painter, [colour]) => painter.setInk('fill', { light: lightOf(colour) }),
  [OPS.setStrokeRGBColor]: (painter, [colour]) => painter.setInk('stroke', { light: lightOf(colour) }),
  [OPS.setFillColorN]: (painter) => painter.setInk('fill', { light: 0 }),
  [OPS.setStrokeColorN]: (painter) => painter.setInk('stroke', { light: 0 }),
  [OPS.setFillTransparent]: (painter) => painter.setInk('fill', { light: 1 }),
  [OPS.setStrokeTransparent]: (painter) => painter.setInk('stroke', { light: 1 }),
  [OPS.beginMarkedContent]: (painter) => painter.enter(true),
  [OPS.beginMarkedContentProps]: (painter, [tag, properties]) => painter.enterLayer(tag, properties),
  [OPS.endMarkedContent]: (painter) => painter.leave(),
  [OPS.beginText]: ({ text }) => text.set(IDENTITY),
  [OPS.setFont]: (painter, [name, size]) => painter.setFont(name, size),
  [OPS.setCharSpacing]: ({ text }, [spacing]) => void (text.charSpacing = Number(spacing)),
  [OPS.setWordSpacing]: ({ text }, [spacing]) => void (text.wordSpacing = Number(spacing)),
  [OPS.setHScale]: ({ text }, [percent]) => void (text.scale = Number(percent) / 100),
  [OPS.setLeading]: ({ text }, [leading]) => void (text.leading = -Number(leading)),
  [OPS.setTextRise]: ({ text }, [rise]) => void (text.rise = Number(rise)),
  [OPS.setTextRenderingMode]: ({ text }, [mode]) => void (text.mode = Number(mode)),
  [OPS.setTextMatrix]: ({ text }, args) => text.set(matrixIn(args)),
  [OPS.moveText]: ({ text }, [x, y]) => text.move(Number(x), Number(y)),
  [OPS.setLeadingMoveText]: ({ text }, [x, y]) => {
    text.leading = Number(y)
    text.move(Number(x), Number(y))
  },
  [OPS.nextLine]: ({ text }) => text.move(0, text.leading),
  [OPS.showText]: (painter, [glyphs]) => painter.show(glyphs),
  [OPS.constructPath]: (painter, args) => painter.path(args),
  [OPS.paintImageXObject]: (painter, [name]) => painter.paint(name),
  [OPS.paintInlineImageXObject]: (painter, [picture]) => painter.paint(picture),
  [OPS.paintImageMaskXObject]: (painter, [mask]) => painter.paint({ mask }),
}
