import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Courses of units of lessons, and packages of courses (docs/decisions/courses.md 0031). A lesson that left its course is retired, never
 * deleted: students' records name it. `package_course` holds every course that a package ever had, so that who bought it keeps what
 * it has left out since; `position` is null for these. `media` are the contract's renditions and subtitles, `rev` the hash of all
 * files.
 */
const statements = sql`
create table course (
  no text primary key,
  kind text not null,
  title text not null,
  subject_no text references subject (no),
  teacher text not null,
  about_teacher text not null,
  intro text not null,
  cover json not null,
  directions text[] not null default '{}',
  areas text[] not null default '{}',
  price int not null,
  vip boolean not null,
  days int,
  published_at bigint not null,
  libraries text[] not null default '{}',
  handouts json not null default '[]',
  position int not null
);
create table course_unit (
  no text primary key,
  course_no text not null references course (no),
  title text not null,
  position int not null
);
create table lesson (
  no text primary key,
  course_no text not null references course (no),
  unit_no text not null references course_unit (no),
  title text not null,
  seconds int not null,
  trial boolean not null,
  bytes bigint not null,
  rev text not null,
  media json not null,
  position int not null,
  retired boolean not null default false
);
create index lesson_course on lesson (course_no);
create table course_package (
  no text primary key,
  title text not null,
  intro text not null,
  cover json not null,
  directions text[] not null default '{}',
  areas text[] not null default '{}',
  price int not null,
  vip boolean not null,
  days int,
  position int not null
);
create table package_course (
  package_no text not null references course_package (no),
  course_no text not null references course (no),
  position int,
  primary key (package_no, course_no)
);
create index package_course_course on package_course (course_no);
`

export const courses: Migration = { up: async (db) => void (await statements.execute(db)) }
