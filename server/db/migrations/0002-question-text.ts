import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A question is only ever read whole, so its JSON is kept as written: no conversion at import, blocks are cut by joining texts. */
export const questionText: Migration = {
  up: async (db) => void (await sql`alter table question alter column body type json using body::json`.execute(db)),
}
