import type { PaperRef } from '#src/contract/sitting.ts'
import type { Paper } from '#src/contract/questionSet.ts'

/** A paper as it is sat: of a set, or a testing. */
export interface Sheet extends Pick<Paper, 'title' | 'partial' | 'rev' | 'locked' | 'sections'> {
  /** What its hand-in names. */
  ref: PaperRef
  /** When it hands itself in; null: never. */
  minutes: number | null
}

/** Where a paper is; one without a set has its own number twice. */
export interface Place {
  of: PaperRef['of']
  no: string
  itemNo: string
}
export const placeOf = (ref: PaperRef): Place => ({
  of: ref.of,
  no: ref.no,
  itemNo: ref.of === 'set' ? ref.itemNo : ref.no,
})
/** Only what anybody may try of it. */
export const isTrial = (ref: PaperRef): boolean => ref.of === 'set' && ref.trial
