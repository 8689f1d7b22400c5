import path from 'node:path'
import type { PlainQuestion, Question } from '#src/contract/question.ts'
import { wantedText } from '#src/domain/question/composition.ts'
import { namedType } from '#src/domain/question/listedType.ts'
import type { Draft, Placed } from '#server/content/draft.ts'
import { richText } from './richText.ts'

/** What a question's texts become outside: sources that an import makes the same texts of. */
export interface Outside {
  /** The LaTeX that a formula was written in, with its delimiters; null: not known. */
  latexOf: (mathml: string) => string | null
  /** The name that a picture or a recording of ours has beside the file; '' when it is none of ours. */
  pictureOf: (address: string) => string
}

const MATH = /<math\b[^]*?<\/math>/g
const PICTURE = /(<(?:img|audio)\b[^>]*?\bsrc=")([^"]*)"/g

/** A text's HTML as one would write it: formulae in LaTeX, pictures and recordings by file. What would not come in again just so stays HTML. */
export function sourceOf(html: string, { latexOf, pictureOf }: Outside): string {
  const addresses = new Map<string, string>()
  const withPictures = html.replace(PICTURE, (whole, head: string, address: string) => {
    const name = pictureOf(address)
    if (name === '') return whole
    addresses.set(name, address)
    return `${head}${name}"`
  })
  const written = withPictures.replace(MATH, (mathml) => latexOf(mathml) ?? mathml)
  const again = richText(written, (source) => addresses.get(source) ?? source)
  return again.html === html ? written : withPictures
}

/** A question on its way out. */
export interface Leaving extends Placed {
  outside: Outside
}

/** What a format makes of a bank: its bytes, and what it has no place for. */
export interface Format {
  chunks: AsyncIterable<string | Uint8Array>
  left: () => string[]
}

type Written = Omit<Draft, 'at' | 'parts'>

/** A question as a file of the project's own gives it. */
export function asDraft({ question, chapterNo, outside }: Leaving): Written & { parts?: Written[] } {
  const { no, stem } = question
  const head = {
    no,
    chapter: chapterNo,
    type: namedType(question),
    stem: sourceOf(stem, outside),
    ...held(question, outside),
  }
  if (question.type !== 'composite') return { ...head, ...asked(question, outside) }
  const parts = question.parts.map((part) => ({
    no: part.no,
    type: namedType(part),
    stem: sourceOf(part.stem, outside),
    ...held(part, outside),
    ...asked(part, outside),
  }))
  return { ...head, parts }
}

function held({ analysis, points, difficulty, source, year }: Question, outside: Outside) {
  return {
    ...(analysis !== '' && { analysis: sourceOf(analysis, outside) }),
    ...(points.length > 0 && { points: points.map((point) => point.no) }),
    difficulty,
    ...(source !== '' && { source }),
    ...(year !== 0 && { year }),
  }
}

function asked(question: PlainQuestion, outside: Outside): Partial<Written> {
  if (question.type === 'blank')
    return { blanks: question.blanks, ...(question.unordered && { unordered: question.unordered }) }
  if (question.type === 'essay') {
    const scoring = question.scoring.map(({ html, score }) => ({ text: sourceOf(html, outside), score: score / 100 }))
    const { length } = question.composition ?? {}
    return {
      reference: sourceOf(question.reference, outside),
      ...(length && { words: wantedText(length) }),
      ...(scoring.length > 0 && { scoring }),
    }
  }
  const reasons = Object.fromEntries(
    question.options.flatMap(({ id, why }) => (why ? [[id, sourceOf(why, outside)]] : [])),
  )
  return {
    ...(question.type !== 'judge' && { options: question.options.map(({ html }) => sourceOf(html, outside)) }),
    answer: question.type === 'judge' ? (question.key[0] === 'A' ? '对' : '错') : question.key.join(''),
    ...(Object.keys(reasons).length > 0 && { reasons }),
  }
}

/** The name of one of our pictures or recordings. */
export const nameOf = (address: string): string =>
  /^\/media\/[a-f0-9]{16,64}\.(?:[a-z]{3,4}|mp3)$/.test(address) ? path.posix.basename(address) : ''
