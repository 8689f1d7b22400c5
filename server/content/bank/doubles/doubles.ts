import { hash } from 'node:crypto'
import type { Question } from '#src/contract/question.ts'
import { askedOptions } from '#src/domain/question/choice.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { ordinaryCharacters } from '#src/domain/text/text.ts'
import type { Checked } from '../checked.ts'
import type { Draft } from '#server/content/draft.ts'
import { areNear, askedBy, bandsOf } from './nearDoubles.ts'
import { choiceBy, hashOf, likeness } from './sameStem.ts'
import type { Spool } from '../spool.ts'
import { DraftFault } from '../understand.ts'

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
    const isSame = other ? contentOf(question) === contentOf(other) : !given
    if (given || !other) throw new DraftFault(repeated(no, first.at, isSame))
    if (answersOf(question) !== answersOf(other)) throw new DraftFault(`与${first.at}题目相同而答案不同`)
    throw new Double(`与${first.at}重复，只导入一次`)
  }
  const same = spool.claimContent(contentOf(question), place)
  if (same !== null) return `与${same}内容相同`
  const asked = askedBy(question)
  if (asked) spool.addBands(bandsOf(asked), place)
  const choice = choiceBy(question)
  if (choice) spool.addStem(hashOf(choice.stem), place)
  return null
}

const COMPUTED = /^q[0-9a-f]{16}(?:_\d+)?$/
/** A number that was computed from the content means nothing to its author, so the place of the same question alone is named. */
const repeated = (no: string, first: string, isSame: boolean): string =>
  isSame && COMPUTED.test(no)
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
  const isSame = contentOf(question) === contentOf(other)
  if (JSON.stringify(question) === JSON.stringify(other))
    spool.addWarning(own.place, `与 ${file} 的${first.at}重复，只导入一次`)
  else
    spool.addFinding({ level: 'fault', at: own.at, reason: repeated(no, ` ${file} 的${first.at}`, isSame) }, own.place)
}

/** Of many alike each is held against so many. */
const MOST_HELD = 8

/** Tells of questions that ask the same of other options, or differ from an earlier one by a few words or signs. */
export function tellNearDoubles(spool: Spool): void {
  compare(spool, 'stem', choiceBy, likeness)
  compare(spool, 'band', askedBy, (one, other) => (areNear(one, other) ? '只差几个字或标点' : null))
  for (const { place, at, how } of spool.nearOnes()) spool.addWarning(place, `与${at}${how}，请核对是否重复`)
}

/**
 * Holds questions that may be alike against each other.
 * @param read takes of a question what is compared; null: nothing
 * @param judge says in Chinese how two are alike; null: they are not
 */
function compare<T>(
  spool: Spool,
  by: 'stem' | 'band',
  read: (question: Question) => T | null,
  judge: (one: T, other: T) => string | null,
): void {
  for (const places of spool.mates(by)) {
    const held: { place: number; asked: T }[] = []
    for (const place of places) {
      const question = spool.question(place)
      const asked = question && read(question)
      if (!asked) continue
      const like = held.find((each) => judge(each.asked, asked) !== null)
      const how = like && judge(like.asked, asked)
      if (like && how) spool.addNear(place, like.place, how)
      if (held.length < MOST_HELD) held.push({ place, asked })
    }
  }
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
