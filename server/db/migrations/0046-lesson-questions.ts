import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** `questions`: what a lesson asks while it plays, [{ at, no }] in the order of time (docs/decisions/lessons.md 0083). */
const statements = sql`alter table lesson add column questions json not null default '[]'`

export const lessonQuestions: Migration = { up: async (db) => void (await statements.execute(db)) }
