import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Devices hear of questions that stand elsewhere now as they hear of those that are marked otherwise. */
const statements = sql`
alter table remark add column moved boolean not null default false;
`

export const movedQuestions: Migration = { up: async (db) => void (await statements.execute(db)) }
