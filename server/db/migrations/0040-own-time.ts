import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When an op was done by its device's own measure, which orders what one device did whatever its clock said meanwhile. */
const statements = sql`
alter table study_op add column own_at bigint;
`

export const ownTime: Migration = { up: async (db) => void (await statements.execute(db)) }
