import { hash } from 'node:crypto'
import type { Question } from '#src/contract/question.ts'
import { askedOptions } from '#src/domain/question/choice.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { ordinaryCharacters } from '#src/domain/text/text.ts'

/** The same for questions that look alike, whatever their numbers. Every sign and picture counts: one may be all that differs. */
export function contentOf(question: Question): string {
  const shown = [question, ...partsOf(question)].map((each) => [each.stem, 'options' in each ? askedOptions(each) : []])
  return hash('sha256', ordinaryCharacters(JSON.stringify(shown)).replace(/\s+/g, ''), 'base64')
}

/** An integer of as many bits as a number holds exactly. */
export const hashOf = (text: string): number => Number.parseInt(hash('sha256', text, 'hex').slice(0, 13), 16)
