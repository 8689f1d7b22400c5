import { reviewsToday } from '#src/domain/plan.ts'
import { STAGES, stageOf } from '#src/domain/sums.ts'
import { readFigures } from '#src/offline/figures.ts'
import { offline } from '#src/offline/index.ts'
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
