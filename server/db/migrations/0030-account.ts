import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Sessions get a name that may be shown, because their hash may not, and the device that they are on. What a student has in a
 * ranking outlives them, without them (docs/decisions/account.md 0044).
 */
const statements = sql`
alter table session add column id text not null default gen_random_uuid()::text;
alter table session add constraint session_id unique (id);
alter table session add column device text not null default '';
alter table exam_entry drop constraint exam_entry_uid_fkey;
`

export const account: Migration = { up: async (db) => void (await statements.execute(db)) }
