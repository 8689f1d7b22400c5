import { bankJson } from '#tests/support/bank.ts'

/** Libraries of one bank: their chapters, each with so many questions. Students go through them in this order. */
interface Part {
  prefix: string
  chapters: readonly number[]
}
const LARGE: Part = { prefix: 'YL', chapters: [2_000, ...Array.from({ length: 20 }, () => 150)] }
const OTHERS = 59
const POINTS = 12

/** 30,000 questions in 60 libraries, one of 5,000 with a chapter of 2,000; or fewer, in the same proportion. */
export const partsOf = (share: number): Part[] => [
  { ...LARGE, chapters: LARGE.chapters.map((count) => Math.ceil(count * share)) },
  ...Array.from({ length: OTHERS }, (_, i) => ({
    prefix: `Y${i + 1}`,
    chapters: Array.from({ length: 8 }, () => Math.ceil(53 * share)),
  })),
]

/** A library as the importer takes it, its chapters of different sizes and every question under two of its points. */
export function libraryOf({ prefix, chapters }: Part) {
  const plain = bankJson({ prefix, chapters: chapters.length, perChapter: Math.max(...chapters) })
  const points = Array.from({ length: POINTS }, (_, i) => ({
    no: `${prefix}_p${i + 1}`,
    parent: null,
    name: `考点${i + 1}`,
  }))
  const pointOf = (n: number) => `${prefix}_p${(n % POINTS) + 1}`
  const perChapter = Math.max(...chapters)
  return {
    ...plain,
    points,
    questions: plain.questions
      .filter((_, i) => i % perChapter < (chapters[Math.floor(i / perChapter)] ?? 0))
      .map((question, i) => ({ ...question, points: [pointOf(i), pointOf(i * 5 + 1)] })),
  }
}

let numbers: string[] = []
/** Libraries of the bank; from then on `questionNo` counts through their questions. */
export function makeBank(share: number) {
  const libraries = partsOf(share).map(libraryOf)
  numbers = libraries.flatMap(({ questions }) => questions.map(({ no }) => no))
  return libraries
}

/** The number of the nth question of the bank in reading order, from 0. */
export const questionNo = (n: number): string => numbers[n % numbers.length] ?? ''
