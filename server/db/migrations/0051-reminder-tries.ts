import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * A reminder that has not reached its student is tried again the same evening. Servers from before write neither column, so both have
 * defaults: a row of theirs is one that is not tried again.
 */
const statements = sql`
alter table reminded add column tries int not null default 0, add column again_at bigint;
`

export const reminderTries: Migration = { up: async (db) => void (await statements.execute(db)) }
