import { at, IDENTITY, type Matrix, times } from './matrix.ts'
import type { Glyph } from './page.ts'

/** pdf.js gives so much of a font. */
export interface Font {
  vertical?: boolean
  fontMatrix?: readonly number[]
}
/** A glyph, or a number that moves what follows. */
type Shown = number | { unicode: string; width: number; isSpace: boolean } | null
interface Set {
  glyph: Glyph
  /** It does not lie in a line as a reader holds the page. */
  isSlanted: boolean
}

/** Text that is turned by less still lies in a line. */
const SLANT = 0.03
/** Descenders of a vertical font are none of ours: such text is told as slanted. */
const THOUSAND = 1000

/** Says where text goes, as pdf.js draws it (PDF 32000-1, 9.3 and 9.4). */
export class TextState {
  font: Font = {}
  size = 0
  direction = 1
  charSpacing = 0
  wordSpacing = 0
  scale = 1
  leading = 0
  rise = 0
  /** 3: it is not drawn. */
  mode = 0
  private matrix: Matrix = IDENTITY
  private line = { x: 0, y: 0 }
  private pen = { x: 0, y: 0 }

  /** A state that changes without changing this one. */
  copy(): TextState {
    return Object.assign(new TextState(), this, { line: { ...this.line }, pen: { ...this.pen } })
  }

  set(matrix: Matrix): void {
    this.matrix = matrix
    this.line = { x: 0, y: 0 }
    this.pen = { x: 0, y: 0 }
  }

  move(x: number, y: number): void {
    this.line = { x: this.line.x + x, y: this.line.y + y }
    this.pen = { ...this.line }
  }

  setFont(font: Font, size: number): void {
    this.font = font
    this.size = Math.abs(size)
    this.direction = size < 0 ? -1 : 1
  }

  /** Sets glyphs on a page. @param page from what is drawn to the page as a reader sees it */
  *show(glyphs: readonly Shown[], page: Matrix): Generator<Set> {
    const across = this.scale * this.direction
    const unit = this.size * (this.font.fontMatrix?.[0] ?? 1 / THOUSAND)
    const whole = times(page, this.matrix)
    const [dx, dy] = [Math.hypot(whole[0], whole[1]), Math.hypot(whole[2], whole[3])]
    const isSlanted = this.font.vertical === true || Math.abs(whole[1]) > SLANT * dx || whole[0] * across < 0
    let moved = 0
    for (const each of glyphs) {
      if (each === null) continue
      if (typeof each === 'number') {
        moved -= (each * this.size) / THOUSAND
        continue
      }
      const spacing = (each.isSpace ? this.wordSpacing : 0) + this.charSpacing
      const width = each.width * unit
      const [left, baseline] = at(whole, this.pen.x + moved * across, this.pen.y + this.rise)
      const [right] = at(whole, this.pen.x + (moved + width) * across, this.pen.y + this.rise)
      yield {
        glyph: {
          text: each.unicode,
          left: Math.min(left, right),
          right: Math.max(left, right),
          baseline,
          size: this.size * dy,
        },
        isSlanted,
      }
      moved += width + spacing * this.direction
    }
    this.pen.x += moved * across
  }
}
