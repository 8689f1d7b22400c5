import type { Located, PlainQuestion } from '#src/contract/question.ts'
import type { StudyState } from '#src/contract/study.ts'
import type { BookPart } from '#src/domain/study/errorBook.ts'
import { partsOf } from '#src/domain/study/study.ts'
import type { Counters } from '#src/offline/index.ts'
import { chaptersWith, readPart } from '../lists/lists.ts'
import { questionsOf } from '../lists/listStudy.ts'

/** A question of the error book with what the student has done of it. */
export interface Entry {
  state: StudyState
  /** Null: it is not on this device, and cannot be fetched now. */
  located: Located | null
  part: PlainQuestion | null
}

/** `size` questions of a part from place `from`; reads the chapters that they are in, and no others. */
export async function readEntries(
  rows: readonly Counters[],
  part: BookPart,
  { rule, from, size }: { rule: number; from: number; size: number },
): Promise<Entry[]> {
  const states: StudyState[] = []
  let before = 0
  for (const [chapterNo, count] of chaptersWith(rows, part, rule)) {
    if (before + count > from && before < from + size) {
      const found = await readPart(chapterNo, part, rule)
      states.push(...found.slice(Math.max(0, from - before), from + size - before))
    }
    before += count
  }
  const located = await questionsOf(states.map(({ questionNo }) => questionNo))
  return states.map((state) => entryOf(state, located.get(state.questionNo) ?? null))
}

function entryOf(state: StudyState, located: Located | null): Entry {
  const part = located && partsOf(located.question).find(({ no }) => no === state.questionNo)
  return { state, located, part: part ?? null }
}

/** 已下架: in nobody's chapters any more, and still the student's own. */
export const isRetired = ({ state, located }: Entry): boolean => !state.chapterNo || located?.retired === true
