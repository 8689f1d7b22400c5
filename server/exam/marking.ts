import { hash as digest } from 'node:crypto'
import type { Earned } from '#src/contract/sitting.ts'
import type { PaperSection } from '#src/contract/questionSet.ts'
import { allowedMs, isInTime, isShownInTime, sealText } from '#src/domain/paper/exam.ts'
import { earnedBy } from '#src/domain/paper/paper.ts'
import { partsOf } from '#src/domain/study/study.ts'
import type { HandedIn } from './store.ts'

/** What was given in time, one to a question, in the order of the paper. */
export type Given = Pick<HandedIn['choices'][number], 'questionNo' | 'response' | 'spentMs'>

/** How long it may take, ms. */
const allowedOf = ({ sitting, minutes, window }: Pick<HandedIn, 'sitting' | 'minutes' | 'window'>): number =>
  sitting.mode === 'exam' ? allowedMs({ minutes, window }, sitting.startedAt) : Number.POSITIVE_INFINITY

/** The sitting as it is ranked: without choices that may have been made after its end. */
export function asRanked(handed: HandedIn): HandedIn {
  const endedAt = handed.sitting.startedAt + allowedOf(handed)
  return { ...handed, choices: handed.choices.filter((choice) => isShownInTime(choice, endedAt)) }
}

/** Marks a sitting by the paper that was on its screen: what was chosen too late gives nothing. Essays are the student's to mark. */
export function markSitting(
  handed: Pick<HandedIn, 'partial' | 'sitting' | 'choices' | 'minutes' | 'window'>,
  sections: PaperSection[],
): { earned: Earned; given: Given[] } {
  const { partial, choices } = handed
  const allowed = allowedOf(handed)
  const given = new Map(
    choices
      .filter(({ elapsedMs }) => isInTime(elapsedMs, allowed))
      .map(({ questionNo, response, spentMs }) => [questionNo, { questionNo, response, spentMs }]),
  )
  const essays = new Set(
    sections.flatMap(({ entries }) =>
      entries.flatMap(({ question }) => partsOf(question).flatMap(({ type, no }) => (type === 'essay' ? [no] : []))),
    ),
  )
  const responses = new Map(
    [...given].flatMap(([questionNo, { response }]) => (essays.has(questionNo) ? [] : [[questionNo, response]])),
  )
  return { earned: earnedBy({ partial, sections }, responses), given: [...given.values()] }
}

/** The choices are those that its hand-in is the hash of. */
export const isGenuine = (attemptId: string, { sitting, choices }: Pick<HandedIn, 'sitting' | 'choices'>): boolean =>
  digest('sha256', sealText(attemptId, choices)) === sitting.hash
