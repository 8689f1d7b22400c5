import { format } from 'numfmt'
import { attribute, childrenOf, localName, type Parts } from '../office/parts.ts'
import { type Element, textIn } from '../xml.ts'

/** A cell shows this: as HTML where it has marks of its own, and without them. */
export interface Shown {
  html: string
  text: string
  isDate?: boolean
}
interface Look {
  format: string
  marks: readonly Mark[]
}
export type Mark = 'sup' | 'sub' | 'b' | 's' | 'u' | 'i'

/**
 * Number formats that files name by their number alone (ECMA-376, 18.8.30), as a Chinese spreadsheet program shows them. Dates of
 * the system, 14 and 22, and those from 27 on are another's elsewhere.
 */
const FORMATS = new Map<number, string>(
  Object.entries({
    1: '0',
    2: '0.00',
    3: '#,##0',
    4: '#,##0.00',
    9: '0%',
    10: '0.00%',
    11: '0.00E+00',
    12: '# ?/?',
    13: '# ??/??',
    14: 'yyyy/m/d',
    15: 'd-mmm-yy',
    16: 'd-mmm',
    17: 'mmm-yy',
    18: 'h:mm AM/PM',
    19: 'h:mm:ss AM/PM',
    20: 'h:mm',
    21: 'h:mm:ss',
    22: 'yyyy/m/d h:mm',
    27: 'yyyy"年"m"月"',
    28: 'm"月"d"日"',
    29: 'm"月"d"日"',
    30: 'm-d-yy',
    31: 'yyyy"年"m"月"d"日"',
    32: 'h"时"mm"分"',
    33: 'h"时"mm"分"ss"秒"',
    34: '上午/下午h"时"mm"分"',
    35: '上午/下午h"时"mm"分"ss"秒"',
    36: 'yyyy"年"m"月"',
    37: '#,##0;-#,##0',
    38: '#,##0;-#,##0',
    39: '#,##0.00;-#,##0.00',
    40: '#,##0.00;-#,##0.00',
    45: 'mm:ss',
    46: '[h]:mm:ss',
    47: 'mm:ss.0',
    48: '##0.0E+0',
    49: '@',
    50: 'yyyy"年"m"月"',
    51: 'm"月"d"日"',
    52: 'yyyy"年"m"月"',
    53: 'm"月"d"日"',
    54: 'm"月"d"日"',
    55: '上午/下午h"时"mm"分"',
    56: '上午/下午h"时"mm"分"ss"秒"',
    57: 'yyyy"年"m"月"',
    58: 'm"月"d"日"',
  }).map(([no, code]) => [Number(no), code]),
)
const GENERAL: Look = { format: 'General', marks: [] }

/** Reads how each style of a workbook makes a cell look. */
export function looksIn(parts: Parts): (style: number) => Look {
  const formats = new Map(FORMATS)
  const fonts: Mark[][] = []
  const looks: Look[] = []
  parts.each('xl/styles.xml', ['numFmts', 'fonts', 'cellXfs'], (group) => {
    for (const each of childrenOf(group)) {
      const of = (name: string) => Number(attribute(each, name) ?? 0)
      if (localName(group) === 'numFmts') formats.set(of('numFmtId'), attribute(each, 'formatCode') ?? 'General')
      // A whole cell that is bold or underlined is a heading or a link.
      else if (localName(group) === 'fonts') fonts.push(marksOf(each).filter((mark) => !'bui'.includes(mark)))
      else looks.push({ format: formats.get(of('numFmtId')) ?? 'General', marks: fonts[of('fontId')] ?? [] })
    }
  })
  return (style) => looks[style] ?? GENERAL
}

const isOn = (element: Element): boolean => !['0', 'false', 'none'].includes(attribute(element, 'val') ?? '')
function marksOf(properties: Element): Mark[] {
  return childrenOf(properties).flatMap((each): Mark[] => {
    const name = localName(each)
    if (name === 'vertAlign')
      return { superscript: ['sup' as const], subscript: ['sub' as const] }[attribute(each, 'val') ?? ''] ?? []
    if (name === 'strike') return isOn(each) ? ['s'] : []
    return (name === 'b' || name === 'u' || name === 'i') && isOn(each) ? [name] : []
  })
}

