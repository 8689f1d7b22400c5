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

interface Kept {
  at: string
  sketch: Uint32Array
  signs: string
}

/**
 * Finds questions that say nearly the same: the shares of equal pieces of their texts are estimated by MinHash, candidates found by
 * bands of it. Where figures, letters or signs differ it is another question, however like the words are.
 */
export class NearDoubles {
  private readonly kept: Kept[] = []
  private readonly bands = new Map<string, number[]>()

  /** The place of a question before that this one is nearly the same as; null: none. Keeps this one. */
  find(question: Question, at: string): string | null {
    const html = htmlOf(question)
    const words = plainText(html)
      .normalize('NFKC')
      .replace(/[^\u4e00-\u9fff]/g, '')
    if (words.length < SHORTEST) return null
    const one = { at, sketch: sketchOf(words), signs: signsOf(html) }
    const found = this.like(one)
    this.keep(one)
    return found?.at ?? null
  }

  private like(one: Kept): Kept | undefined {
    const candidates = new Set(bandsOf(one.sketch).flatMap((band) => this.bands.get(band) ?? []))
    for (const place of candidates) {
      const other = this.kept[place]
      if (other && other.signs === one.signs && likeness(other.sketch, one.sketch) >= ALIKE) return other
    }
    return undefined
  }

  private keep(one: Kept): void {
    const place = this.kept.push(one) - 1
    for (const band of bandsOf(one.sketch)) {
      const places = this.bands.get(band)
      if (places) places.push(place)
      else this.bands.set(band, [place])
    }
  }
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

function sketchOf(words: string): Uint32Array {
  const sketch = new Uint32Array(HASHES).fill(0xffffffff)
  for (let at = 0; at + PIECE <= words.length; at++) {
    let piece = 0x811c9dc5
    for (let i = at; i < at + PIECE; i++) piece = Math.imul(piece ^ words.charCodeAt(i), 0x01000193)
    for (let i = 0; i < HASHES; i++) {
      const mixed = Math.imul(piece ^ (piece >>> 15), FACTORS[i] ?? 1)
      const value = (mixed ^ (mixed >>> 13)) >>> 0
      if (value < (sketch[i] ?? 0)) sketch[i] = value
    }
  }
  return sketch
}

const bandsOf = (sketch: Uint32Array): string[] =>
  Array.from(
    { length: HASHES / ROWS },
    (_, band) => `${band}:${sketch.subarray(band * ROWS, (band + 1) * ROWS).join()}`,
  )

const likeness = (a: Uint32Array, b: Uint32Array): number =>
  a.reduce((same, value, i) => same + (value === b[i] ? 1 : 0), 0) / HASHES
