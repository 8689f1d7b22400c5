import type { StudyState, Thing } from '#src/contract/study.ts'
import { WEEK_DAYS } from '#src/domain/study/week.ts'
import { startOf } from '#src/domain/time/day.ts'
import type { Engine } from '../engine.ts'

/** It says what happened in a week, besides the figures of its days. */
export interface WeekRecord {
  /** Questions whose last wrong answer was then. */
  missed: StudyState[]
  /** Exams that were handed in, the first one first. */
  exams: (Thing<'exam'> & { id: string; handedAt: number })[]
  /** So many papers of question sets and testings were handed in. */
  papers: number
}

/** Reads a week by an index, so that it costs what was missed in it, and not what was ever answered. */
export async function readWeek(record: Pick<Engine, 'shelf' | 'things'>, monday: number): Promise<WeekRecord> {
  const [from, end] = [startOf(monday), startOf(monday + WEEK_DAYS)]
  const isThen = (at: number | null): at is number => at !== null && at >= from && at < end
  const [listed, exams, papers] = await Promise.all([
    record.shelf('missed', { from, to: end - 1 }),
    record.things('exam'),
    record.things('attempt'),
  ])
  return {
    // A question that a student put into the error book by hand was never missed.
    missed: listed.filter(({ book, wrong }) => book?.from !== 'hand' || wrong > 0),
    exams: [...exams]
      .flatMap(([id, { handedAt, ...sitting }]) => (isThen(handedAt) ? [{ ...sitting, id, handedAt }] : []))
      .sort((a, b) => a.handedAt - b.handedAt),
    papers: [...papers.values()].filter(({ handedAt }) => isThen(handedAt)).length,
  }
}
