import { attribute, childrenOf, inside, localName } from '../office/parts.ts'
import { type Element, textIn } from '../xml.ts'
import { drawn, type Pictures } from './drawings.ts'
import { type Fields, fieldShown } from './fields.ts'
import { FormulaUnread, mathmlOf } from './omml.ts'
import { type Held, literal, type Placeholders } from './placeholders.ts'
import type { Look, Styles } from './styles.ts'
import { isSymbolFont, symbolOf } from './symbols.ts'

/** Text with one look. What belongs to no place in its line stands at the end of it (`isAside`). */
export interface Piece {
  text: string
  look: Look
  isAside?: boolean
}
/** All paragraphs of a document share this. */
export interface Document {
  styles: Styles
  pictures: Pictures
  held: Placeholders
  fields: Fields
  /** It holds changes that were tracked. */
  isTracked: boolean
  isInTable: boolean
}

/** They show nothing. */
const SILENT =
  /^(?:\w+Pr|proofErr|bookmark(?:Start|End)|comment(?:RangeStart|RangeEnd|Reference)|perm(?:Start|End)|(?:move(?:From|To)|customXml\w+)Range(?:Start|End)|lastRenderedPageBreak|annotationRef|footnoteRef|endnoteRef|separator|continuationSeparator|softHyphen|delText|delInstrText)$/
/** Their content is read as if they were not there. */
const CLEAR = /^(?:hyperlink|smartTag|customXml|sdtContent|dir|bdo|ins|moveTo)$/

/** Reads the runs of a paragraph. */
export class Runs {
  readonly pieces: Piece[] = []
  private readonly document: Document
  private readonly look: Look
  private readonly isAlone: boolean

  /** @param look of the paragraph @param isAlone it holds one formula and nothing else */
  constructor(document: Document, look: Look, isAlone: boolean) {
    this.document = document
    this.look = look
    this.isAlone = isAlone
  }

  read(elements: readonly Element[]): void {
    for (const element of elements) this.one(element)
  }

  private one(element: Element): void {
    const name = localName(element)
    if (SILENT.test(name)) return
    if (name === 'r') this.run(element)
    else if (name === 'del' || name === 'moveFrom') this.document.isTracked = true
    else if (name === 'sdt') this.read(childrenOf(element, 'sdtContent'))
    else if (CLEAR.test(name)) {
      if (name === 'ins' || name === 'moveTo') this.document.isTracked = true
      this.read(childrenOf(element))
    } else if (name === 'fldSimple') this.simpleField(element)
    else if (name === 'oMath' || name === 'oMathPara') this.formula(element)
    else if (name === 'AlternateContent') this.alternate(element, (each) => this.one(each))
    else this.aside({ kind: 'problem', reason: `Word 的内容（${name}）读不出` })
  }

  private simpleField(element: Element): void {
    const before = this.pieces.length
    this.read(childrenOf(element))
    this.ended(fieldShown(attribute(element, 'instr') ?? '', this.pieces.length > before), this.look)
  }

  private run(element: Element): void {
    const look = this.document.styles.run(childrenOf(element, 'rPr')[0], this.look)
    const before = this.pieces.length
    for (const each of childrenOf(element)) this.content(each, look)
    // White letters are read on a dark ground alone, which a cell may have.
    const isWhite = look.isWhite === true && look.isMarked !== true && !this.document.isInTable
    const hidden = look.isHidden || isWhite ? this.pieces.splice(before) : []
    if (hidden.some(({ text }) => text.trim() !== ''))
      this.aside({ kind: 'note', reason: `有${look.isHidden ? '隐藏' : '白色'}的文字，没有导入` })
  }

  private content(element: Element, look: Look): void {
    const { fields } = this.document
    const name = localName(element)
    if (name === 'fldChar') this.fieldSign(element, look)
    else if (name === 'instrText') fields.code(textIn(element))
    else if (fields.isCode || SILENT.test(name)) return
    else if (name === 't') this.text(textIn(element), look)
    else if (name === 'tab' || name === 'ptab') this.add('\t', look)
    else if (name === 'br' || name === 'cr') this.add('\n', look)
    else if (name === 'noBreakHyphen') this.add('-', look)
    else if (name === 'sym') this.symbol(attribute(element, 'font') ?? '', attribute(element, 'char') ?? '', look)
    else if (name === 'drawing' || name === 'pict' || name === 'object') this.drawing(element)
    else if (name === 'AlternateContent') this.alternate(element, (each) => this.content(each, look))
    else if (name === 'footnoteReference' || name === 'endnoteReference')
      this.aside({ kind: 'note', reason: `有${name === 'endnoteReference' ? '尾注' : '脚注'}，没有导入` })
    else if (name === 'ruby') this.ruby(element, look)
    else this.aside({ kind: 'problem', reason: `Word 的内容（${name}）读不出` })
  }

  private fieldSign(element: Element, look: Look): void {
    const { fields } = this.document
    const type = attribute(element, 'fldCharType')
    if (type === 'begin') fields.begin(boxOf(element))
    else if (type === 'separate') fields.separate()
    else this.ended(fields.end(), look)
  }

