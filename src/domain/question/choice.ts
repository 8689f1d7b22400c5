import type { ChoiceQuestion, PlainQuestion } from '#src/contract/question.ts'
import { type AnswerRules, type MarkableWith, NOTHING, type ResponseOf, WITHOUT_ANSWER } from './rules.ts'

/** Tells whether some of the options are to be chosen, and not to be put in order. */
export const isChoice = <Q extends PlainQuestion>(question: Q): question is Extract<Q, ChoiceQuestion> =>
  'options' in question && question.type !== 'order'

/** A single choice and a judgement take one option, so a tap on it is the whole answer. */
export const takesOne = ({ type }: { type: string }): boolean => type === 'single' || type === 'judge'

/** The options of a judgement are not struck out: to rule one of two out is to choose the other. */
export const mayStrike = <Q extends PlainQuestion>(question: Q): question is Extract<Q, ChoiceQuestion> =>
  isChoice(question) && question.type !== 'judge'

/** Returns the letters under which these options stand on the screen; those of a judgement are called 对 and 错. */
export const letters = ({ type, options }: ChoiceQuestion, ids: readonly string[]): string =>
  options
    .flatMap(({ id }, i) => {
      if (!ids.includes(id)) return []
      return type === 'judge' ? (id === 'A' ? '对' : '错') : String.fromCharCode(65 + i)
    })
    .join('')

/** Options without their reasons, which tell the answer and ask nothing. */
export const askedOptions = ({
  options,
}: {
  options: readonly { id: string; html: string }[]
}): { id: string; html: string }[] => options.map(({ id, html }) => ({ id, html }))

export const choice: AnswerRules<ChoiceQuestion, MarkableWith<'key'>, ResponseOf<'choice'>> = {
  kind: 'choice',
  empty: () => ({ kind: 'choice', ids: [] }),
  isAnswered: ({ ids }) => ids.length > 0,
  fits: (question, { ids }) => !takesOne(question) || ids.length <= 1,
  goesOn: ({ options }, { ids }) => ids.every((id) => options.some((option) => option.id === id)),
  mark({ no, key: ids }, response, full, partial) {
    const [key, chosen] = [new Set(ids), new Set(response.ids)]
    if (key.size === 0) throw new RangeError(`question ${no} has no right answer`)
    for (const id of chosen) if (!key.has(id)) return NOTHING
    if (chosen.size === key.size) return { score: full, right: true }
    if (chosen.size === 0 || partial === 'none') return NOTHING
    // Rounded down, so that parts never add up to more than the whole.
    return { score: Math.floor(partial === 'half' ? full / 2 : (full * chosen.size) / key.size), right: false }
  },
  practiceFull: () => 100,
  markable: ({ no, type, key }) => ({ no, type, key }),
  keyId: ({ no, type, key }) => JSON.stringify({ no, type, key: [...key].sort() }),
  asked: (question) => ({ ...question, ...WITHOUT_ANSWER, options: askedOptions(question), key: [] }),
  keyText: (question) => letters(question, question.key),
  answerText: (question, { ids }) => (isChoice(question) ? letters(question, ids) : ''),
  // 对 and 错 say nothing of a question.
  searchTexts: ({ type, options }) => options.flatMap(({ html, why = '' }) => (type === 'judge' ? why : [html, why])),
  sealed: ({ ids }) => [ids],
}
