import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What formulae were written in, by the hash of the MathML that students get: an export gives them back as they were written. */
const statements = sql`
create table formula (
  key text primary key,
  latex text not null
);
`

export const formulae: Migration = { up: async (db) => void (await statements.execute(db)) }
