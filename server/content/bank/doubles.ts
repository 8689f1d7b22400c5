import { hash } from 'node:crypto'
import type { Question } from '#src/contract/question.ts'
import { askedOptions } from '#src/domain/question/choice.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { ordinaryCharacters } from '#src/domain/text/text.ts'
import type { Checked } from './checked.ts'
import type { Draft } from '#server/content/draft.ts'
import { areNear, type Asked, askedBy, bandsOf } from './nearDoubles.ts'
import type { Spool } from './spool.ts'
import { DraftFault } from './understand.ts'

/** The same question again in one file, told by its content. */
export class Double extends Error {}

/**
 * Judges what a file brings twice: numbers, and questions that look alike. Those that are nearly alike are told when all are there.
 * @returns a warning, or null
 * @throws DraftFault, Double
 */
export function judgeDoubles(spool: Spool, question: Question, place: number, given: Draft['no']): string | null {
  for (const no of numbersOf(question)) {
    const first = spool.claimNumber(no, place)
    if (!first) continue
    const other = spool.question(first.place)
    if (given || !other) throw new DraftFault(repeated(no, first.at))
    if (answersOf(question) !== answersOf(other)) throw new DraftFault(`与${first.at}题目相同而答案不同`)
    throw new Double(`与${first.at}重复，只导入一次`)
  }
  const same = spool.claimContent(contentOf(question), place)
  if (same !== null) return `与${same}内容相同`
  const asked = askedBy(question)
  if (asked) spool.addBands(bandsOf(asked), place)
  return null
}

/** A number that was computed from the content means nothing to its author, so only the place of the same question is named. */
const COMPUTED = /^q[0-9a-f]{16}(?:_\d+)?$/
const repeated = (no: string, first: string): string =>
  COMPUTED.test(no)
    ? `与${first}重复，是同一道题：请删去其中一道；加 --skip-faulty 则只导入前一道`
    : `编号 ${no} 与${first}重复：请改编号或删去其中一道；加 --skip-faulty 则只导入前一道`

/** Questions that an earlier file of the same command brings already: of each number the first one stays. */
export function judgeAfter(earlier: readonly Checked[], { spool }: Checked): void {
  for (const each of earlier) for (const nos of spool.numbers()) for (const no of nos) judgeShared(no, spool, each)
}

function judgeShared(no: string, spool: Spool, { file, spool: before }: Checked): void {
  const first = before.placeOf(no)
  const other = first && before.question(first.place)
  const own = first && spool.placeOf(no)
  const question = own && spool.question(own.place)
  if (!other || !question) return
  spool.dropQuestion(own.place)
  if (JSON.stringify(question) === JSON.stringify(other))
    spool.addWarning(own.place, `与 ${file} 的${first.at}重复，只导入一次`)
  else spool.addFinding({ level: 'fault', at: own.at, reason: repeated(no, ` ${file} 的${first.at}`) }, own.place)
}

/** Of many alike each is held against so many. */
const MOST_HELD = 8

/** Tells of questions that differ from an earlier one by a few words or signs. */
export function tellNearDoubles(spool: Spool): void {
  for (const places of spool.bandMates()) {
    const held: { place: number; asked: Asked }[] = []
    for (const place of places) {
      const question = spool.question(place)
      const asked = question && askedBy(question)
      if (!asked) continue
      const like = held.find((each) => areNear(each.asked, asked))
      if (like) spool.addNear(place, like.place)
      if (held.length < MOST_HELD) held.push({ place, asked })
    }
  }
  for (const { place, at } of spool.nearOnes()) spool.addWarning(place, `与${at}只差几个字或标点，请核对是否重复`)
}

/** The same for questions that look alike, whatever their numbers. Every sign and picture counts: one may be all that differs. */
export function contentOf(question: Question): string {
  const shown = [question, ...partsOf(question)].map((each) => [each.stem, 'options' in each ? askedOptions(each) : []])
  return hash('sha256', ordinaryCharacters(JSON.stringify(shown)).replace(/\s+/g, ''), 'base64')
}

export const numbersOf = (question: Question): string[] =>
  question.type === 'composite' ? [question.no, ...question.parts.map((part) => part.no)] : [question.no]

const answersOf = (question: Question): string =>
  question.type === 'composite'
    ? question.parts.map(answersOf).join('|')
    : JSON.stringify('key' in question ? question.key : 'blanks' in question ? question.blanks : '')
