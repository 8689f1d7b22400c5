import { isChoice, takesOne } from '#src/domain/question/choice.ts'
import {
  type CompositeQuestion,
  type EssayQuestion,
  type PlainQuestion,
  type Question,
  QUESTION_TYPES,
} from '#src/contract/question.ts'
import type { Response } from '#src/contract/response.ts'
import { emptyResponse, isAnswered, isRight, practiceMark } from '#src/domain/question/marking.ts'
import { rulesOf } from '#src/domain/question/types.ts'
import { partsOf } from '#src/domain/study/study.ts'
import type { Deal } from '#src/offline/drafts/practice.ts'

/** One question as a student counts them (see `partsOf`), and where it came from. */
export interface Item {
  part: PlainQuestion
  /** As the bank has it, where `part` has its options in another order. */
  bank?: PlainQuestion
  /** What it is a sub-question of; those of one material follow each other. */
  material: CompositeQuestion | null
  chapterNo: string
  libraryNo: string
  /** Place of its block, or of its section in a paper, to find it again. */
  block: number
  /** The paper's section that it stands in. */
  section?: string
}
/**
 * practice marks each answer at once; recite shows the answers and records nothing; exam reveals nothing and lets every answer
 * change until it is handed in; review is what was handed in: marked, but for the essays that the student marks now.
 */
export type Mode = 'practice' | 'recite' | 'exam' | 'review'
export interface PartState {
  response: Response
  /** Null until the answer is marked and on disk; a marked answer never changes again. */
  right: boolean | null
  /** An essay's reference has been opened for self-marking. */
  opened: boolean
  /** Of the op that recorded the answer: it is taken back by this. */
  opId?: string | undefined
  /** Whole ms that this part was on the screen. */
  spentMs: number
  /** 存疑: to be looked at again before handing in. */
  flagged?: boolean | undefined
  /** Handed in where a partly right choice is worth nothing. */
  strict?: boolean | undefined
  /** Ids of the options that the student has ruled out. */
  struck?: string[]
}
export interface PlayerState {
  items: readonly Item[]
  at: number
  mode: Mode
  /** By question number; a part without an entry is untouched. */
  parts: Readonly<Record<string, PartState>>
  deal?: Deal
  /** By chapter practice itself: what is answered elsewhere before it is begun leaves it. */
  dealt?: true
  /** Whole ms of a batch that ends after a time, reading of analyses included. */
  usedMs?: number
}
export type PlayerEvent =
  | { type: 'choose'; part: PlainQuestion; id: string }
  | { type: 'strike'; part: PlainQuestion; id: string }
  | { type: 'fill'; part: PlainQuestion; index: number; text: string }
  /** All options in the order that the student gives them. */
  | { type: 'order'; part: PlainQuestion; ids: readonly string[] }
  | { type: 'write'; part: PlainQuestion; text: string }
  | { type: 'open'; part: PlainQuestion }
  | { type: 'tick'; part: PlainQuestion; index: number }
  | { type: 'marked'; part: PlainQuestion; right: boolean; opId?: string | undefined }
  /** Recorded with this response, not marked: it can still be changed, and may have been before the write was done. */
  | { type: 'kept'; part: PlainQuestion; response: Response; opId: string }
  /** 撤销: its answer was taken back. */
  | { type: 'reopen'; part: PlainQuestion }
  /** `ms` at the question, of `shownMs` on the screen. */
  | { type: 'spent'; ms: number; shownMs: number }
  | { type: 'go'; at: number }
  | { type: 'mode'; mode: Mode }
  | { type: 'flag'; part: PlainQuestion }
  /** `strict`: the paper gives nothing for a partly right choice. `opIds`: of answers recorded with it, by question. */
  | { type: 'hand-in'; strict: boolean; opIds: Readonly<Record<string, string>> }
  /** Other forms of the same questions, or fewer of them. */
  | { type: 'arrange'; items: readonly Item[]; deal: Deal }

/** A question left open is not study time beyond this. */
const SPENT_MAX_MS = 10 * 60_000

/** All that there is to answer in a question, in its order: a material comes whole. */
export const itemsOf = (question: Question, place: Omit<Item, 'part' | 'material'>): Item[] =>
  partsOf(question).map((part) => ({
    part: readable(part),
    material: question.type === 'composite' ? question : null,
    ...place,
  }))

/** A newer server's type that this app does not know is read, and marked by the student, like an essay. */
const readable = (part: PlainQuestion): PlainQuestion =>
  QUESTION_TYPES.includes(part.type)
    ? part
    : { ...commonOf(part), type: 'essay', reference: '<p>请更新应用，这种题型要新版本才能作答。</p>', scoring: [] }
const commonOf = ({ no, stem, analysis, points, difficulty, source, year }: PlainQuestion) => {
  return { no, stem, analysis, points, difficulty, source, year }
}

export const partState = (state: PlayerState, part: PlainQuestion): PartState =>
  state.parts[part.no] ?? { response: emptyResponse(part), right: null, opened: false, spentMs: 0 }

