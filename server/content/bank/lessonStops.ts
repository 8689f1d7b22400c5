import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/open.ts'
import type { Checked } from './checked.ts'

/** A moment at which a published lesson stops to ask a question (docs/decisions/lessons.md 0083). */
export interface Stop {
  course: string
  courseTitle: string
  lesson: string
  lessonTitle: string
  /** Seconds from the lesson's beginning. */
  at: number
  question: string
}

/** Reads what lessons ask now, of one library: questions that are in it and open to everybody. */
export async function readStops(db: Db | Tx, libraryNo: string): Promise<Stop[]> {
  const { rows } = await sql<Stop>`
    select c.no as course, c.title as "courseTitle", l.no as lesson, l.title as "lessonTitle", a.at, a.no as question
    from lesson l join course c on c.no = l.course_no, json_to_recordset(l.questions) as a(at int, no text),
      question q join chapter h on h.no = q.chapter_no
    where not l.retired and q.no = a.no and q.free and not q.retired and h.library_no = ${libraryNo}
    order by c.no, l.position, a.at`.execute(db)
  return rows
}

/** Finds those of the stops that lessons have no more, after their library became another. */
export async function lostOf(tx: Tx, libraryNo: string, before: readonly Stop[]): Promise<Stop[]> {
  if (before.length === 0) return []
  const left = new Set((await readStops(tx, libraryNo)).map(({ question }) => question))
  return before.filter(({ question }) => !left.has(question))
}

/** Finds the stops that lessons would lose if checked files took the place of their libraries, by the place of each file. */
export const wouldLose = (db: Db, checked: readonly Checked[]): Promise<Stop[][]> =>
  Promise.all(
    checked.map(async ({ bank, spool }) => {
      const stops = bank ? await readStops(db, bank.library.no) : []
      if (stops.length === 0) return []
      const leaving = new Set(stops.map(({ question }) => question))
      for (const nos of spool.numbers()) for (const no of nos) leaving.delete(no)
      return stops.filter(({ question }) => leaving.has(question))
    }),
  )
