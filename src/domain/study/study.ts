import type { PlainQuestion, Question } from '#src/contract/question.ts'
import type { OpPayload, StudyState } from '#src/contract/study.ts'
import type { OpKind } from '#src/contract/sync.ts'
import { dayOf } from '../time/day.ts'
import { listedType } from '../question/listedType.ts'
import { byTime, type Moment } from './moment.ts'
import { type MemoryModel, remembered } from './review.ts'

/**
 * What counts as a 题, everywhere a student reads a number: each question that can be answered counts once; of a material its
 * sub-questions, never the material itself. A library's and chapter's size and progress, the size of a batch, 第 n / m 题, the
 * answer sheet and the summary all count these. A material is dealt whole, so the last one may carry a batch over its size.
 */
export const partsOf = (question: Question): readonly PlainQuestion[] =>
  question.type === 'composite' ? question.parts : [question]

/** Where a question belongs. */
export type Place = Pick<StudyState, 'chapterNo' | 'libraryNo' | 'type' | 'points'>
export const placeOf = (
  part: PlainQuestion,
  { chapterNo, libraryNo }: Pick<Place, 'chapterNo' | 'libraryNo'>,
): Place => ({
  chapterNo: chapterNo || null,
  libraryNo: libraryNo || null,
  type: listedType(part),
  points: part.points.map(({ no }) => no),
})

/** Ops that act on one question. */
export const QUESTION_KINDS = ['answer', 'retract', 'book', 'cause', 'collect', 'note'] as const satisfies OpKind[]
export type QuestionKind = (typeof QUESTION_KINDS)[number]

export type Fact = { [K in QuestionKind]: Moment & { kind: K } & OpPayload<K> }[QuestionKind] & { right?: boolean }
export type Answer = Extract<Fact, { kind: 'answer' }>

/** Answers before the last one that are shown with a question. */
const EARLIER = 4

/** A question that nothing was done with yet. */
export const blankState = (questionNo: string, place: Place): StudyState => ({
  questionNo,
  chapterNo: place.chapterNo,
  libraryNo: place.libraryNo,
  type: place.type,
  points: [...place.points],
  times: 0,
  wrong: 0,
  streak: 0,
  lastAt: 0,
  lastRight: false,
  lastResponse: null,
  spentMs: 0,
})

/**
 * The state after one more fact, which must not come before what `state` has seen: else fold all of them again. A retraction
 * changes nothing here: whoever holds the facts leaves the retracted answer out (`standing`).
 * @param model by which the student remembers; most people's where nothing else is known.
 */
export function apply(state: StudyState | null, fact: Fact, place: Place, model?: MemoryModel): StudyState {
  const old = state ? { ...state, ...place, points: [...place.points] } : blankState(fact.questionNo, place)
  switch (fact.kind) {
    case 'answer':
      return answered(old, fact, model)
    case 'retract':
      return old
    case 'book':
      if (fact.as !== undefined) return withBook(old, fact.as)
      // What was taken out comes back as it was; only what is in begins anew.
      return fact.in
        ? {
            ...old,
            book: old.book?.out ? { ...old.book, out: false } : { rights: 0, since: fact.at, from: 'hand', out: false },
          }
        : old.book
          ? { ...old, book: { ...old.book, out: true } }
          : old
    case 'cause':
      return withOrWithout(old, 'cause', fact.cause || undefined)
    case 'collect': {
      const { opId, at, folder } = fact
      return withOrWithout(
        old,
        'collected',
        replaced(old.collected, fact.over, folder === null ? null : { opId, at, folder }),
      )
    }
    case 'note': {
      const { opId, at, text } = fact
      return withOrWithout(old, 'notes', replaced(old.notes, fact.over, text === '' ? null : { opId, at, text }))
    }
  }
}

function answered(
  old: StudyState,
  { at, right = false, response, spentMs, from }: Answer,
  model: MemoryModel | undefined,
): StudyState {
  const days = old.times === 0 ? 0 : Math.max(0, dayOf(at) - dayOf(old.lastAt))
  return {
    ...old,
    times: old.times + 1,
    wrong: old.wrong + (right ? 0 : 1),
    streak: right ? old.streak + 1 : 0,
    lastAt: at,
    lastRight: right,
    lastResponse: response,
    spentMs: old.spentMs + spentMs,
    memory: remembered(old.memory, days, right, model),
    ...(old.lastResponse && {
      earlier: [
        { at: old.lastAt, right: old.lastRight, response: withoutText(old.lastResponse) },
        ...(old.earlier ?? []),
      ].slice(0, EARLIER),
    }),
    ...(right
      ? old.book && { book: { ...old.book, rights: old.book.rights + 1 } }
      : { book: { rights: 0, since: at, from: originOf(old, from), out: false } }),
  }
}

/** A list of the student's own brings back what came from elsewhere: that stays its origin. */
const OWN_LISTS: readonly string[] = ['error', 'collect', 'note'] satisfies Answer['from'][]
const originOf = ({ book }: StudyState, from: Answer['from']) => (book && OWN_LISTS.includes(from) ? book.from : from)

const withoutText = (response: NonNullable<StudyState['lastResponse']>) =>
  response.kind === 'essay' ? { ...response, text: '' } : response

function withBook(state: StudyState, book: NonNullable<StudyState['book']> | null): StudyState {
  const { book: _book, ...rest } = state
  return book ? { ...rest, book } : rest
}

type Held = 'cause' | 'collected' | 'notes'
/** What is empty is left out, so that states are equal however they came about. */
function withOrWithout<K extends Held>(state: StudyState, key: K, value: StudyState[K]): StudyState {
  const { [key]: _, ...rest } = state
  const made: StudyState = rest as StudyState
  if (value !== undefined && value.length > 0) made[key] = value
  return made
}

/** Takes the place of what its maker had seen; what they had not seen stays beside it. */
function replaced<T extends Moment>(held: readonly T[] = [], over: readonly string[], added: T | null): T[] {
  const rest = held.filter(({ opId }) => !over.includes(opId) && opId !== added?.opId)
  return added ? [...rest, added] : rest
}

/** Without retractions and what they take back. */
export function standing<F extends Fact>(facts: readonly F[]): F[] {
  const retracted = new Set(facts.flatMap((fact) => (fact.kind === 'retract' ? [fact.target] : [])))
  return facts.filter((fact) => fact.kind !== 'retract' && !retracted.has(fact.opId))
}
/** Folds everything that was done with one question, given in any order. */
export function fold(questionNo: string, facts: readonly Fact[], place: Place, model?: MemoryModel): StudyState {
  const state = standing(facts)
    .sort(byTime)
    .reduce((folded, fact) => apply(folded, fact, place, model), blankState(questionNo, place))
  return withoutReplaced(state, facts)
}

/** A clock that was set back can sort an op before what it replaces. */
function withoutReplaced(state: StudyState, facts: readonly Fact[]): StudyState {
  const over = (kind: 'collect' | 'note') => facts.flatMap((fact) => (fact.kind === kind ? fact.over : []))
  const { collected, notes } = state
  return withOrWithout(
    withOrWithout(state, 'collected', collected && replaced(collected, over('collect'), null)),
    'notes',
    notes && replaced(notes, over('note'), null),
  )
}
