import { sql } from 'kysely'
import type { Question } from '#src/contract/question.ts'
import { readByCursor } from '#server/db/cursor.ts'
import type { Db } from '#server/db/open.ts'

/** A question that stands in a library. */
export interface Held {
  library: string
  question: Question
}

/** Reads what all libraries hold, some at a time. */
export const readHeld = (db: Db): AsyncGenerator<Held[]> =>
  readByCursor(
    db,
    sql<Held>`
      select c.library_no as library, q.body as question from question q join chapter c on c.no = q.chapter_no
      where not q.retired order by c.library_no, q.position, q.no`,
  )

export async function countHeld(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from question where not retired and chapter_no is not null`.execute(db)
  return rows[0]?.n ?? 0
}
