import type { PlainQuestion } from '#src/contract/question.ts'
import type { Response } from '#src/contract/response.ts'
import { blank } from './blank.ts'
import { choice } from './choice.ts'
import { essay } from './essay.ts'
import { order } from './order.ts'
import type { AnswerRules, AskedPlain, Markable, ResponseOf } from './rules.ts'

type AnyRules = AnswerRules<PlainQuestion, Markable, Response>

/** Every type of question. A new one compiles only when it is here, in the contract, and in the player (player/question/Part.tsx). */
const TYPES = {
  single: choice,
  multiple: choice,
  indefinite: choice,
  judge: choice,
  blank,
  essay,
  order,
} satisfies { [T in PlainQuestion['type']]: AnswerRules<Extract<PlainQuestion, { type: T }>, Markable, Response> }
const KINDS = { choice, blank, essay, order } satisfies {
  [K in Response['kind']]: AnswerRules<PlainQuestion, Markable, ResponseOf<K>>
}

/** The rules of what a question asks for. */
export const rulesOf = ({ type }: Pick<PlainQuestion, 'type'>): AnyRules => TYPES[type]
/** The rules of what was given, whatever it was given to. */
export const rulesOfResponse = ({ kind }: Pick<Response, 'kind'>): AnyRules => KINDS[kind]

export const keyText = (question: PlainQuestion): string => rulesOf(question).keyText(question)
export const askedPlain = (question: PlainQuestion): AskedPlain => rulesOf(question).asked(question)
export const answerText = (question: PlainQuestion, response: Response): string =>
  rulesOfResponse(response).answerText(question, response)
