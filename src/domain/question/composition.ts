import type { EssayQuestion, Length } from '#src/contract/question.ts'

/** Chinese characters and full-width signs, each of which takes a square of 稿纸. */
const SQUARE = String.raw`\p{Script=Han}\u2014\u2018\u2019\u201c\u201d\u2026\u00b7\u3000-\u303f\uff01-\uff60`
/** Teachers go by 字数 as Word counts it: what is written in Latin letters or digits counts one from space to space. */
const CHARACTERS = new RegExp(`[${SQUARE}]|[^\\s${SQUARE}]+`, 'gu')
/** don't, well-known, a.m., 7:00 and 1,000 are a word each. */
const WORDS = /\p{L}(?:\.\p{L})+(?!\p{L})|[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+|[.:,]\p{N}+)*/gu

export const lengthOf = (text: string, unit: Length['unit']): number =>
  [...text.matchAll(unit === 'words' ? WORDS : CHARACTERS)].length

/** Tells in what a text is counted: as its prompt says, else by the language that it is written in. */
export const unitOf = ({ composition }: Pick<EssayQuestion, 'composition'>, text: string): Length['unit'] =>
  composition?.length?.unit ?? (/\p{Script=Han}/u.test(text) || !/\p{L}/u.test(text) ? 'characters' : 'words')

const UNIT_NAMES: Record<Length['unit'], string> = { characters: '字', words: '词' }
export const lengthText = (n: number, unit: Length['unit']): string => `${n} ${UNIT_NAMES[unit]}`

/** Says how much is wanted: 不少于 800 字; '' where nobody says. */
export function wantedText({ unit, least, most, about }: Length): string {
  if (about) return `${lengthText(about, unit)}左右`
  if (least && most) return `${least}～${lengthText(most, unit)}`
  if (least) return `不少于 ${lengthText(least, unit)}`
  return most ? `不超过 ${lengthText(most, unit)}` : ''
}

/** A text may miss a length that is wanted as 左右 by so much. */
const NEAR = 0.1

/** Says how a text stands to what is wanted: 还差 488 字. */
export function standingText({ unit, least, most, about }: Length, n: number): string {
  const from = about ? Math.ceil(about * (1 - NEAR)) : (least ?? 0)
  const to = about ? Math.floor(about * (1 + NEAR)) : (most ?? Infinity)
  if (n < from) return `还差 ${lengthText(from - n, unit)}`
  if (n > to) return `超出 ${lengthText(n - to, unit)}`
  return from > 0 ? '已达到要求' : ''
}
