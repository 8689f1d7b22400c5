// Apart from study.ts, whose folding brings a library along: the service worker only sorts.
/** When something was done. Facts are folded by (at, opId), so any order of arrival gives one state. */
export interface Moment {
  opId: string
  /** Effective time, ms. */
  at: number
}

/** Orders what a student did, the same on every device. */
export function byTime(a: Moment, b: Moment): number {
  return a.at - b.at || (a.opId < b.opId ? -1 : a.opId > b.opId ? 1 : 0)
}
