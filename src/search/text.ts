import { rulesOf } from '#src/domain/question/types.ts'
import type { NamedType, PlainQuestion, Question } from '#src/contract/question.ts'
import { namedType } from '#src/domain/question/listedType.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import { fold } from '#src/domain/text/searchText.ts'

/** A question as it is searched: only the folded text is kept, what a list shows of it is read from its block (show.ts). */
export interface Doc {
  no: string
  /** What can be answered in it: itself, or a material's sub-questions. */
  nos: string[]
  type: NamedType
  chapterNo: string
  /** Place of its block; undefined: it is kept by itself. */
  at?: number
  /** Stem and rest (`textOf`), folded, a line apart; the stem's part is `stemLength` long. */
  folded: string
  stemLength: number
}
/** Plain text, never HTML. */
export interface DocText {
  stem: string
  /** Options with their reasons, answers and analysis. */
  rest: string
}

export function textOf(question: Question): DocText {
  const parts = partsOf(question)
  const stems = question.type === 'composite' ? [question.stem, ...parts.map(({ stem }) => stem)] : [question.stem]
  const rest = [...parts.flatMap(answersOf), question.type === 'composite' ? question.analysis : '']
  return { stem: plainText(stems.join(' ')), rest: plainText(rest.join(' ')) }
}

export function docOf(question: Question, place: Pick<Doc, 'chapterNo' | 'at'>): Doc {
  const { stem, rest } = textOf(question)
  const folded = fold(stem)
  return {
    no: question.no,
    nos: partsOf(question).map(({ no }) => no),
    type: namedType(question),
    ...place,
    folded: `${folded}\n${fold(rest)}`,
    stemLength: folded.length,
  }
}

const answersOf = (part: PlainQuestion): string[] => [...rulesOf(part).searchTexts(part), part.analysis]
