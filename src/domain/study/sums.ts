import type { StudyState } from '#src/contract/study.ts'
import { dateOf, dayOf } from '../time/day.ts'
import { dueDay } from './review.ts'

/** Amounts by name; a name that is not there is 0. Kept by difference, so that no screen ever counts rows. */
export type Sums = Readonly<Record<string, number>>

/** The sums of one chapter; '' for both numbers when its questions have been retired. */
export interface ChapterSums {
  chapterNo: string
  libraryNo: string
  sums: Sums
}

/** Right answers in a row, as far as they are told apart (the most that a student can ask for), or out by hand. */
const MOST_RIGHTS = 5
export const STAGES = ['0', '1', '2', '3', '4', '5', 'out'] as const
export type Stage = (typeof STAGES)[number]
/** Times wrong, as far as they are told apart. */
const MOST_TIMES = 5

/** The place of a question in the error book; null when it never was there. */
export function stageOf({ book }: Pick<StudyState, 'book'>): Stage | null {
  if (!book) return null
  return book.out ? 'out' : (STAGES[Math.min(MOST_RIGHTS, book.rights)] ?? '0')
}

/** What a question of the error book is counted under, besides its chapter: one value of each, points several. */
export function groupsOf(state: StudyState): [group: Group, value: string][] {
  const { book, type, points, wrong, cause } = state
  if (!book) return []
  return [
    ['type', type],
    ...points.map((no): [Group, string] => ['point', no]),
    ['times', String(Math.min(MOST_TIMES, wrong))],
    ['from', book.from],
    ['month', dateOf(dayOf(book.since)).slice(0, 7)],
    ['cause', cause ?? ''],
  ]
}
export type Group = 'type' | 'point' | 'times' | 'from' | 'month' | 'cause'

/** Everything that one question adds to the sums of its chapter. */
export function contributions(state: StudyState): Sums {
  const sums: Record<string, number> = {}
  const add = (name: string, amount: number) => {
    if (amount !== 0) sums[name] = (sums[name] ?? 0) + amount
  }
  const practised = (prefix: string) => {
    add(`${prefix}done`, state.times > 0 ? 1 : 0)
    add(`${prefix}right`, state.lastRight ? 1 : 0)
    add(`${prefix}answered`, state.times)
    add(`${prefix}wrong`, state.wrong)
    add(`${prefix}ms`, state.spentMs)
  }
  practised('')
  for (const no of state.points) practised(`point:${no}:`)
  for (const folder of new Set(state.collected?.map((each) => each.folder))) add(`folder:${folder}`, 1)
  add('collected', state.collected ? 1 : 0)
  add('noted', state.notes ? 1 : 0)
  const due = dueDay(state)
  if (due !== null) add(`due:${due}`, 1)
  const stage = stageOf(state)
  if (stage === null) return sums
  add(`book:${stage}`, 1)
  for (const [group, value] of groupsOf(state)) add(`book:${stage}:${group}:${value}`, 1)
  return sums
}

/**
 * Adds to `sums` what `added` has, `sign` times; names that come to 0 leave. It changes `sums` itself: a copy for each question
 * would make the sums of a large chapter cost as much as its square.
 */
export function addTo(sums: Record<string, number>, added: Sums, sign: 1 | -1 = 1): void {
  for (const [name, amount] of Object.entries(added)) {
    const value = (sums[name] ?? 0) + sign * amount
    if (value === 0) delete sums[name]
    else sums[name] = value
  }
}

/** `sums` with what `added` has; names that come to 0 leave. */
export function plus(sums: Sums, added: Sums): Sums {
  const result = { ...sums }
  addTo(result, added)
  return result
}

/** Most amounts are of points or of groups of the error book: only who opens those reads them. */
export type Detail = 'points' | 'groups'
/** Null: lists show it. */
export function detailOf(name: string): Detail | null {
  if (name.startsWith('point:')) return 'points'
  return name.startsWith('book:') && name.includes(':', 'book:'.length) ? 'groups' : null
}
