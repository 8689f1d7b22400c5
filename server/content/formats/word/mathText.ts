import { escaped } from '../xml.ts'

/** It says how the letters of a run in a formula look. */
export interface MathLook {
  /** m:sty: p upright, b bold, i italic, bi both. */
  style: string
  /** m:scr: another alphabet. */
  script: string
  /** m:nor: words. */
  isText: boolean
}

/** An alphabet of mathematics begins here in Unicode; some of its letters have stood elsewhere before. */
const ALPHABETS: Record<string, { first: number; others?: Record<string, string> }> = {
  b: { first: 0x1_d4_00 },
  bi: { first: 0x1_d4_68 },
  'double-struck': { first: 0x1_d5_38, others: { C: 'ℂ', H: 'ℍ', N: 'ℕ', P: 'ℙ', Q: 'ℚ', R: 'ℝ', Z: 'ℤ' } },
  script: {
    first: 0x1_d4_9c,
    others: { B: 'ℬ', E: 'ℰ', F: 'ℱ', H: 'ℋ', I: 'ℐ', L: 'ℒ', M: 'ℳ', R: 'ℛ', e: 'ℯ', g: 'ℊ', o: 'ℴ' },
  },
  fraktur: { first: 0x1_d5_04, others: { C: 'ℭ', H: 'ℌ', I: 'ℑ', R: 'ℜ', Z: 'ℨ' } },
  'sans-serif': { first: 0x1_d5_a0 },
  monospace: { first: 0x1_d6_70 },
}

function inAlphabet(letter: string, name: string): string {
  const alphabet = ALPHABETS[name]
  if (!alphabet || !/^[A-Za-z]$/.test(letter)) return letter
  const code = letter.charCodeAt(0)
  return alphabet.others?.[letter] ?? String.fromCodePoint(alphabet.first + (code <= 90 ? code - 65 : code - 71))
}

/** Word writes italic letters as such; MathML makes every letter italic by itself. */
const plainLetter = (letter: string): string =>
  /^(?:[\u{1d434}-\u{1d467}\u{1d6e2}-\u{1d71b}]|ℎ)$/u.test(letter) ? letter.normalize('NFKC') : letter

const TOKEN = /\d+(?:\.\d+)?|[A-Za-z]+|[\u3000-\u9fff\uff00-\uffef]+|\s+|.\p{M}*/gu
const isLetter = (text: string): boolean => /^[\p{L}\u{1d400}-\u{1d7cb}]\p{M}*$/u.test(text)
const FUNCTION = /^(?:arc)?(?:sin|cos|tan|cot|sec|csc|tg|ctg)h?$|^(?:ln|lg|log|exp|lim|max|min|det|mod|arg)$/

/** The text of a run as tokens of MathML. */
export function mathTokens(text: string, look: MathLook): string {
  if (look.isText) return `<mtext>${escaped(text.replaceAll(' ', '\u00a0'))}</mtext>`
  return Array.from(text.matchAll(TOKEN), ([token]) => tokenOf(token, look)).join('')
}

function tokenOf(token: string, { style, script }: MathLook): string {
  if (/^\d/.test(token)) return `<mn>${style === 'b' ? bold(token) : token}</mn>`
  if (/^\s+$/.test(token)) return '<mspace width="0.2778em"></mspace>'
  if (/^[\u3000-\u9fff\uff00-\uffef]/.test(token)) return `<mtext>${escaped(token)}</mtext>`
  if (/^[A-Za-z]+$/.test(token)) return letters(token, style, script)
  if (isLetter(token)) return identifier(plainLetter(token), style)
  return `<mo>${escaped(OPERATORS[token] ?? token)}</mo>`
}
const OPERATORS: Record<string, string> = { '-': '−', "'": '′' }

/** Upright letters in a row are a word: cm, NaOH, sin. */
function letters(word: string, style: string, script: string): string {
  if (ALPHABETS[script]) return mapped(word, script)
  if (style === 'b' || style === 'bi') return mapped(word, style)
  if (FUNCTION.test(word)) return `<mi>${word}</mi>`
  if (style === 'p') return word.length > 1 ? `<mi>${word}</mi>` : identifier(word, style)
  return Array.from(word, (letter) => identifier(letter, style)).join('')
}
const mapped = (word: string, name: string): string =>
  Array.from(word, (letter) => `<mi>${inAlphabet(letter, name)}</mi>`).join('')
const identifier = (letter: string, style: string): string =>
  style === 'p' ? `<mi mathvariant="normal">${letter}</mi>` : `<mi>${letter}</mi>`
const bold = (number: string): string =>
  Array.from(number, (digit) => (digit === '.' ? '.' : String.fromCodePoint(0x1_d7_ce + Number(digit)))).join('')
