/** A hyphen is also a minus, "to" and nothing at all: what stands around it tells which. */
const HYPHENS = /[\u2010\u2011]/g
/** These are a minus wherever they stand. */
const MINUSES = /[\u2212\uFF0D]/g

const DATE = /(^|[^\d-])([12]\d{3})-(0?[1-9]|1[0-2])-(0?[1-9]|[12]\d|3[01])(?![\d-])/g
const MONTH = /(^|[^\d-])([12]\d{3})-(0[1-9]|1[0-2])(?![\d年-])/g
const PHONE = /(^|[^\d-])(0\d{2,3}-\d{7,8}|[48]00-\d{3}-?\d{4}|1\d{2}-\d{4}-\d{4})(?![\d-])/g
const DIGITS = '零一二三四五六七八九'
const digitByDigit = (phone: string): string =>
  phone.replace(/\d/g, (digit) => DIGITS[Number(digit)] ?? '').replaceAll('-', '，')

/** Pictures, standards, rifles and the like have numbers with a stroke in them. */
const NUMBERED = /([图表式例卷]\s?\d+|[A-Z][ -]?\d+(?:\.\d+)?)-(?=\d)|(\d)-(?=\d+\s?[式型])/g
const CHAIN = /\d+(?:-\d+){2,}/g

/** Figures, letters and signs side by side, as far as no word interrupts them. */
const RUN = /(?:[\w.()（）√%⁰¹²³⁴-⁹⁺⁻ⁿ₀-₉\u0370-\u03FF]| ?[-\u2212+*/=×÷＝＋≈≤≥<>] ?)+/g
const CALCULATES = /[=＝+＋×÷*≈≤≥<>\u2212]|\d\/\d/
const MINUS = /([\w.)）%⁰¹²³⁴-⁹ⁿ₀-₉\u0370-\u03FF]) ?[-\u2212] ?(?=[\w.(（√\u0370-\u03FF])/g
const calculated = (run: string): string =>
  CALCULATES.test(run)
    ? run
        .replace(MINUS, '$1减')
        .replace(/[-\u2212](?=[\w.(（√\u0370-\u03FF])/g, '负')
        .replaceAll('+', '加')
    : run

const RANGE =
  /(\d[\d.:：]*)(\s?(?:[%‰℃°年月日号天周时点分秒岁米元人次页章]|km|cm|mm|kg|min|mol|mL))?\s*(——?|[–~～-])\s*(?=((?:零下|负|-)?\d[\d.:：]*))/g
/** Without a unit, 10-3 is a difference; 1937-45 are years. */
function ranged(_: string, from: string, unit = '', stroke: string, to: string): string {
  const isYears = from.length === 4 && to.length === 2
  return from + unit + (stroke === '-' && unit === '' && !isYears && Number(from) > Number(to) ? '减' : '到')
}

const FROST = /(^|[^\w)）])[-\u2212](?=\d+(?:\.\d+)?\s*(?:℃|°C|摄氏度))/g
/** After these words stands an amount; after a name, as in 歼-20, the number of a model. */
const NEGATIVE =
  /(^|[\s，。、；：,;:（(“"[【为是得于至到约取即从和与或由比成在有示上去加减^])-(?=[\d(（]|[a-z](?![A-Za-z]))/g
const LETTER_MINUS = /(^|[^A-Za-z])(?:([a-z])-(?=\d)|(\d)-(?=[a-z](?![A-Za-z])))/g
const REAL_MINUS = /([\p{L}\p{N})）%℃])?(\s?)\u2212/gu

/** Strokes in words as far as they are read at all; those within words and names are not. */
export const spokenHyphens = (text: string): string =>
  text
    .replace(HYPHENS, '-')
    .replace(MINUSES, '\u2212')
    .replace(
      DATE,
      (_, before: string, year: string, month: string, day: string) =>
        `${before}${year}年${Number(month)}月${Number(day)}日`,
    )
    .replace(MONTH, (_, before: string, year: string, month: string) => `${before}${year}年${Number(month)}月`)
    .replace(PHONE, (_, before: string, phone: string) => before + digitByDigit(phone))
    .replace(NUMBERED, '$1$2杠')
    .replace(CHAIN, (chain) => chain.replaceAll('-', '杠'))
    .replace(FROST, '$1零下')
    .replace(RUN, calculated)
    .replace(RANGE, ranged)
    .replace(NEGATIVE, '$1负')
    .replace(LETTER_MINUS, '$1$2$3减')
    .replace(REAL_MINUS, (_, before = '', space: string) => (before ? `${before}减` : `${space}负`))
    .replace(/ ?- ?/g, ' ')
