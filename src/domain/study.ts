import type { PlainQuestion, Question } from '../contract/question.ts'
import type { AnswerPayload, StudyState } from '../contract/study.ts'

/**
 * What counts as a 题, everywhere a student reads a number: each question that can be answered counts once; of a material its
 * sub-questions, never the material itself. A library's and chapter's size and progress, the size of a batch, 第 n / m 题, the
 * answer sheet and the summary all count these. A material is dealt whole, so the last one may carry a batch over its size.
 */
export const partsOf = (question: Question): readonly PlainQuestion[] =>
  question.type === 'composite' ? question.parts : [question]

/** An answer as a fact: who acted is known from the context, `right` by the marking rule of whoever folds. */
export interface Answer extends Pick<AnswerPayload, 'questionNo' | 'response' | 'spentMs'> {
  opId: string
  /** Effective time, ms. Facts are folded by (at, opId), so any order of arrival gives one state. */
  at: number
  right: boolean
}
export interface Place {
  chapterNo: string | null
  libraryNo: string | null
}

export function byTime(a: Pick<Answer, 'at' | 'opId'>, b: Pick<Answer, 'at' | 'opId'>): number {
  return a.at - b.at || (a.opId < b.opId ? -1 : a.opId > b.opId ? 1 : 0)
}

/** The state after one more answer. `answer` must not come before what `state` has seen: else fold all of them again. */
export function applyAnswer(state: StudyState | null, answer: Answer, place: Place): StudyState {
  return {
    questionNo: answer.questionNo,
    chapterNo: place.chapterNo,
    libraryNo: place.libraryNo,
    times: (state?.times ?? 0) + 1,
    wrong: (state?.wrong ?? 0) + (answer.right ? 0 : 1),
    streak: answer.right ? (state?.streak ?? 0) + 1 : 0,
    lastAt: answer.at,
    lastRight: answer.right,
    lastResponse: answer.response,
    spentMs: (state?.spentMs ?? 0) + answer.spentMs,
  }
}

/** Folds all of one question's answers, given in any order. */
export function foldAnswers(answers: readonly Answer[], place: Place): StudyState | null {
  return [...answers].sort(byTime).reduce<StudyState | null>((state, answer) => applyAnswer(state, answer, place), null)
}
