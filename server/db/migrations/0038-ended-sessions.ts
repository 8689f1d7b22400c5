import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Tokens that somebody has ended elsewhere: their device shows nothing of the student any more, while one that has only run out
 * goes on. It says of nobody whose they were.
 */
const statements = sql`
create table ended_session (
  token_hash text primary key,
  at bigint not null
);
`

export const endedSessions: Migration = { up: async (db) => void (await statements.execute(db)) }
