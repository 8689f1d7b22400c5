import { sql } from 'kysely'
import type { Question } from '#src/contract/question.ts'
import { readByCursor } from '#server/db/cursor.ts'
import type { Db } from '#server/db/open.ts'

/** A question that stands in a library. */
export interface Held {
  library: string
  question: Question
}

/** Reads what all libraries hold but these, some at a time. */
export const readHeld = (db: Db, without: readonly string[]): AsyncGenerator<Held[]> =>
  readByCursor(
    db,
    sql<Held>`
      select c.library_no as library, q.body as question from question q join chapter c on c.no = q.chapter_no
      where not q.retired and c.library_no <> all(${without}) order by c.library_no, q.position, q.no`,
  )

export async function countHeld(db: Db, without: readonly string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from question q join chapter c on c.no = q.chapter_no
    where not q.retired and c.library_no <> all(${without})`.execute(db)
  return rows[0]?.n ?? 0
}
