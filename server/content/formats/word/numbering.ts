import { attribute, childrenOf, inside, localName, type Parts } from '../office/parts.ts'
import type { Element } from '../xml.ts'
import { formatted } from './numberFormats.ts'
import type { InList } from './styles.ts'
import { isSymbolFont, symbolOf } from './symbols.ts'

interface Level {
  start: number
  format: string
  text: string
  /** The level, from 1, whose numbers begin this one anew; undefined: each higher one; 0: none. */
  restart: number | undefined
  style: string | undefined
  isLegal: boolean
  font: string | undefined
}
interface Numbers {
  abstract: string
  levels: ReadonlyMap<number, Level>
  starts: ReadonlyMap<number, number>
}
/** It stands before the text of a paragraph. */
export interface Label {
  /** Null: its format is not known. */
  text: string | null
  /** An Arabic number: it may be that of a question. */
  isFigure: boolean
  num: string
  level: number
}

const child = (of: Element, name: string): Element | undefined => childrenOf(of, name)[0]
const valueOf = (of: Element, name: string): string | undefined => {
  const found = child(of, name)
  return found && attribute(found, 'val')
}
const isTrue = (of: Element, name: string): boolean => {
  const found = child(of, name)
  return found !== undefined && !['0', 'false', 'off'].includes(attribute(found, 'val') ?? '')
}

function levelOf(element: Element): Level {
  // A format of a newer program stands beside one that all know.
  const choice = inside(element, 'Choice')
  const format = valueOf(element, 'numFmt') ?? (choice && valueOf(choice, 'numFmt')) ?? 'decimal'
  const restart = valueOf(element, 'lvlRestart')
  const fonts = inside(element, 'rFonts')
  return {
    start: Number(valueOf(element, 'start') ?? 0),
    format,
    text: valueOf(element, 'lvlText') ?? '',
    restart: restart === undefined ? undefined : Number(restart),
    style: valueOf(element, 'pStyle'),
    isLegal: isTrue(element, 'isLgl'),
    font: fonts && (attribute(fonts, 'ascii') ?? attribute(fonts, 'hAnsi')),
  }
}
const levelsIn = (element: Element): Map<number, Level> =>
  new Map(childrenOf(element, 'lvl').map((each) => [Number(attribute(each, 'ilvl') ?? 0), levelOf(each)]))

/** Counts the lists of a document as its paragraphs come: files hold no numbers, but only how to count. */
export class Numbering {
  private readonly abstracts = new Map<
    string,
    { levels: Map<number, Level>; styleLink?: string; numStyleLink?: string }
  >()
  private readonly nums = new Map<
    string,
    { abstract: string; changed: Map<number, Level>; starts: Map<number, number> }
  >()
  private readonly counts = new Map<string, Map<number, number>>()
  private readonly started = new Set<string>()

  constructor(parts: Parts, part: string | undefined) {
    if (part) parts.each(part, ['abstractNum', 'num'], (element) => this.take(element))
  }

  private take(element: Element): void {
    if (localName(element) === 'abstractNum') {
      const [styleLink, numStyleLink] = [valueOf(element, 'styleLink'), valueOf(element, 'numStyleLink')]
      this.abstracts.set(attribute(element, 'abstractNumId') ?? '', {
        levels: levelsIn(element),
        ...(styleLink !== undefined && { styleLink }),
        ...(numStyleLink !== undefined && { numStyleLink }),
      })
      return
    }
    const changes = childrenOf(element, 'lvlOverride')
    const starts = changes.flatMap((each): [number, number][] => {
      const start = valueOf(each, 'startOverride')
      return start === undefined ? [] : [[Number(attribute(each, 'ilvl') ?? 0), Number(start)]]
    })
    this.nums.set(attribute(element, 'numId') ?? '', {
      abstract: valueOf(element, 'abstractNumId') ?? '',
      changed: new Map(changes.flatMap((each) => [...levelsIn(each)])),
      starts: new Map(starts),
    })
  }

  private numbersOf(id: string): Numbers | undefined {
    const num = this.nums.get(id)
    if (!num) return undefined
    const own = this.abstracts.get(num.abstract)
    // The list of a style has its levels where that style is made.
    const made =
      own?.numStyleLink === undefined
        ? undefined
        : [...this.abstracts].find(([, { styleLink }]) => styleLink === own.numStyleLink)
    const [abstract, levels] = made ? [made[0], made[1].levels] : [num.abstract, own?.levels]
    return { abstract, levels: new Map([...(levels ?? []), ...num.changed]), starts: num.starts }
  }

  /**
   * The next label of a list.
   * @param style that of the paragraph, which may stand for a level
   * @returns null where the paragraph has none
   */
  next({ num, level }: InList, style: string | undefined): Label | null {
    if (num === undefined || num === '0') return null
    const numbers = this.numbersOf(num)
    if (!numbers) return null
    const ofStyle = [...numbers.levels].find(([, each]) => style !== undefined && each.style === style)?.[0]
    const at = level ?? ofStyle ?? 0
    const own = numbers.levels.get(at)
    if (!own) return null
    const counts = this.count(num, numbers, at, own)
    if (own.format === 'bullet') return { text: bulletOf(own), isFigure: false, num, level: at }
    let isKnown = true
    const text = own.text.replaceAll(PRIVATE, '').replaceAll(/%([1-9])/g, (_, figure: string) => {
      const of = Number(figure) - 1
      const shown = numbers.levels.get(of)
      const n = counts.get(of) ?? shown?.start ?? 1
      const made = formatted(n, own.isLegal ? 'decimal' : (shown?.format ?? 'decimal'))
      isKnown &&= made !== null
      return made ?? ''
    })
    const isFigure = own.format.startsWith('decimal')
    return { text: isKnown ? withSign(text.trim()) : null, isFigure, num, level: at }
  }

  private count(num: string, { abstract, levels, starts }: Numbers, at: number, own: Level): Map<number, number> {
    const counts = this.counts.get(abstract) ?? new Map<number, number>()
    this.counts.set(abstract, counts)
    const first = starts.get(at)
    const isNew = first !== undefined && !this.started.has(`${num} ${at}`)
    this.started.add(`${num} ${at}`)
    const before = counts.get(at)
    counts.set(at, isNew ? first : before === undefined ? own.start : before + 1)
    for (const [deeper, { restart }] of levels)
      if (deeper > at && (restart === undefined || at < restart)) counts.delete(deeper)
    return counts
  }
}

/** Characters that stand for tags and pictures in a line (placeholders.ts): a file may not write them. */
const PRIVATE = /\p{Co}/gu
/** A letter or a number of a list is set off from the text by its place alone: its sign makes it a label. */
const withSign = (text: string): string => (/^(?:[A-Z]|\d+)$/.test(text) ? `${text}.` : text)

/** A picture, or a sign of a font that is not known, is a point. */
function bulletOf({ text, font = '' }: Level): string {
  if (isSymbolFont(font)) return symbolOf(font, text.codePointAt(0) ?? 0) ?? '•'
  return text.replaceAll(PRIVATE, '').trim() || '•'
}
