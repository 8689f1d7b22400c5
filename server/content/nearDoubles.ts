import type { Question } from '#src/contract/question.ts'
import { partsOf } from '#src/domain/study.ts'
import { plainText } from '#src/domain/text.ts'

const HASHES = 64
const ROWS = 4
/** Of the pieces that two texts consist of; below it texts of one kind are taken for each other. */
const ALIKE = 0.8
const PIECE = 3
/** Shorter ones are alike by chance. */
const SHORTEST = 12

/** Odd factors of hash functions that differ, always the same ones. */
const FACTORS = Uint32Array.from({ length: HASHES }, (_, i) => (Math.imul(i + 1, 0x9e3779b1) >>> 0) | 1)

/** Of a question, what tells whether another says nearly the same. */
export interface Sketch {
  hashes: Uint32Array
  signs: string
}

/**
 * Sketches what a question asks, to find those that say nearly the same: the shares of equal pieces of their texts are estimated by
 * MinHash, candidates found by bands of it. Where figures, letters or signs differ it is another question, however like the words
 * are. Null: too short to tell.
 */
export function sketchOf(question: Question): Sketch | null {
  const html = htmlOf(question)
  const words = plainText(html)
    .normalize('NFKC')
    .replace(/[^\u4e00-\u9fff]/g, '')
  return words.length < SHORTEST ? null : { hashes: hashesOf(words), signs: signsOf(html) }
}

/** Integers, of which sketches that are near to each other share one. */
export function bandsOf({ hashes, signs }: Sketch): number[] {
  const [low, high] = [mixed(LOW, signs), mixed(HIGH, signs)]
  return Array.from({ length: HASHES / ROWS }, (_, band) => {
    const some = [band, ...hashes.subarray(band * ROWS, (band + 1) * ROWS)]
    const [a, b] = [low, high].map((start) => some.reduce((sum, each) => Math.imul(sum ^ each, PRIME), start) >>> 0)
    // As many bits as a number holds exactly.
    return (a ?? 0) * 2 ** 21 + ((b ?? 0) >>> 11)
  })
}

export const areNear = (one: Sketch, other: Sketch): boolean =>
  one.signs === other.signs && likeness(one.hashes, other.hashes) >= ALIKE

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
    const piece = mixed(LOW, words.slice(at, at + PIECE))
    for (let i = 0; i < HASHES; i++) {
      const one = Math.imul(piece ^ (piece >>> 15), FACTORS[i] ?? 1)
      const value = (one ^ (one >>> 13)) >>> 0
      if (value < (hashes[i] ?? 0)) hashes[i] = value
    }
  }
  return hashes
}

const likeness = (a: Uint32Array, b: Uint32Array): number =>
  a.reduce((same, value, i) => same + (value === b[i] ? 1 : 0), 0) / HASHES
