import type { Question } from '#src/contract/question.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { plainText } from '#src/domain/text/plainText.ts'

/** Of a hundred pairs that are alike by just so much, 98 are found; of those that are alike by 0.9, all. */
const [BANDS, ROWS] = [8, 4]
const HASHES = BANDS * ROWS
/** Of the pieces that two texts consist of; below it texts of one kind are taken for each other. */
const ALIKE = 0.8
const PIECE = 3
/** Shorter ones are alike by chance. */
const SHORTEST = 12

/** Odd factors of hash functions that differ, always the same ones. */
const FACTORS = Uint32Array.from({ length: HASHES }, (_, i) => (Math.imul(i + 1, 0x9e3779b1) >>> 0) | 1)

/** What a question asks: its Chinese words, and all else. */
export interface Asked {
  words: string
  signs: string
}

/** Null: too short to tell. */
export function askedBy(question: Question): Asked | null {
  const html = htmlOf(question)
  const words = plainText(html)
    .normalize('NFKC')
    .replace(/[^\u4e00-\u9fff]/g, '')
  return words.length < SHORTEST ? null : { words, signs: signsOf(html) }
}

/** Integers, of which questions that say nearly the same share one: bands of the MinHash of their words, each with their signs. */
export function bandsOf({ words, signs }: Asked): number[] {
  const hashes = hashesOf(words)
  const [low, high] = [mixed(LOW, signs), mixed(HIGH, signs)]
  return Array.from({ length: BANDS }, (_, band) => {
    let [a, b] = [low ^ band, high ^ band]
    for (let row = band * ROWS; row < (band + 1) * ROWS; row++) {
      a = Math.imul(a ^ (hashes[row] ?? 0), PRIME)
      b = Math.imul(b ^ (hashes[row] ?? 0), PRIME)
    }
    // As many bits as a number holds exactly.
    return (a >>> 0) * 2 ** 21 + (b >>> 11)
  })
}

/**
 * Whether two say nearly the same, by the share of equal pieces of their words. Where figures, letters or signs differ it is
 * another question, however like the words are.
 */
export function areNear(one: Asked, other: Asked): boolean {
  if (one.signs !== other.signs) return false
  const [some, others] = [piecesOf(one.words), piecesOf(other.words)]
  const shared = [...some].filter((piece) => others.has(piece)).length
  return shared / (some.size + others.size - shared) >= ALIKE
}

const piecesOf = (words: string): Set<string> =>
  new Set(Array.from({ length: words.length - PIECE + 1 }, (_, at) => words.slice(at, at + PIECE)))

const [LOW, HIGH, PRIME] = [0x811c9dc5, 0x9747b28c, 0x01000193]
function mixed(start: number, text: string): number {
  let sum = start
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), PRIME)
  return sum
}

/** Everything that is asked. */
const htmlOf = (question: Question): string =>
  [question, ...partsOf(question)]
    .flatMap((each) => [each.stem, ...('options' in each ? each.options.map(({ html }) => html) : [])])
    .join(' ')

/** Figures, letters, formulae and pictures: all but Chinese words, paragraphs and the marks of sentences. */
const signsOf = (html: string): string =>
  html
    .replace(/<\/?(?:p|br|div|span)\b[^>]*>/g, '')
    .normalize('NFKC')
    .replace(/[\s\u4e00-\u9fff，。、；：？！“”‘’（）()《》,.;:?!"'_]/g, '')

function hashesOf(words: string): Uint32Array {
  const hashes = new Uint32Array(HASHES).fill(0xffffffff)
  for (let at = 0; at + PIECE <= words.length; at++) {
    let piece = LOW
    for (let i = at; i < at + PIECE; i++) piece = Math.imul(piece ^ words.charCodeAt(i), PRIME)
    for (let i = 0; i < HASHES; i++) {
      const one = Math.imul(piece ^ (piece >>> 15), FACTORS[i] ?? 1)
      const value = (one ^ (one >>> 13)) >>> 0
      if (value < (hashes[i] ?? 0)) hashes[i] = value
    }
  }
  return hashes
}
