import type { StudyState } from '#src/contract/study.ts'
import { reviewsToday } from '#src/domain/plan.ts'
import { STAGES, stageOf } from '#src/domain/sums.ts'
import { readFigures } from '#src/offline/figures.ts'
import { offline } from '#src/offline/index.ts'
import { DEFAULT_FOLDER, foldersOf, readFolders } from '#src/player/marks.ts'
import { session } from '#src/session/session.ts'
import type { StudyList } from './listStudy.ts'

/** Right answers in a row that take a question out of the error book, while the student has not chosen. */
const ERROR_RULE = 2
/** A batch that can be finished, however many minutes a day the student has. */
const DUE_MAX = 40

/** The student's rule; 0: by hand only. */
export async function errorRule(): Promise<number> {
  const settings = await offline.things('setting').catch(() => new Map())
  return Number(settings.get('errorRule')?.value ?? ERROR_RULE)
}

/** Still in the error book under this rule, not on the shelf of what is mastered. */
export const isOpen = (state: Parameters<typeof stageOf>[0], rule: number): boolean => {
  const stage = stageOf(state)
  return stage !== null && stage !== 'out' && (rule === 0 || STAGES.indexOf(stage) < rule)
}

/**
 * 错题练习 of a chapter, of a library or of `all`. 巩固 is the spaced review: what is due, the longest overdue first, and as
 * many as the plan has for today; else the newest misses first.
 */
export const errorList = (no: string, mode: 'answer' | 'recite', consolidate: boolean): StudyList => ({
  draft: `errors:${no}:${consolidate ? 1 : 0}`,
  from: 'error',
  recite: mode === 'recite',
  pick: async () => {
    const rule = await errorRule()
    const here = ({ chapterNo, libraryNo }: { chapterNo: string | null; libraryNo: string | null }) =>
      no === 'all' || chapterNo === no || libraryNo === no
    if (consolidate) {
      const { plan, settings } = await readFigures(offline, Date.now())
      const { count, until } = reviewsToday(plan, settings.examDay)
      const due = await offline.shelf('due', { to: until })
      return due
        .filter(here)
        .slice(0, Math.min(count, DUE_MAX))
        .map(({ questionNo }) => questionNo)
    }
    const book = await offline.shelf('book', {})
    return book
      .filter((state) => here(state) && isOpen(state, rule))
      .sort((a, b) => (b.book?.since ?? 0) - (a.book?.since ?? 0))
      .slice(0, session.get().chapterCount)
      .map(({ questionNo }) => questionNo)
  },
})

/** In a path, where '' cannot be. */
const DEFAULT_IN_PATH = 'default'
export const folderInPath = (no: string): string => no || DEFAULT_IN_PATH
const COLLECTED = 'collected'
const NOTED = 'noted'
export const collectDraft = (no: string): string => `${COLLECTED}:${no}`
export const noteDraft = (no: string): string => `${NOTED}:${no}`

/** 收藏练习 of a chapter, a library, a folder or `all`. */
export const collectList = (no: string, startAt?: string): StudyList => ({
  draft: collectDraft(no),
  from: 'collect',
  startAt,
  pick: async (first) => {
    const folders = await readFolders().catch(() => new Map<string, string>())
    const folder = no === DEFAULT_IN_PATH ? DEFAULT_FOLDER : no
    return batchOf(await marked(COLLECTED, no, (state) => foldersOf(state, folders).includes(folder)), first)
  },
})

/** 笔记练习 of a chapter, a library or `all`. */
export const noteList = (no: string, startAt?: string): StudyList => ({
  draft: noteDraft(no),
  from: 'note',
  startAt,
  pick: async (first) => batchOf(await marked(NOTED, no), first),
})

const marked = async (
  shelf: typeof COLLECTED | typeof NOTED,
  no: string,
  orElse: (state: StudyState) => boolean = () => false,
): Promise<StudyState[]> =>
  (await offline.shelf(shelf, { backwards: true })).filter(
    (state) => no === 'all' || state.chapterNo === no || state.libraryNo === no || orElse(state),
  )

/** So many as make a batch: those around the one to begin at, as the list shows them; else those not answered the longest. */
function batchOf(states: readonly StudyState[], startAt: string | undefined): string[] {
  const size = session.get().chapterCount
  const at = states.findIndex(({ questionNo }) => questionNo === startAt)
  const from = at - (at % size)
  const batch =
    at === -1 ? [...states].sort((a, b) => a.lastAt - b.lastAt).slice(0, size) : states.slice(from, from + size)
  return batch.map(({ questionNo }) => questionNo)
}
