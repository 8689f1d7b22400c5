import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * A testing is one paper with what its results mean. `testing_paper` holds the paper in every state in which it was published: a
 * sitting is marked by the one that was on the screen. `course_no` and `unit_no` name the unit of a course that it ends.
 */
const statements = sql`
create table testing (
  no text primary key,
  kind text not null,
  title text not null,
  intro text not null,
  directions text[] not null default '{}',
  areas text[] not null default '{}',
  course_no text,
  unit_no text,
  minutes int,
  partial text not null,
  count int not null,
  full_score int not null,
  sections json not null,
  guide json not null,
  rev text not null,
  position int not null,
  check ((course_no is null) = (unit_no is null))
);
create table testing_paper (
  testing_no text not null references testing (no),
  rev text not null,
  partial text not null,
  body text not null,
  primary key (testing_no, rev)
);
`

export const testings: Migration = { up: async (db) => void (await statements.execute(db)) }
