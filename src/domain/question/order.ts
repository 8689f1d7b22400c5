import type { OrderQuestion, PlainQuestion } from '#src/contract/question.ts'
import { askedOptions } from './choice.ts'
import { type AnswerRules, type Markable, NOTHING, type ResponseOf, WITHOUT_ANSWER } from './rules.ts'

type MarkableOrder = Extract<Markable, { type: 'order' }>

/** Tells whether `ids` are all of these, each once. */
export const areAll = (ids: readonly string[], all: readonly string[]): boolean =>
  ids.length === all.length && all.every((id) => ids.includes(id))

/** The options as an answer orders them; as they are listed where it orders none yet. */
export const inOrder = <O extends { id: string }>(options: readonly O[], ids: readonly string[]): O[] =>
  ids.length === 0 ? [...options] : ids.flatMap((id) => options.find((option) => option.id === id) ?? [])

/** Every option keeps the letter under which it is listed, so that the key and the analysis can name it. */
export const letterOf = ({ options }: Pick<OrderQuestion, 'options'>, id: string): string =>
  String.fromCharCode(65 + options.findIndex((option) => option.id === id))

/** Returns the letters of these options: C→A→B. */
const arrows = (question: OrderQuestion, ids: readonly string[]): string =>
  ids.map((id) => letterOf(question, id)).join('→')

/** An order is right as a whole or not at all, whatever a paper gives for a partly right choice. */
export const order: AnswerRules<OrderQuestion, MarkableOrder, ResponseOf<'order'>> = {
  kind: 'order',
  empty: () => ({ kind: 'order', ids: [] }),
  isAnswered: ({ ids }) => ids.length > 0,
  fits: ({ key }, { ids }) => ids.length === 0 || areAll(ids, key),
  goesOn: ({ options }, { ids }) =>
    ids.length === 0 ||
    areAll(
      ids,
      options.map(({ id }) => id),
    ),
  mark({ no, key }, { ids }, full) {
    if (key.length === 0) throw new RangeError(`question ${no} has no right answer`)
    const right = ids.length === key.length && ids.every((id, i) => id === key[i])
    return right ? { score: full, right } : NOTHING
  },
  practiceFull: () => 100,
  markable: ({ no, type, key }) => ({ no, type, key }),
  keyId: (question) => JSON.stringify(order.markable(question)),
  asked: (question) => ({
    ...question,
    ...WITHOUT_ANSWER,
    options: askedOptions(question),
    key: [],
  }),
  keyText: (question) => arrows(question, question.key),
  answerText: (question: PlainQuestion, { ids }) => (question.type === 'order' ? arrows(question, ids) : ''),
  searchTexts: ({ options }) => options.map(({ html }) => html),
  sealed: ({ ids }) => [ids],
}
