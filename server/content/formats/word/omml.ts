import { attribute, childrenOf, localName } from '../office/parts.ts'
import { type Element, escaped, textIn } from '../xml.ts'
import { mathTokens } from './mathText.ts'

/** A formula that holds something for which there is no MathML: nothing of it may be shown. */
export class FormulaUnread extends Error {
  override readonly name = 'FormulaUnread'
}

/**
 * A formula of Word (Office Math, ECMA-376 22.1) as MathML.
 * @param isAlone it stands in a line of its own
 * @throws FormulaUnread
 */
export const mathmlOf = (formula: Element, isAlone: boolean): string =>
  `<math${isAlone ? ' display="block"' : ''}>${row(formula)}</math>`

type Read = (element: Element) => string

const child = (of: Element, name: string): Element | undefined => childrenOf(of, name)[0]
/** A property of an element; '' where it is said without a value. */
function property(of: Element, name: string): string | undefined {
  const properties = child(of, `${localName(of)}Pr`)
  const found = properties && child(properties, name)
  return found && (attribute(found, 'val') ?? '')
}
/** A switch that is said without a value is on. */
const isOn = (of: Element, name: string): boolean => !['0', 'false', 'off', undefined].includes(property(of, name))

const items = (of: Element | undefined): string[] => (of ? childrenOf(of).map(read).filter(Boolean) : [])
/** The content of an element as a line. */
const row = (of: Element | undefined): string => items(of).join('')
/** The same as one piece. */
const one = (of: Element | undefined): string => `<mrow>${row(of)}</mrow>`
const part = (of: Element, name: string): string => one(child(of, name))
const isEmpty = (of: Element, name: string): boolean => row(child(of, name)) === ''

/** They say how what stands beside them looks, or where an author was. */
const SILENT =
  /^(?:\w+Pr|proofErr|bookmark(?:Start|End)|comment(?:RangeStart|RangeEnd|Reference)|perm(?:Start|End)|move(?:From|To)Range(?:Start|End)|lastRenderedPageBreak|del|moveFrom)$/
/** Their content is read as if they were not there. */
const CLEAR = /^(?:oMath|oMathPara|e|num|den|sub|sup|deg|lim|fName|ins|moveTo|hyperlink|smartTag|sdt|sdtContent|box)$/

function read(element: Element): string {
  const name = localName(element)
  if (SILENT.test(name)) return ''
  if (name === 'r') return run(element)
  if (CLEAR.test(name)) return row(element)
  const made = Object.hasOwn(READERS, name) ? READERS[name]?.(element) : undefined
  if (made === undefined) throw new FormulaUnread(name)
  return made
}

function run(element: Element): string {
  const properties = childrenOf(element, 'rPr')
  const said = (name: string) => properties.map((each) => child(each, name)).find(Boolean)
  const isHidden = said('vanish')
  if (isHidden && !['0', 'false'].includes(attribute(isHidden, 'val') ?? '')) throw new FormulaUnread('vanish')
  const look = {
    style: attribute(said('sty') ?? element, 'val') ?? 'i',
    script: attribute(said('scr') ?? element, 'val') ?? 'roman',
    // A run of Word's own within a formula is text.
    isText: said('nor') !== undefined || element.name.startsWith('w:'),
  }
  return childrenOf(element)
    .map((each) => {
      const name = localName(each)
      if (name === 't') return mathTokens(mathText(each), look)
      if (name === 'br' || name === 'tab') return '<mspace width="1em"></mspace>'
      if (SILENT.test(name) || name === 'delText') return ''
      throw new FormulaUnread(name)
    })
    .join('')
}

/** Nobody can tell what a sign of a font alone is. */
function mathText(of: Element): string {
  const text = textIn(of)
  if (/[\ue000-\uf8ff]/.test(text)) throw new FormulaUnread('字体里的符号')
  return text
}

const fence = (sign: string, form: 'prefix' | 'postfix'): string =>
  `<mo fence="true" form="${form}" stretchy="true">${escaped(sign)}</mo>`

function delimited(element: Element): string {
  const [open, close, between] = [
    property(element, 'begChr') ?? '(',
    property(element, 'endChr') ?? ')',
    property(element, 'sepChr') ?? '|',
  ]
  const inner = childrenOf(element, 'e')
    .map(row)
    .join(`<mo separator="true" stretchy="true">${escaped(between)}</mo>`)
  // The empty sign behind cases says where they end.
  return `<mrow>${open === '' ? '' : fence(open, 'prefix')}${inner}${close === '' && open === '' ? '' : fence(close, 'postfix')}</mrow>`
}

function fraction(element: Element): string {
  const [over, under] = [part(element, 'num'), part(element, 'den')]
  const kind = property(element, 'type')
  if (kind === 'lin' || kind === 'skw') return `<mrow>${over}<mo>/</mo>${under}</mrow>`
  return `<mfrac${kind === 'noBar' ? ' linethickness="0"' : ''}>${over}${under}</mfrac>`
}

const INTEGRALS = /^[∫∬∭∮∯∰∱∲∳]$/
function nary(element: Element): string {
  const sign = property(element, 'chr') || '∫'
  const place = property(element, 'limLoc') ?? (INTEGRALS.test(sign) ? 'subSup' : 'undOvr')
  const has = (name: 'sub' | 'sup') => !isOn(element, `${name}Hide`) && !isEmpty(element, name)
  const [low, high] = [has('sub') ? part(element, 'sub') : '', has('sup') ? part(element, 'sup') : '']
  const names = place === 'undOvr' ? ['munder', 'mover', 'munderover'] : ['msub', 'msup', 'msubsup']
  const name = low && high ? names[2] : low ? names[0] : high ? names[1] : undefined
  const big = `<mo movablelimits="false">${escaped(sign)}</mo>`
  return `<mrow>${name === undefined ? big : `<${name}>${big}${low}${high}</${name}>`}${part(element, 'e')}</mrow>`
}