/** What a student ticks of an essay; one without scoring points is marked as a whole. */
export const ticksOf = (part: EssayQuestion): readonly { html: string; score: number }[] =>
  part.scoring.length > 0 ? part.scoring : [{ html: '我已掌握', score: 0 }]

export const start = (items: readonly Item[], mode: Mode = 'practice'): PlayerState => ({
  items,
  at: 0,
  mode,
  parts: {},
})

/** The pure state machine of the player. Events that make no sense now change nothing. */
export function next(state: PlayerState, event: PlayerEvent): PlayerState {
  switch (event.type) {
    case 'go':
      return state.items[event.at] && event.at !== state.at ? { ...state, at: event.at } : state
    case 'mode':
      return event.mode === state.mode || isSealed(state.mode) ? state : { ...state, mode: event.mode }
    case 'flag':
      return state.mode === 'exam' ? change(state, event.part, (part) => ({ ...part, flagged: !part.flagged })) : state
    case 'hand-in':
      return state.mode === 'review' ? state : handedIn(state, event.strict, event.opIds)
    case 'spent':
      return withSpent(used(state, event.shownMs), event.ms)
    case 'arrange':
      return { ...state, items: event.items, deal: event.deal, at: Math.min(state.at, event.items.length - 1) }
    case 'marked':
      return change(state, event.part, (part) => ({ ...part, right: event.right, opId: event.opId }))
    case 'kept':
      return change(state, event.part, (part) => (stands(part, event.response) ? { ...part, opId: event.opId } : part))
    case 'reopen':
      return reopened(state, event.part)
    case 'choose':
    case 'strike':
    case 'fill':
    case 'order':
    case 'write':
    case 'open':
    case 'tick':
      return isClosedTo(event, state.mode) ? state : change(state, event.part, (part) => answered(part, event))
  }
}

/** Nothing is looked up in an exam, and what was handed in is only marked. */
const isClosedTo = ({ type }: PlayerEvent, mode: Mode): boolean =>
  mode === 'recite' || mode === (type === 'open' || type === 'tick' ? 'exam' : 'review')

/** No way out of an exam but handing it in, and none back. */
export const isSealed = (mode: Mode): boolean => mode === 'exam' || mode === 'review'

/** Marked as it stands, blank or not; an essay with something in it is opened for the student to mark. */
function handedIn(state: PlayerState, strict: boolean, opIds: Readonly<Record<string, string>>): PlayerState {
  const parts = state.items.map(({ part }) => {
    const own = { ...partState(state, part), ...(opIds[part.no] && { opId: opIds[part.no] }) }
    const theirs = part.type === 'essay' && (own.right !== null || isAnswered(own.response))
    const made = theirs ? { ...own, opened: true } : { ...own, right: verdict(state, part), strict }
    return [part.no, made] as const
  })
  return { ...state, at: 0, mode: 'review', parts: { ...state.parts, ...Object.fromEntries(parts) } }
}

const stands = ({ response }: PartState, written: Response): boolean =>
  JSON.stringify(response) === JSON.stringify(written)

/** `make` gives back the very `old` when nothing is to change. */
function change(state: PlayerState, part: PlainQuestion, make: (old: PartState) => PartState): PlayerState {
  const old = partState(state, part)
  const known = state.items.some((item) => item.part.no === part.no)
  const made = known && old.right === null ? make(old) : old
  return made === old ? state : { ...state, parts: { ...state.parts, [part.no]: made } }
}

/** Open again with what was chosen, and gone to. */
function reopened(state: PlayerState, part: PlainQuestion): PlayerState {
  const at = state.items.findIndex((item) => item.part.no === part.no)
  const { opId, ...old } = partState(state, part)
  if (state.mode !== 'practice' || at === -1 || !opId) return state
  return { ...state, at, parts: { ...state.parts, [part.no]: { ...old, right: null } } }
}

type AnswerEvent = Extract<PlayerEvent, { type: 'choose' | 'strike' | 'fill' | 'order' | 'write' | 'open' | 'tick' }>

function answered(old: PartState, event: AnswerEvent): PartState {
  if (event.type === 'open') return event.part.type === 'essay' && !old.opened ? { ...old, opened: true } : old
  // What was recorded is not what stands now.
  const { opId: _, ...fresh } = old
  if (event.type === 'strike') return struck(fresh, event.id)
  const response = responded(old, event)
  return response ? { ...fresh, response } : old
}

/** A struck option is not chosen any more, nor to be chosen until it is restored. */
function struck(old: PartState, id: string): PartState {
  const { response } = old
  const ids = response.kind === 'choice' ? response.ids.filter((each) => each !== id) : []
  return {
    ...old,
    struck: toggled(old.struck ?? [], id),
    response: response.kind === 'choice' ? { ...response, ids } : response,
  }
}

