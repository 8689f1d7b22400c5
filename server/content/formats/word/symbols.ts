/** Letters of fonts whose characters are pictures: what a person sees for each of them. */

const from = (first: number, signs: string): [number, string][] =>
  Array.from(signs, (sign, i): [number, string] => [first + i, sign]).filter(([, sign]) => sign !== '\0')
const at = (signs: Record<number, string>): [number, string][] =>
  Object.entries(signs).map(([code, sign]) => [Number(code), sign])

const SYMBOL = new Map([
  ...from(0x20, ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼'),
  ...from(0xa1, 'ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑'),
  ...at({ 0xf1: '〉', 0xf2: '∫' }),
])
const WINGDINGS = new Map([
  ...from(0x80, '⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿'),
  ...at({ 0x20: ' ', 0x28: '☎', 0x45: '☜', 0x46: '☞', 0x47: '☝', 0x4a: '☺', 0x4c: '☹' }),
  ...at({ 0x6c: '●', 0x6e: '■', 0x6f: '□', 0x71: '❑', 0x72: '❒', 0x75: '◆', 0x76: '❖', 0x77: '◆' }),
  ...at({ 0x9f: '•', 0xa1: '○', 0xa4: '◉', 0xa7: '▪', 0xa8: '□', 0xab: '★', 0xb2: '✧' }),
  ...at({ 0xd8: '➢', 0xdf: '←', 0xe0: '→', 0xe1: '↑', 0xe2: '↓', 0xe8: '➔', 0xf0: '⇨' }),
  ...at({ 0xfb: '✗', 0xfc: '✓', 0xfd: '☒', 0xfe: '☑' }),
])
const WINGDINGS_2 = new Map([
  ...from(0x69, '⓪①②③④⑤⑥⑦⑧⑨⑩'),
  ...from(0x75, '❶❷❸❹❺❻❼❽❾❿'),
  ...at({ 0x20: ' ', 0x4f: '✗', 0x50: '✓', 0x51: '☒', 0x52: '☑', 0x53: '☒', 0x54: '☒', 0x98: '●', 0xa3: '□' }),
])
const WEBDINGS = new Map(at({ 0x20: ' ', 0x61: '✓', 0x63: '□', 0x67: '■', 0x72: '✗' }))
const NONE: ReadonlyMap<number, string> = new Map()

const FONTS: Record<string, ReadonlyMap<number, string>> = {
  symbol: SYMBOL,
  'mt symbol': SYMBOL,
  'euclid symbol': SYMBOL,
  wingdings: WINGDINGS,
  'wingdings 2': WINGDINGS_2,
  'wingdings 3': NONE,
  webdings: WEBDINGS,
  'zapf dingbats': NONE,
  zapfdingbats: NONE,
  'mt extra': NONE,
  'euclid extra': NONE,
  'euclid math one': NONE,
  'euclid math two': NONE,
}

export const isSymbolFont = (font: string): boolean => Object.hasOwn(FONTS, font.trim().toLowerCase())

/** Returns what a font shows for a code; null: not known. Files write the code with or without F000 before it. */
export const symbolOf = (font: string, code: number): string | null =>
  FONTS[font.trim().toLowerCase()]?.get(code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code) ?? null