/** Text in runs, each with its own look: of a shared string, or within a cell. */
export function runsOf(item: Element, look: Look = GENERAL): Shown {
  const runs = childrenOf(item).flatMap((each) => {
    if (localName(each) === 't') return [{ text: unescaped(textIn(each)), marks: look.marks }]
    if (localName(each) !== 'r') return []
    const properties = childrenOf(each, 'rPr')[0]
    const text = childrenOf(each, 't').map(textIn).join('')
    return [{ text: unescaped(text), marks: properties ? marksOf(properties) : look.marks }]
  })
  const worded = runs.filter(({ text }) => text.trim() !== '')
  // A mark that the whole cell has is the look of its column.
  const plain = (['b', 'u', 'i'] as const).filter((mark) => worded.every(({ marks }) => marks.includes(mark)))
  return {
    text: runs.map(({ text, marks }) => raised(text, marks)).join(''),
    html: runs
      .map(({ text, marks }) =>
        marked(
          text,
          marks.filter((mark) => !plain.includes(mark as 'b')),
        ),
      )
      .join(''),
  }
}

/** Marks end with their line, which becomes a paragraph. */
const marked = (text: string, marks: readonly Mark[]): string =>
  marks.reduce(
    (html, mark) =>
      html
        .split('\n')
        .map((line) => (line.trim() === '' ? line : `<${mark}>${line}</${mark}>`))
        .join('\n'),
    text,
  )

const [UP, DOWN] = ['⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ', '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙ']
const LINE = '0123456789+-=()n'
/** Keeps 10³ from becoming 103 without marks: characters that stand high or low say so themselves, others behind a sign. */
function raised(text: string, marks: readonly Mark[]): string {
  const row = marks.includes('sup') ? UP : marks.includes('sub') ? DOWN : null
  if (row === null || text.trim() === '') return text
  const signs = Array.from(text.replaceAll('−', '-'), (sign) => row[LINE.indexOf(sign)])
  return signs.every((sign) => sign !== undefined) ? signs.join('') : `${row === UP ? '^' : '_'}(${text})`
}

/** `_x000D_` is how a sheet writes a character that XML cannot hold. */
const unescaped = (text: string): string =>
  text
    .replaceAll(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\0', '')

const DAYS_TO_1904 = 1462
/** A number as the sheet shows it: 25%, 1月2日, 1:02, 0.50, 1.0E+05. */
export function shownNumber(value: string, look: Look, is1904: boolean): Shown {
  const number = Number(value)
  if (value === '' || !Number.isFinite(number)) return { html: value, text: value }
  const code = look.format.replaceAll('上午/下午', 'AM/PM')
  const isDate = DATE.test(code.replaceAll(/"[^"]*"|\\.|\[[^\]hms][^\]]*\]/g, ''))
  // From twelve figures on the general look is an exponent, which nobody has written.
  const isPlain = code === 'General' && Number.isInteger(number) && Math.abs(number) < 1e15
  const text = isPlain ? String(number) : shownBy(code, isDate && is1904 ? number + DAYS_TO_1904 : number)
  return { html: marked(text, look.marks), text: raised(text, look.marks), isDate }
}
const DATE = /[ymdhs]/i

/** Text, too, may have a format: `"第"@"题"`. */
export const shownText = (shown: Shown, { format: code }: Look): Shown =>
  code.includes('@') && code !== '@' ? { html: shownBy(code, shown.text), text: shownBy(code, shown.text) } : shown

const OVERFLOW = '######'
function shownBy(code: string, value: number | string): string {
  const shown = format(code, value, { locale: 'zh-CN', throws: false, overflow: OVERFLOW, invalid: OVERFLOW })
  return shown === OVERFLOW ? String(value) : shown.trim()
}
