import type { ListedType, NamedType, PlainQuestion, Question } from '#src/contract/question.ts'
import type { Markable } from './rules.ts'

/** The type as students list it and filter by it: some essays are compositions. */
export function listedType(question: PlainQuestion | Markable): ListedType {
  return question.type === 'essay' && question.composition ? 'composition' : question.type
}

/** The type as students name it: a material may be 阅读理解 or 完形填空. */
export const namedType = (question: Question): NamedType =>
  question.type === 'composite' ? (question.kind ?? 'composite') : listedType(question)
