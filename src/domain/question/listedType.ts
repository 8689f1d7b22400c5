import {
  type ListedType,
  type NamedType,
  type PlainQuestion,
  type Question,
  TYPE_NAMES,
} from '#src/contract/question.ts'
import type { Markable } from './rules.ts'

/** The type as students list it and filter by it: some essays are compositions. */
export function listedType(question: PlainQuestion | Markable): ListedType {
  return question.type === 'essay' && question.composition ? 'composition' : question.type
}

/** The type as students name it: a material may be 阅读理解 or 完形填空. */
export const namedType = (question: Question): NamedType =>
  question.type === 'composite' ? (question.kind ?? 'composite') : listedType(question)

/** What a question is called; one of a material says first whose it is, or 单选题 would seem to name the whole passage. */
export const typeName = (part: PlainQuestion, material: Question | null = null): string =>
  [material, part].flatMap((each) => (each ? TYPE_NAMES[namedType(each)] : [])).join(' · ')