/** Null: the answer stays as it is. */
function responded(
  { response, opened, struck = [] }: PartState,
  event: Exclude<AnswerEvent, { type: 'open' | 'strike' }>,
): Response | null {
  if (event.type === 'choose' && response.kind === 'choice' && !struck.includes(event.id)) {
    const ids = chosen(event.part, response.ids, event.id)
    return ids && { kind: 'choice', ids }
  }
  if (event.type === 'fill' && response.kind === 'blank' && event.index in response.texts) {
    const texts = response.texts.map((text, i) => (i === event.index ? event.text : text))
    return event.text === response.texts[event.index] ? null : { kind: 'blank', texts }
  }
  if (event.type === 'order' && response.kind === 'order') {
    const ordered = { ...response, ids: [...event.ids] }
    return rulesOf(event.part).goesOn(event.part, ordered) ? ordered : null
  }
  if (event.type === 'write' && response.kind === 'essay')
    return event.text === response.text ? null : { ...response, text: event.text }
  if (event.type === 'tick' && response.kind === 'essay' && opened && event.part.type === 'essay')
    return event.index in ticksOf(event.part)
      ? { ...response, ticked: ticked(event.part, response.ticked, event.index) }
      : null
  return null
}

/** One of the grades is reached: another one takes its place; the same one again leaves none. */
const ticked = ({ composition }: EssayQuestion, old: readonly number[], index: number): number[] =>
  composition?.graded ? [index].filter((each) => !old.includes(each)) : toggled(old, index)

const toggled = <T>(list: readonly T[], item: T): T[] =>
  list.includes(item) ? list.filter((each) => each !== item) : [...list, item]

function chosen(part: PlainQuestion, ids: readonly string[], id: string): string[] | null {
  if (!isChoice(part) || !part.options.some((option) => option.id === id)) return null
  if (!takesOne(part)) return toggled(ids, id).sort()
  return ids.includes(id) ? null : [id]
}

const used = (state: PlayerState, ms: number): PlayerState =>
  state.deal?.limitMs ? { ...state, usedMs: (state.usedMs ?? 0) + Math.min(SPENT_MAX_MS, Math.round(ms)) } : state

function withSpent(state: PlayerState, ms: number): PlayerState {
  const part = openPart(state)
  if (!part || state.mode === 'recite' || ms <= 0) return state
  return change(state, part, (old) => {
    const spentMs = Math.min(SPENT_MAX_MS, old.spentMs + Math.round(ms))
    return spentMs === old.spentMs ? old : { ...old, spentMs }
  })
}

/** What the student is to answer now; null when it is marked. */
export function openPart(state: PlayerState): PlainQuestion | null {
  const part = state.items[state.at]?.part
  return part && partState(state, part).right === null ? part : null
}

export type Result = 'right' | 'partial' | 'wrong'
/** What a marked answer earned. Only a wholly right one counts as right in the record. */
export function resultOf(part: PlainQuestion, { response, right, strict }: PartState): Result {
  if (right) return 'right'
  return !(strict && 'key' in part) && practiceMark(part, response).score > 0 ? 'partial' : 'wrong'
}

export type Look = 'untouched' | 'started' | Result
/** How a question stands, on the answer sheet and everywhere else. */
export function lookOf(state: PlayerState, { part }: Item): Look {
  const own = partState(state, part)
  if (own.right !== null) return resultOf(part, own)
  return own.opened || isAnswered(own.response) ? 'started' : 'untouched'
}

/** Something was answered, or a later question gone to. */
export const isBegun = (state: PlayerState): boolean =>
  state.at > 0 || state.items.some((item) => lookOf(state, item) !== 'untouched')

export interface Summary extends Record<Look, number> {
  total: number
  spentMs: number
}
/** `started` and `untouched` are what is left to do. */
export function summary(state: PlayerState): Summary {
  const sum: Summary = {
    untouched: 0,
    started: 0,
    right: 0,
    partial: 0,
    wrong: 0,
    total: state.items.length,
    spentMs: 0,
  }
  for (const item of state.items) {
    sum[lookOf(state, item)]++
    sum.spentMs += partState(state, item.part).spentMs
  }
  return sum
}
/** Place of the first question that is not marked; -1 when there is none. */
export const firstUndone = (state: PlayerState): number =>
  state.items.findIndex(({ part }) => partState(state, part).right === null)
export const isFinished = (state: PlayerState): boolean => firstUndone(state) === -1
/**
 * A batch that was left on a question that is marked goes on at the next one that is not: whoever comes back wants to go on, not to
 * read the same verdict again. Papers and what is sealed stay where they were.
 */
export function resumed(state: PlayerState): PlayerState {
  const isMarked = (item: Item | undefined) => item !== undefined && partState(state, item.part).right !== null
  if (state.mode !== 'practice' || !isMarked(state.items[state.at])) return state
  const behind = state.items.findIndex((item, i) => i > state.at && !isMarked(item))
  const undone = behind === -1 ? firstUndone(state) : behind
  return undone === -1 ? state : { ...state, at: undone }
}

/** What the pure rule says of the answer as it stands. */
export const verdict = (state: PlayerState, part: PlainQuestion): boolean =>
  isRight(part, partState(state, part).response)
