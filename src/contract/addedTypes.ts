/**
 * Types of questions that came after the first release. An app says with each call which of them it can show, and a paper that has
 * others is refused: nobody shall sit a paper that they cannot answer. A question on its own is shown all the same, to be read.
 */
export const ADDED_TYPES = ['order'] as const
/** Header of a call: the added types that the app knows, joined by commas. An app without it knows none. */
export const TYPES_HEADER = 'x-question-types'
