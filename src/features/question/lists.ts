import * as v from 'valibot'
import type { StudyState } from '#src/contract/study.ts'
import { dayOf } from '#src/domain/day.ts'
import {
  type BookGroup,
  type BookPart,
  countIn,
  DUE_MAX,
  ERROR_RULE,
  isIn,
  mostUrgent,
  PHASES,
} from '#src/domain/errorBook.ts'
import { dueDay } from '#src/domain/review.ts'
import { type Counters, offline } from '#src/offline/index.ts'
import { session } from '#src/session/session.ts'
import type { StudyList } from './listStudy.ts'

/** The student's rule; 0: by hand only. */
export async function errorRule(): Promise<number> {
  const settings = await offline.things('setting').catch(() => new Map())
  return Number(settings.get('errorRule')?.value ?? ERROR_RULE)
}

export const BOOK_GROUPS = [
  'chapter',
  'point',
  'type',
  'times',
  'from',
  'month',
  'cause',
] as const satisfies BookGroup[]

const KNOWN: readonly BookGroup[] = [...BOOK_GROUPS, 'library']

/** What an address says after its `?` of a part of the error book; what it says wrongly is not asked for. */
export function partIn(search: object): BookPart {
  const { phase, by, is }: { phase?: unknown; by?: unknown; is?: unknown } = search
  const group = KNOWN.find((each) => each === by)
  return {
    phase: PHASES.find((each) => each === phase),
    // A value made of digits comes as a number.
    by: group,
    is: group && (typeof is === 'string' || typeof is === 'number') ? String(is) : undefined,
  }
}

/** How many questions of a part there are in each chapter that has some, in the order of the rows. */
export const chaptersWith = (rows: readonly Counters[], part: BookPart, rule: number): Map<string, number> =>
  new Map(
    rows.flatMap((row) => {
      const count = countIn([row], part, rule)
      return count > 0 ? [[row.chapterNo, count] as const] : []
    }),
  )

/** Questions of a part in one chapter, the newest misses first. */
export async function readPart(chapterNo: string, part: BookPart, rule: number): Promise<StudyState[]> {
  const states = await offline.shelf('book', { from: chapterNo, to: chapterNo })
  return states.filter((state) => isIn(state, part, rule)).sort(newestFirst)
}
const newestFirst = (a: StudyState, b: StudyState): number => (b.book?.since ?? 0) - (a.book?.since ?? 0)

const REVIEWS = 'reviews'
/** What was dealt for review on a day: the rest of a long pause is for the days after. */
const Reviews = v.object({ day: v.number(), nos: v.array(v.string()) })

async function dealtOn(today: number): Promise<string[]> {
  const saved = v.safeParse(Reviews, await offline.loadDraft(REVIEWS).catch(() => null))
  return saved.success && saved.output.day === today ? saved.output.nos : []
}
/** How many of today's reviews are done. */
export async function reviewsDone(today: number): Promise<number> {
  const nos = await dealtOn(today)
  return nos.length - (await stillDue(nos, today)).size
}

async function stillDue(nos: readonly string[], today: number): Promise<Set<string>> {
  const states = await offline.states(nos)
  return new Set([...states.values()].filter((state) => (dueDay(state) ?? Infinity) <= today).map(numberOf))
}
const numberOf = ({ questionNo }: StudyState): string => questionNo

async function pickReviews(isHere: (state: StudyState) => boolean): Promise<string[]> {
  const today = dayOf(Date.now())
  const due = await offline.shelf('due', { to: today })
  const room = DUE_MAX - (await reviewsDone(today))
  // Who comes back for more when the day's are done gets more.
  const picked = mostUrgent(due.filter(isHere), today, room > 0 ? room : DUE_MAX).map(numberOf)
  const nos = [...new Set([...(await dealtOn(today)), ...picked])]
  await offline.saveDraft({ key: REVIEWS, value: { day: today, nos } }).catch(() => {})
  return picked
}

/** What was not answered today first, then the newest misses: another batch brings others. */
async function pickErrors(no: string, part: BookPart): Promise<string[]> {
  const [rule, rows] = await Promise.all([errorRule(), offline.allCounters()])
  const chapters = chaptersWith(
    rows.filter((row) => isOf(no, row)),
    part,
    rule,
  )
  const states = await Promise.all([...chapters.keys()].map((chapterNo) => readPart(chapterNo, part, rule)))
  const today = dayOf(Date.now())
  const seen = (state: StudyState) => (dayOf(state.lastAt) === today ? state.lastAt : 0)
  return states
    .flat()
    .sort((a, b) => seen(a) - seen(b) || newestFirst(a, b))
    .slice(0, session.get().chapterCount)
    .map(numberOf)
}

const isOf = (no: string, { chapterNo, libraryNo }: { chapterNo: string | null; libraryNo: string | null }): boolean =>
  no === 'all' || chapterNo === no || libraryNo === no

interface ErrorStudy {
  /** A chapter, a library, or `all`. */
  no: string
  mode: 'answer' | 'recite'
  /** 巩固, the spaced review: what is due, the most forgotten first, only so many a day and none twice on a day. */
  consolidate: boolean
  part: BookPart
}

/** 错题练习 of a part of the error book. */
export const errorList = ({ no, mode, consolidate, part }: ErrorStudy): StudyList => ({
  draft: ['errors', no, consolidate ? 1 : 0, mode, part.phase, part.by, part.is].join(':'),
  from: 'error',
  recite: mode === 'recite',
  pick: () => (consolidate ? pickReviews((state) => isOf(no, state)) : pickErrors(no, part)),
  still: async (nos) => {
    if (consolidate) return stillDue(nos, dayOf(Date.now()))
    const [rule, states] = await Promise.all([errorRule(), offline.states(nos)])
    return new Set([...states.values()].filter((state) => isIn(state, part, rule)).map(numberOf))
  },
})