  private ended(field: ReturnType<Fields['end']>, look: Look): void {
    if ('problem' in field) this.aside({ kind: 'problem', reason: field.problem })
    else if (field.text !== '') this.add(field.text, look)
  }

  /** Letters of a font of signs are what it shows for them. */
  private text(text: string, look: Look): void {
    const font = look.font ?? ''
    const isOfSigns = isSymbolFont(font)
    for (const letter of text.replaceAll(/[\u2028\u2029\v]/g, '\n')) {
      const code = letter.codePointAt(0) ?? 0
      const isPrivate = (code >= 0xe000 && code <= 0xf8ff) || code >= 0xf_00_00
      if (isPrivate || (isOfSigns && code > 0x20 && code < 0x100)) this.symbol(font, code.toString(16), look)
      else this.add(look.isCaps ? letter.toUpperCase() : letter, look)
    }
  }

  private symbol(font: string, char: string, look: Look): void {
    const code = Number.parseInt(char, 16)
    // Ordinary fonts hold ordinary signs under their own numbers.
    const isOrdinary = !isSymbolFont(font) && code < 0xe000
    const shown = isOrdinary ? String.fromCodePoint(code || 0x20) : symbolOf(font, code)
    if (shown !== null) this.add(shown, look)
    else
      this.aside({
        kind: 'problem',
        reason: `字体“${font || '未知'}”里的符号（${char}）读不出：请改用“插入 → 符号”里的普通字符`,
      })
  }

  private add(text: string, look: Look): void {
    this.document.fields.shown()
    const last = this.pieces.at(-1)
    if (last && last.look === look && !last.isAside) last.text += literal(text)
    else this.pieces.push({ text: literal(text), look })
    if (
      look.isDotted &&
      text.trim() !== '' &&
      !this.pieces.some(({ look: { isDotted }, isAside }) => isAside && isDotted)
    )
      this.aside({ kind: 'note', reason: '着重号显示为加粗' }, { isDotted: true })
  }

  /** It stands at the end of its line, where it is in no rule's way. */
  private aside(held: Held, look: Look = {}): void {
    this.pieces.push({ text: this.document.held.add(held), look, isAside: true })
  }

  private within(held: Held): void {
    this.document.fields.shown()
    this.pieces.push({ text: this.document.held.add(held), look: {} })
  }

  private formula(element: Element): void {
    if (this.document.fields.isCode) return
    for (const each of localName(element) === 'oMathPara' ? childrenOf(element, 'oMath') : [element])
      try {
        this.within({ kind: 'formula', html: mathmlOf(each, this.isAlone) })
      } catch (error) {
        if (!(error instanceof FormulaUnread)) throw error
        this.aside({
          kind: 'problem',
          reason: `公式里有读不出的内容（${error.message}）：请改写这个公式，或把它存为图片`,
        })
      }
  }

  private drawing(element: Element): void {
    const { held, floats } = drawn(element, this.document.pictures)
    for (const each of held)
      if (each.kind === 'picture' && !floats) this.within(each)
      else this.aside(each)
  }

  /** A new program reads the choice; where that cannot be read here, the picture for old programs may be. */
  private alternate(element: Element, take: (element: Element) => void): void {
    const [choice, fallback] = [childrenOf(element, 'Choice')[0], childrenOf(element, 'Fallback')[0]]
    const { held } = this.document
    const read = (of: Element | undefined) => {
      const before = this.pieces.length
      for (const each of of ? childrenOf(of) : []) take(each)
      return this.pieces.splice(before)
    }
    const kinds = (pieces: readonly Piece[], kind: Held['kind']) =>
      pieces.some(({ text }) => held.in(text, kind).length > 0)
    const first = read(choice ?? fallback)
    const isUnread = kinds(first, 'problem') && inside(element, 'txbxContent') === undefined
    const other = isUnread && choice ? read(fallback) : []
    const isBetter = kinds(other, 'picture') && !kinds(other, 'problem')
    for (const { text } of isBetter ? first : other) held.use(text)
    this.pieces.push(...(isBetter ? other : first))
  }

  private ruby(element: Element, look: Look): void {
    const of = (name: string) => {
      const found = childrenOf(element, name)[0]
      return found ? this.inner(childrenOf(found), look) : ''
    }
    const [base, above] = [of('rubyBase'), of('rt')]
    const { held } = this.document
    if (above === '') this.pieces.push({ text: base, look })
    else this.within({ kind: 'ruby', html: `<ruby>${held.html(base)}<rt>${held.html(above)}</rt></ruby>` })
  }

  /** The text of some runs; what stands aside of it stays aside. */
  private inner(elements: readonly Element[], look: Look): string {
    const inner = new Runs(this.document, look, false)
    inner.read(elements)
    this.pieces.push(...inner.pieces.filter(({ isAside }) => isAside))
    return inner.pieces.flatMap(({ text, isAside }) => (isAside ? [] : [text])).join('')
  }
}

/** The box of a form; undefined: the field is none. */
function boxOf(element: Element): string | undefined {
  const box = inside(element, 'checkBox')
  if (!box) return undefined
  const state = childrenOf(box, 'checked')[0] ?? childrenOf(box, 'default')[0]
  return state && !['0', 'false'].includes(attribute(state, 'val') ?? '') ? '☑' : '□'
}
