import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Says in a line what a direction is for, and lists its subjects in the order of its papers. */
const statements = sql`
alter table exam_direction add column about text not null default '', add column subjects text[] not null default '{}';
`

export const examSubjects: Migration = { up: async (db) => void (await statements.execute(db)) }
