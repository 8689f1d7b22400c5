import type { Cause, StudyState } from '#src/contract/study.ts'
import { phaseIn } from '#src/domain/errorBook.ts'
import { offline } from '#src/offline/index.ts'

const placeIn = ({ chapterNo, libraryNo, type, points }: StudyState) => ({ chapterNo, libraryNo, type, points })

/** 移出. */
export const takeOut = (state: StudyState): Promise<string> => setInBook(state, false)

const setInBook = (state: StudyState, isIn: boolean): Promise<string> =>
  offline.add({ kind: 'book', payload: { questionNo: state.questionNo, in: isIn }, place: placeIn(state) })

/** 移回: in the book again, whatever has taken it out. */
export async function putBack(state: StudyState, rule: number): Promise<void> {
  await setInBook(state, true)
  const { book } = state
  // It comes back as it was, and so many right answers may be enough by now: then it begins anew.
  if (book?.out && phaseIn({ book: { ...book, out: false } }, rule) === 'done') await setInBook(state, true)
}

/** 撤销 of either: as it was, whatever they have made of it. */
export const backAsIn = (state: StudyState): Promise<string> =>
  offline.add({
    kind: 'book',
    payload: { questionNo: state.questionNo, in: state.book?.out === false, as: state.book ?? null },
    place: placeIn(state),
  })

export const setCause = (state: StudyState, cause: Cause | ''): Promise<string> =>
  offline.add({ kind: 'cause', payload: { questionNo: state.questionNo, cause }, place: placeIn(state) })
