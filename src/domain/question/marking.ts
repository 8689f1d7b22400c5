import type { PlainQuestion } from '#src/contract/question.ts'
import type { Response } from '#src/contract/response.ts'
import { type Mark, type Markable, NOTHING, type PartialRule, type Score } from './rules.ts'
import { rulesOfResponse, rulesOf } from './types.ts'

/**
 * Marks one answer out of `full`. A response of another kind than the question's is simply not right: students' input never
 * throws.
 * @param full in hundredths, a non-negative integer
 * @throws RangeError for a question without an answer, or a `full` that is not a non-negative integer: faults of ours.
 */
export function mark(question: Markable, response: Response, full: Score, partial: PartialRule = 'none'): Mark {
  if (!Number.isSafeInteger(full) || full < 0) throw new RangeError(`full marks must be whole hundredths, not ${full}`)
  const rules = rulesOf(question)
  return rules.kind === response.kind ? rules.mark(question, response, full, partial) : NOTHING
}

/** What practice shows, where no paper sets its rules: an essay out of the sum of its points, everything else by its share. */
export function practiceMark(question: PlainQuestion, response: Response): Mark & { full: Score } {
  const full = rulesOf(question).practiceFull(question)
  return { ...mark(question, response, full, 'per-option'), full }
}

/** Tells whether a response is one to such a question at all. */
export function fits(question: Markable, response: Response): boolean {
  const rules = rulesOf(question)
  return rules.kind === response.kind && rules.fits(question, response)
}

export const isRight = (question: Markable, response: Response): boolean => mark(question, response, 0).right

export const isAnswered = (response: Response): boolean => rulesOfResponse(response).isAnswered(response)

export const emptyResponse = (question: PlainQuestion): Response => rulesOf(question).empty(question)
