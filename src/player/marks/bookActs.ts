import type { Cause, StudyState, Thing } from '#src/contract/study.ts'
import { ERROR_RULE, isOpen, phaseIn } from '#src/domain/study/errorBook.ts'
import { offline } from '#src/offline/index.ts'
import { placeIn } from './writeMarks.ts'

/** 移出. */
export const takeOut = (state: StudyState): Promise<string> => setInBook(state, false)

const setInBook = (state: StudyState, isIn: boolean): Promise<string> =>
  offline.add({ kind: 'book', payload: { questionNo: state.questionNo, in: isIn }, place: placeIn(state) })

const underWay = new Map<string, Promise<void>>()

/** 移回: in the book again, whatever has taken it out; the second of two taps changes nothing. */
export function putBack({ questionNo }: StudyState, rule: number): Promise<void> {
  const run = underWay.get(questionNo) ?? putBackOnce(questionNo, rule).finally(() => underWay.delete(questionNo))
  underWay.set(questionNo, run)
  return run
}

async function putBackOnce(questionNo: string, rule: number): Promise<void> {
  // The screen may not know yet what the last tap has made of it.
  const state = (await offline.states([questionNo])).get(questionNo)
  if (!state || isOpen(state, rule)) return
  await setInBook(state, true)
  const { book } = state
  // It comes back as it was, and so many right answers may be enough by now: then it begins anew.
  if (book?.out && phaseIn({ book: { ...book, out: false } }, rule) === 'done') await setInBook(state, true)
}

type Settings = ReadonlyMap<string, Thing<'setting'>>
/** A device that cannot read its record has the ordinary ones. */
export const settingsHere = (): Promise<Settings> => offline.things('setting').catch(() => new Map())

/** How many right answers in a row take a question out of the book; 0: the student's hand alone does. */
export const ruleIn = (settings: Settings): number => Number(settings.get('errorRule')?.value ?? ERROR_RULE)
export const errorRule = async (): Promise<number> => ruleIn(await settingsHere())

/** 撤销 of either: as it was, whatever they have made of it. */
export const backAsIn = (state: StudyState): Promise<string> =>
  offline.add({
    kind: 'book',
    payload: { questionNo: state.questionNo, in: state.book?.out === false, as: state.book ?? null },
    place: placeIn(state),
  })

export const setCause = (state: StudyState, cause: Cause | ''): Promise<string> =>
  offline.add({ kind: 'cause', payload: { questionNo: state.questionNo, cause }, place: placeIn(state) })
