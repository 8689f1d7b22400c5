import type { Change, StudyState } from '#src/contract/study.ts'
import type { Place } from '#src/domain/study/study.ts'

/** States among changes, by question. */
export const statesIn = (changes: readonly Change[]): Map<string, StudyState> =>
  new Map(changes.flatMap((change) => (change.kind === 'state' ? [[change.state.questionNo, change.state]] : [])))

/** Where questions of `bankJson` are. */
export const placeIn = (prefix = 'L', chapterNo = `${prefix}_c1`): Place => ({
  chapterNo,
  libraryNo: prefix,
  type: 'single',
  points: [`${prefix}_p1`],
})
