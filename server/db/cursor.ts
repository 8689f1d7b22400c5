import { type RawBuilder, sql } from 'kysely'
import type { Db } from './open.ts'

const CHUNK = 500

/** Reads the rows of a query some at a time, all as they stood at one moment, and sorted once, however many there are. */
export async function* readByCursor<T>(db: Db, query: RawBuilder<T>): AsyncGenerator<T[]> {
  const tx = await db.startTransaction().execute()
  try {
    await sql`declare reading no scroll cursor for ${query}`.execute(tx)
    for (;;) {
      const { rows } = await sql<T>`fetch ${sql.lit(CHUNK)} from reading`.execute(tx)
      if (rows.length > 0) yield rows
      if (rows.length < CHUNK) return
    }
  } finally {
    await tx.rollback().execute()
  }
}
