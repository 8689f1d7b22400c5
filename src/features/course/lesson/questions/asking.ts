import type { LessonQuestion } from '#src/contract/course.ts'

/** A question was answered or skipped in this viewing. */
export type Outcome = 'right' | 'wrong' | 'skipped'
export interface Asking {
  /** By question number. What is in here does not stop the lesson again. */
  outcomes: Readonly<Record<string, Outcome>>
  asked: LessonQuestion | null
}
export const NOTHING_ASKED: Asking = { outcomes: {}, asked: null }

/**
 * The first question whose time lies between two moments that were played without a jump. What was seeked over is not asked:
 * who looks for a place in the lesson does not want to be stopped on the way.
 */
export const dueBetween = (
  questions: readonly LessonQuestion[],
  { outcomes }: Asking,
  from: number,
  to: number,
): LessonQuestion | null =>
  questions.find(({ at, question }) => from < at && at <= to && !Object.hasOwn(outcomes, question.no)) ?? null

/** The question that was asked is done with. A question that was answered before stays answered when it is looked at again. */
export function settled({ outcomes, asked }: Asking, outcome: Outcome): Asking {
  if (!asked) return { outcomes, asked }
  const { no } = asked.question
  const before = outcomes[no]
  return { outcomes: { ...outcomes, [no]: outcome === 'skipped' && before ? before : outcome }, asked: null }
}
