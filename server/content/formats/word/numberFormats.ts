const FIGURES = '〇一二三四五六七八九'
const LEGAL = '零壹贰叁肆伍陆柒捌玖'
const UNITS = ['', '十', '百', '千']
const LEGAL_UNITS = ['', '拾', '佰', '仟']

/** 十二, 一百零五: as one counts. */
function counted(n: number, figures: string, units: readonly string[], zero: string): string {
  if (n === 0) return figures[0] ?? ''
  let text = ''
  const digits = Array.from(String(n), Number)
  for (const [i, digit] of digits.entries()) {
    if (digit !== 0) text += (figures[digit] ?? '') + (units[digits.length - 1 - i] ?? '')
    else if (!text.endsWith(zero) && digits.slice(i).some((each) => each !== 0)) text += zero
  }
  // 十二 begins without its 一.
  return n >= 10 && n < 20 && figures === FIGURES ? text.slice(1) : text
}

/** After Z comes AA, then BB. */
const lettered = (n: number, first: string): string =>
  String.fromCharCode(first.charCodeAt(0) + ((n - 1) % 26)).repeat(Math.ceil(n / 26))

const ROMAN: [number, string][] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
]
function roman(n: number): string {
  let [rest, text] = [n, '']
  for (const [value, letters] of ROMAN) for (; rest >= value; rest -= value) text += letters
  return text
}

const among = (signs: string, n: number): string | null => Array.from(signs)[n - 1] ?? null
const CIRCLED = '①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳'
const counting = (n: number) => (n < 10_000 ? counted(n, FIGURES, UNITS, '零') : null)
const digital = (n: number) => Array.from(String(n), (digit) => FIGURES[Number(digit)]).join('')
const legal = (n: number) => (n < 10_000 ? counted(n, LEGAL, LEGAL_UNITS, '零') : null)
const stems = (n: number) => among('甲乙丙丁戊己庚辛壬癸', n)

/** The formats of ECMA-376 (17.18.59) that Chinese files use. Brackets and dots that belong to a number are written out. */
const FORMATS: Record<string, (n: number) => string | null> = {
  decimal: String,
  decimalHalfWidth: String,
  decimalFullWidth: String,
  decimalFullWidth2: String,
  decimalZero: (n) => String(n).padStart(2, '0'),
  decimalEnclosedCircle: (n) => among(CIRCLED, n),
  decimalEnclosedCircleChinese: (n) => among(CIRCLED, n),
  decimalEnclosedFullstop: (n) => `${n}.`,
  decimalEnclosedParen: (n) => `(${n})`,
  upperLetter: (n) => lettered(n, 'A'),
  lowerLetter: (n) => lettered(n, 'a'),
  upperRoman: roman,
  lowerRoman: (n) => roman(n).toLowerCase(),
  chineseCounting: counting,
  chineseCountingThousand: counting,
  japaneseCounting: counting,
  taiwaneseCounting: counting,
  taiwaneseCountingThousand: counting,
  ideographDigital: digital,
  japaneseDigitalTenThousand: digital,
  taiwaneseDigital: digital,
  chineseLegalSimplified: legal,
  ideographLegalTraditional: (n) => (n < 10 ? (Array.from('壹貳參肆伍陸柒捌玖')[n - 1] ?? null) : null),
  ideographTraditional: stems,
  ideographZodiac: (n) => among('子丑寅卯辰巳午未申酉戌亥', n),
  ideographEnclosedCircle: (n) => among('㊀㊁㊂㊃㊄㊅㊆㊇㊈㊉', n),
  none: () => '',
}

/** Word counts no further, and some formats would write a letter for each step. */
const MOST_COUNTED = 32_767
/** A number as its list shows it; null: the format is not known, or has no such number. */
export const formatted = (n: number, format: string): string | null =>
  Number.isInteger(n) && n >= 0 && n <= MOST_COUNTED && Object.hasOwn(FORMATS, format)
    ? (FORMATS[format]?.(n) ?? null)
    : null
