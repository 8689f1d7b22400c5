import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Courses and packages of them that are offered no more (docs/decisions/courses.md 0039). */
const statements = sql`
alter table course add column withdrawn boolean not null default false;
alter table course_package add column withdrawn boolean not null default false;
`

export const withdrawnCourses: Migration = { up: async (db) => void (await statements.execute(db)) }
