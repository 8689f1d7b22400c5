import type { Question } from '#src/contract/question.ts'
import type { Draft } from '#server/content/draft.ts'
import { contentOf } from './content.ts'
import type { Spool } from '../spool.ts'
import { DraftFault } from '../understand.ts'
import { Compared, MOST_HELD, sketchOf, WAYS } from './ways.ts'

/** The same question again in one file, told by its content. */
export class Double extends Error {}

/**
 * Judges what a file brings twice: numbers, and questions that look alike. Those that are nearly alike are told when all are there.
 * @returns a warning, or null
 * @throws DraftFault, Double
 */
export function judgeDoubles(spool: Spool, question: Question, place: number, given: Draft['no']): string | null {
  const own = new Compared(question)
  for (const no of numbersOf(question)) {
    const first = spool.claimNumber(no, place)
    if (!first) continue
    const other = spool.question(first.place)
    const isSame = other ? own.content === contentOf(other) : !given
    if (given || !other) throw new DraftFault(repeated(no, first.at, isSame))
    if (answersOf(question) !== answersOf(other)) throw new DraftFault(`与${first.at}题目相同而答案不同`)
    throw new Double(`与${first.at}重复，只导入一次`)
  }
  const same = spool.claimContent(own.content, place)
  if (same !== null) return `与${same}内容相同，请核对是否重复`
  spool.addSketch(place, sketchOf(own))
  return null
}

const COMPUTED = /^q[0-9a-f]{16}(?:_\d+)?$/
/** A number that was computed from the content means nothing to its author, so the place of the same question alone is named. */
export const repeated = (no: string, first: string, isSame: boolean): string =>
  isSame && COMPUTED.test(no)
    ? `与${first}重复，是同一道题：请删去其中一道；加 --skip-faulty 则只导入前一道`
    : `编号 ${no} 与${first}重复：请改编号或删去其中一道；加 --skip-faulty 则只导入前一道`

/** Tells of questions that ask the same of other options, or differ from an earlier one by a few words or signs. */
export function tellNearDoubles(spool: Spool): void {
  // Those of the same content have been told when they came.
  for (let way = 1; way < WAYS.length; way++) compare(spool, way)
  for (const { place, at, how } of spool.nearOnes()) spool.addWarning(place, `与${at}${how}，请核对是否重复`)
}

/** Holds questions that may be alike in this way against each other. */
function compare(spool: Spool, way: number): void {
  for (const places of spool.mates(way)) {
    const held: { place: number; compared: Compared }[] = []
    for (const place of places) {
      const question = spool.question(place)
      if (!question) continue
      const compared = new Compared(question)
      const how = (one: Compared) => WAYS[way]?.judge(one, compared) ?? null
      const like = held.find((each) => how(each.compared) !== null)
      if (like) spool.addNear(place, like.place, how(like.compared) ?? '')
      if (held.length < MOST_HELD) held.push({ place, compared })
    }
  }
}

export const numbersOf = (question: Question): string[] =>
  question.type === 'composite' ? [question.no, ...question.parts.map((part) => part.no)] : [question.no]

const answersOf = (question: Question): string =>
  question.type === 'composite'
    ? question.parts.map(answersOf).join('|')
    : JSON.stringify('key' in question ? question.key : 'blanks' in question ? question.blanks : '')
