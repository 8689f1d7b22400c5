import { ordinaryCharacters } from './text.ts'

/** A piece of a line on the screen; `hit`: it is what was asked for. */
export interface Piece {
  text: string
  hit: boolean
}

/** Spaces, what cannot be seen, and punctuation; not what numbers and formulae are written with. `x^2` is typed for x². */
const DROPPED = /(?:[\s\p{Cf}^]|(?![.%/*-])\p{P})+/gu
/** Arrows, bars and dots over a letter, which no keyboard has (domain/text/formulaLine.ts). */
const OVER_LETTERS = /[\u0302-\u0304\u0307\u0308\u0311\u20D6\u20D7]/g
/** Signs as a keyboard has them. */
const TYPED: Readonly<Record<string, string>> = {
  '−': '-',
  '×': '*',
  '÷': '/',
  '⁄': '/',
  '≥': '>=',
  '≤': '<=',
  '⩾': '>=',
  '⩽': '<=',
}

/** What is compared: width, case, spaces and punctuation do not count, ² is 2 and ≥ is >=. */
export const fold = (text: string): string =>
  ordinaryCharacters(text)
    .replace(OVER_LETTERS, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[−×÷⁄≥≤⩾⩽]/g, (sign) => TYPED[sign] ?? sign)
    .replace(DROPPED, '')

/** Nobody types more characters, once folded; a pasted stem finds its question by its beginning. */
const LONGEST = 50
/** We look at no more of a pasted text: some single signs fold to eighteen characters. */
const LOOKED_AT = 500

/** Each word must be found; together they need not stand. */
export function termsOf(text: string): string[] {
  const terms = new Set<string>()
  let left = LONGEST
  for (const word of text.slice(0, LOOKED_AT).split(/\s+/)) {
    const term = Array.from(fold(word)).slice(0, left)
    left -= term.length
    if (term.length > 0) terms.add(term.join(''))
  }
  return [...terms]
}

const BEFORE = 18
const LENGTH = 90

/** The stretch of a text around the first of these words, with all of them marked. */
export function snippet(text: string, terms: readonly string[]): Piece[] {
  const marks = marksOf(text, terms)
  const first = marks.indexOf(true)
  const from = first - BEFORE > BEFORE ? first - BEFORE : 0
  const to = Math.min(text.length, from + LENGTH)
  const ends = (cut: boolean): Piece[] => (cut ? [{ text: '…', hit: false }] : [])
  return [...ends(from > 0), ...piecesOf(text, marks, from, to), ...ends(to < text.length)]
}

/** Texts that stand behind one another, with all of these words marked, also where one lies across two texts. */
export function markedIn(texts: readonly string[], terms: readonly string[]): Piece[][] {
  const whole = texts.join('')
  const marks = marksOf(whole, terms)
  let at = 0
  return texts.map(({ length }) => piecesOf(whole, marks, at, (at += length)))
}

function piecesOf(text: string, marks: readonly boolean[], from: number, to: number): Piece[] {
  const pieces: Piece[] = []
  for (let i = from; i < to; i++) {
    const hit = marks[i] ?? false
    const last = pieces.at(-1)
    if (last?.hit === hit) last.text += text[i] ?? ''
    else pieces.push({ text: text[i] ?? '', hit })
  }
  return pieces
}

const folds = new Map<string, string>()
/** Of one character. Remembered: the lines of a list hold ten thousand, of which few differ. */
function foldOne(char: string): string {
  const known = folds.get(char)
  if (known !== undefined) return known
  const folded = fold(char)
  folds.set(char, folded)
  return folded
}

/** By UTF-16 unit of the text: whether it belongs to one of the words. */
function marksOf(text: string, terms: readonly string[]): boolean[] {
  let folded = ''
  const origins: number[] = []
  let at = 0
  for (const char of text) {
    const own = foldOne(char)
    for (let i = 0; i < own.length; i++) origins.push(at)
    folded += own
    at += char.length
  }
  const marks = Array.from({ length: text.length }, () => false)
  for (const term of terms)
    for (let found = folded.indexOf(term); found !== -1; found = folded.indexOf(term, found + term.length)) {
      const last = origins[found + term.length - 1] ?? 0
      marks.fill(true, origins[found], last + ((text.codePointAt(last) ?? 0) > 0xff_ff ? 2 : 1))
    }
  return marks
}
