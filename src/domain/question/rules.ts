import type {
  AskedQuestion,
  BlankQuestion,
  ChoiceQuestion,
  EssayQuestion,
  OrderQuestion,
  PlainQuestion,
} from '#src/contract/question.ts'
import type { Response } from '#src/contract/response.ts'

/** Integer hundredths of a mark: 1.5 marks is 150. Never a float, so sums are exact. */
export type Score = number
/** Says what a partly right multiple choice earns. A wrong option earns nothing under every rule (错选不得分). */
export type PartialRule = 'none' | 'half' | 'per-option'
export interface Mark {
  score: Score
  right: boolean
}
export const NOTHING: Mark = { score: 0, right: false }

/** The part of a question that marking reads. */
export type Markable =
  | Pick<ChoiceQuestion, 'no' | 'type' | 'key'>
  | Pick<BlankQuestion, 'no' | 'type' | 'blanks' | 'unordered'>
  | Pick<OrderQuestion, 'no' | 'type' | 'key'>
  | (Pick<EssayQuestion, 'no' | 'type' | 'composition'> & { scoring: readonly { score: Score }[] })
export type MarkableWith<Field extends string> = Extract<Markable, Record<Field, unknown>>
export type ResponseOf<Kind extends Response['kind']> = Extract<Response, { kind: Kind }>
/** A question that is asked before its key may be known, and no material. */
export type AskedPlain = Exclude<AskedQuestion, { type: 'composite' }>
/** The fields that every asked question leaves empty. */
export const WITHOUT_ANSWER = { analysis: '' as const, points: [] as [] }

/**
 * Says how questions of one kind are answered, marked and put in words. These are methods, not functions in fields, so that the rules
 * of one kind may stand where those of any question are asked for (types.ts).
 */
export interface AnswerRules<Q extends PlainQuestion, M extends Markable, R extends Response> {
  kind: R['kind']
  /** The answer of a student who has given none yet. */
  empty(question: Q): R
  isAnswered(response: R): boolean
  /** Tells whether a student can have given this answer. */
  fits(question: M, response: R): boolean
  /** Tells whether an answer that was begun to an earlier form of the question can be finished in this one. */
  goesOn(question: Q, response: R): boolean
  /**
   * @param full in hundredths
   * @throws RangeError for a question without an answer, which is a fault of ours.
   */
  mark(question: M, response: R, full: Score, partial: PartialRule): Mark
  /** Returns the score that practice marks out of, where no paper sets one. */
  practiceFull(question: Q): Score
  markable(question: Q): M
  /** Tells two keys apart: equal texts mark every answer alike. */
  keyId(question: Q): string
  /** The question without anything that tells its answer. */
  asked(question: Q): AskedPlain
  /** The key as a student reads it; '' where there is nothing short to read. */
  keyText(question: Q): string
  /**
   * An answer as a student reads it; '' where there is nothing short to read.
   * @param question as it is now: it may have been of another kind when the answer was given
   */
  answerText(question: PlainQuestion, response: R): string
  /** Returns the texts by which 搜题 finds it, besides its stem and analysis. */
  searchTexts(question: Q): string[]
  /** Returns the values that the receipt of a hand-in is the hash of. A database keeps its own order of keys, so they have none. */
  sealed(response: R): unknown[]
}
