import { escaped } from '../xml.ts'

export type Mark = 'b' | 'i' | 'u' | 's' | 'sub' | 'sup'
export const MARKS: readonly Mark[] = ['b', 'i', 'u', 's', 'sub', 'sup']

/** One character of a line stands for this. */
export type Held =
  | { kind: 'picture' | 'formula' | 'table' | 'ruby'; html: string }
  /** A note is a warning of the question; a problem keeps it out; a look is a colour that might mean an answer. */
  | { kind: 'note' | 'problem' | 'look'; reason: string }
type Place = Held & { isUsed: boolean; line: number }

/** Tags and signs of HTML are characters for private use, so that no rule of a paper takes them for letters or brackets. */
const TAGS = 0xe100
const SIGNS = '<>&'
const FIRST_SIGN = 0xe120
const FIRST_HELD = 0xf_00_00
/** So many characters are for private use on that plane of Unicode. */
const MOST_HELD = 65_000
const ANY = /[\ue100-\ue122]|[\u{f0000}-\u{ffffd}]/gu

export const openTag = (mark: Mark): string => String.fromCharCode(TAGS + 2 * MARKS.indexOf(mark))
export const closeTag = (mark: Mark): string => String.fromCharCode(TAGS + 2 * MARKS.indexOf(mark) + 1)
/** Text as the author sees it, in which `<` begins no tag and `&` no entity. */
export const literal = (text: string): string =>
  text.replaceAll(/[<>&]/g, (sign) => String.fromCharCode(FIRST_SIGN + SIGNS.indexOf(sign)))

/** All but the signs of HTML, which are text. */
const TEXTLESS = /[\ue100-\ue11f]|[\u{f0000}-\u{ffffd}]/gu
export const withoutSigns = (text: string): string => text.replaceAll(TEXTLESS, '')
export const signsIn = (text: string): string => text.match(TEXTLESS)?.join('') ?? ''

const WORDS: Record<Held['kind'], string> = {
  picture: '［图］',
  formula: '［公式］',
  table: '［表格］',
  ruby: '［注音］',
  note: '',
  problem: '',
  look: '',
}

/** A file holds more than there are characters to stand for it. */
export class TooMuchHeld extends Error {
  override readonly name = 'TooMuchHeld'
}

/** Keeps what a line of text cannot hold; in the line stands one character for it. */
export class Placeholders {
  private readonly places: Place[] = []
  /** The line that is being read, to name the place of what belongs to no question. */
  line = 0

  add(held: Held): string {
    if (this.places.length === MOST_HELD) throw new TooMuchHeld()
    this.places.push({ ...held, isUsed: false, line: this.line })
    return String.fromCodePoint(FIRST_HELD + this.places.length - 1)
  }

  /** Lists what stands in a text, of some kinds. */
  in(text: string, ...kinds: Held['kind'][]): Place[] {
    return Array.from(text.matchAll(ANY), ([sign]) => this.placeOf(sign)).filter(
      (place): place is Place => place !== undefined && kinds.includes(place.kind),
    )
  }

  /** The HTML of a text. What stands in it has found its question then. */
  html(text: string): string {
    this.use(text)
    return this.peek(text)
  }

  /** The HTML of a text, which may yet be put elsewhere. */
  peek(text: string): string {
    return text.replaceAll(ANY, (sign) => {
      const place = this.placeOf(sign)
      if (!place) return ofTag(sign.charCodeAt(0))
      return 'html' in place ? place.html : ''
    })
  }

  /** Marks all that stands in a text as used: it has found its place, or was replaced by something else that was read. */
  use(text: string): void {
    for (const [sign] of text.matchAll(ANY)) {
      const place = this.placeOf(sign)
      if (place) place.isUsed = true
    }
  }

  /** A text as a message shows it. */
  words(text: string): string {
    return text.replaceAll(ANY, (sign) => {
      const place = this.placeOf(sign)
      if (place) return WORDS[place.kind]
      const code = sign.charCodeAt(0)
      return code >= FIRST_SIGN ? (SIGNS[code - FIRST_SIGN] ?? '') : ''
    })
  }

  /** Lists what no question holds. */
  left(): readonly Place[] {
    return this.places.filter(({ isUsed, kind }) => !isUsed && kind !== 'look')
  }

  private placeOf(sign: string): Place | undefined {
    return this.places[(sign.codePointAt(0) ?? 0) - FIRST_HELD]
  }
}

function ofTag(code: number): string {
  // An entity that is written out would be decoded once more (richText.ts): &#38;lt; is not.
  if (code >= FIRST_SIGN) return SIGNS[code - FIRST_SIGN] === '&' ? '&#38;' : escaped(SIGNS[code - FIRST_SIGN] ?? '')
  const mark = MARKS[Math.floor((code - TAGS) / 2)]
  return mark === undefined ? '' : (code - TAGS) % 2 === 0 ? `<${mark}>` : `</${mark}>`
}
