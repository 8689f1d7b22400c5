import type { Cause, StudyState } from '#src/contract/study.ts'
import { type ChapterSums, type Group, groupsOf, type Stage, STAGES, stageOf, type Sums } from './sums.ts'

/** Right answers in a row that take a question out of the error book, while the student has not chosen; 0: by hand only. */
export const ERROR_RULE = 2

/** Where a question of the error book stands: 未掌握 → 巩固中 → 已消灭 → (错) → 未掌握. */
export const PHASES = ['open', 'firm', 'done'] as const
export type Phase = (typeof PHASES)[number]
export const PHASE_NAMES: Record<Phase, string> = { open: '未掌握', firm: '巩固中', done: '已消灭' }
export const CAUSE_NAMES: Record<Cause, string> = {
  unknown: '不会',
  misread: '看错',
  reasoning: '思路错误',
  time: '时间不够',
  guess: '蒙的',
}

export function phaseOf(stage: Stage, rule: number): Phase {
  if (stage === 'out') return 'done'
  const rights = STAGES.indexOf(stage)
  if (rule > 0 && rights >= rule) return 'done'
  return rights === 0 ? 'open' : 'firm'
}

/** Null: it never was in the error book. */
export function phaseIn(state: Pick<StudyState, 'book'>, rule: number): Phase | null {
  const stage = stageOf(state)
  return stage === null ? null : phaseOf(stage, rule)
}

/** Still in the error book under this rule, not on the shelf of what is mastered. */
export const isOpen = (state: Pick<StudyState, 'book'>, rule: number): boolean =>
  ['open', 'firm'].includes(phaseIn(state, rule) ?? '')

/** Right answers that are still missing; null: none take it out, or it is out. */
export const leftOf = (state: Pick<StudyState, 'book'>, rule: number): number | null =>
  rule > 0 && isOpen(state, rule) ? rule - (state.book?.rights ?? 0) : null

/** Wrong so often, and still in the book: doing it once more as before helps little. */
export const STUBBORN_TIMES = 4
/** 顽固题 */
export const isStubborn = (state: Pick<StudyState, 'book' | 'wrong'>, rule: number): boolean =>
  state.wrong >= STUBBORN_TIMES && isOpen(state, rule)

export type BookGroup = Group | 'chapter' | 'library'
/** A part of the error book: one group of a phase; without a phase of what is still open, without `is` all of it. */
export interface BookPart {
  phase?: Phase | undefined
  by?: BookGroup | undefined
  is?: string | undefined
}

/** Whether a question is in a part; its sums say the same (`countBy`). */
export function isIn(state: StudyState, { phase, by, is }: BookPart, rule: number): boolean {
  if (phase ? phaseIn(state, rule) !== phase : !isOpen(state, rule)) return false
  if (by === undefined || is === undefined) return true
  if (isPlace(by)) return (state[`${by}No`] ?? '') === is
  return groupsOf(state).some(([group, value]) => group === by && value === is)
}

/** Groupings that the details of a row count, and not the row as lists read it. */
export const isGroup = (by: BookGroup | undefined): by is Group => by !== undefined && !isPlace(by)
/** Groupings that whole rows of sums belong to. */
const isPlace = (by: BookGroup | undefined): by is 'chapter' | 'library' => by === 'chapter' || by === 'library'

/** How many questions each value of a grouping has, by value; '' in all without one. Costs what there are sums, not questions. */
export function countBy(rows: readonly ChapterSums[], { phase, by }: BookPart, rule: number): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (value: string, amount: number) => counts.set(value, (counts.get(value) ?? 0) + amount)
  const stages = STAGES.filter((stage) => isAt(phaseOf(stage, rule), phase)).map((stage) => `book:${stage}`)
  for (const row of rows)
    if (by === undefined || isPlace(by)) {
      const count = stages.reduce((sum, stage) => sum + (row.sums[stage] ?? 0), 0)
      if (count > 0) add(by === undefined ? '' : row[`${by}No`], count)
    } else for (const [value, amount] of valuesOf(row.sums, by, stages)) add(value, amount)
  return counts
}
const isAt = (at: Phase, phase: Phase | undefined): boolean => (phase ? at === phase : at !== 'done')

function* valuesOf(sums: Sums, by: Group, stages: readonly string[]): Generator<[value: string, amount: number]> {
  for (const [name, amount] of Object.entries(sums)) {
    const stage =
      name.startsWith('book:') &&
      stages.find((each) => name.startsWith(`:${by}:`, each.length) && name.startsWith(each))
    if (stage) yield [name.slice(stage.length + by.length + 2), amount]
  }
}

/** How many questions a part has. */
export const countIn = (rows: readonly ChapterSums[], { phase, by, is }: BookPart, rule: number): number =>
  countBy(rows, is === undefined ? { phase } : { phase, by }, rule).get(is ?? '') ?? 0

export function countPhases(rows: readonly ChapterSums[], rule: number): Record<Phase, number> {
  const of = (phase: Phase) => countIn(rows, { phase }, rule)
  return { open: of('open'), firm: of('firm'), done: of('done') }
}

/** How many would go to 已消灭, and come back from it, if the rule changed. */
export function movesOf(rows: readonly ChapterSums[], from: number, to: number): { out: number; back: number } {
  const moves = { out: 0, back: 0 }
  for (const { sums } of rows)
    for (const stage of STAGES) {
      const [before, after] = [phaseOf(stage, from), phaseOf(stage, to)]
      if (before === after) continue
      if (after === 'done') moves.out += sums[`book:${stage}`] ?? 0
      if (before === 'done') moves.back += sums[`book:${stage}`] ?? 0
    }
  return moves
}
