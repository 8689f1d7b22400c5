import { type PlainQuestion, type Question, TYPE_NAMES } from '#src/contract/question.ts'
import { namedType } from './listedType.ts'

/** Names a question; one of a material says first whose it is, or 单选题 would seem to name the whole passage. */
export const typeName = (part: PlainQuestion, material: Question | null = null): string =>
  [material, part].flatMap((each) => (each ? TYPE_NAMES[namedType(each)] : [])).join(' · ')
