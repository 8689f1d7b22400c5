import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * `edition` goes up whenever other files take the place of a lesson's files. A rev is a hash, so a phone cannot tell from it alone
 * which of two answers is the newer one, and it keeps old answers for a month (docs/decisions/lesson-versions.md 0080).
 */
const statements = sql`alter table lesson add column edition integer not null default 1`

export const lessonEditions: Migration = { up: async (db) => void (await statements.execute(db)) }