/** Marks that combine with a letter, as signs of their own. */
const ACCENTS: Record<string, string> = {
  '\u0300': '`',
  '\u0301': '´',
  '\u0302': '^',
  '\u0303': '~',
  '\u0304': '‾',
  '\u0305': '‾',
  '\u0306': '˘',
  '\u0307': '˙',
  '\u0308': '¨',
  '\u030c': 'ˇ',
  '\u033f': '‾',
  '\u20d6': '←',
  '\u20d7': '→',
  '\u20d0': '↼',
  '\u20d1': '⇀',
  '\u20db': '⃛',
  '\u20e1': '↔',
}
function accented(element: Element): string {
  const mark = property(element, 'chr') || '\u0302'
  const sign = ACCENTS[mark] ?? mark
  const isWide = childrenOf(child(element, 'e') ?? element).length > 1 || row(child(element, 'e')).includes('><m')
  return `<mover accent="true">${part(element, 'e')}<mo stretchy="${isWide}">${escaped(sign)}</mo></mover>`
}

function grouped(element: Element): string {
  const sign = property(element, 'chr') || '⏟'
  const over = (property(element, 'pos') ?? 'bot') === 'top'
  return stacked(over ? 'mover' : 'munder', part(element, 'e'), `<mo stretchy="true">${escaped(sign)}</mo>`)
}
const stacked = (name: string, base: string, mark: string): string => `<${name}>${base}${mark}</${name}>`

/** A box around nothing is a gap. Strokes through a formula have no MathML that phones draw. */
function boxed(element: Element): string {
  if (['strikeH', 'strikeV', 'strikeBLTR', 'strikeTLBR'].some((name) => isOn(element, name)))
    throw new FormulaUnread('删除线')
  return isEmpty(element, 'e') ? '<mo>□</mo>' : `<menclose notation="box">${part(element, 'e')}</menclose>`
}

const ALIGNED: Record<string, string> = { left: 'left', right: 'right' }
function matrix(element: Element): string {
  const cells = childrenOf(element, 'mr').map((each) => childrenOf(each, 'e'))
  const width = cells.reduce((most, { length }) => Math.max(most, length), 0)
  const columns = childrenOf(child(child(element, 'mPr') ?? element, 'mcs') ?? element, 'mc').flatMap((each) => {
    const properties = child(each, 'mcPr')
    const value = (name: string) => attribute((properties && child(properties, name)) ?? element, 'val')
    const length = Math.min(width, Number(value('count') ?? 1) || 1)
    return Array.from({ length }, () => ALIGNED[value('mcJc') ?? ''] ?? 'center')
  })
  const aligned = columns.some((each) => each !== 'center') ? ` columnalign="${columns.join(' ')}"` : ''
  const rows = cells.map((each) => `<mtr>${each.map((cell) => `<mtd>${row(cell)}</mtd>`).join('')}</mtr>`)
  return `<mtable${aligned}>${rows.join('')}</mtable>`
}

/** An & says where rows below each other line up, and # what stands before the number of the formula. */
const lines: Read = (element) =>
  `<mtable columnalign="left">${childrenOf(element, 'e')
    .map(row)
    .map((line) => line.replaceAll('<mo>&amp;</mo>', '').replaceAll('<mo>#</mo>', '<mspace width="2em"></mspace>'))
    .map((line) => `<mtr><mtd>${line}</mtd></mtr>`)
    .join('')}</mtable>`

const scripted = (name: string, ...parts: string[]): Read => {
  return (element) => `<${name}>${['e', ...parts].map((each) => part(element, each)).join('')}</${name}>`
}

const READERS: Record<string, Read> = {
  f: fraction,
  sSup: scripted('msup', 'sup'),
  sSub: scripted('msub', 'sub'),
  sSubSup: scripted('msubsup', 'sub', 'sup'),
  sPre: (element) =>
    `<mmultiscripts>${part(element, 'e')}<mprescripts></mprescripts>${part(element, 'sub')}${part(element, 'sup')}</mmultiscripts>`,
  rad: (element) =>
    isOn(element, 'degHide') || isEmpty(element, 'deg')
      ? `<msqrt>${row(child(element, 'e'))}</msqrt>`
      : `<mroot>${part(element, 'e')}${part(element, 'deg')}</mroot>`,
  nary,
  d: delimited,
  func: (element) => `<mrow>${row(child(element, 'fName'))}<mo>\u2061</mo>${part(element, 'e')}</mrow>`,
  limLow: scripted('munder', 'lim'),
  limUpp: scripted('mover', 'lim'),
  acc: accented,
  bar: (element) =>
    (property(element, 'pos') ?? 'bot') === 'top'
      ? stacked('mover', part(element, 'e'), '<mo stretchy="true">‾</mo>')
      : stacked('munder', part(element, 'e'), '<mo stretchy="true">_</mo>'),
  groupChr: grouped,
  borderBox: boxed,
  m: matrix,
  eqArr: lines,
  phant: (element) =>
    ['0', 'false', 'off'].includes(property(element, 'show') ?? '1')
      ? `<mphantom>${row(child(element, 'e'))}</mphantom>`
      : part(element, 'e'),
}
