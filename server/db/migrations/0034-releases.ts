import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Releases of a library (docs/decisions/question-banks.md 0053): each counts from 1 and says how everything that it touched stood before.
 * `frame` is the library's row and chapters, `points` those that it changed, by number; null: as they are. Of a question `version` null: it
 * was not there. `target`: whose state a rollback put back. A draft is kept in parts of compressed JSON; `base` is the release that it was
 * made on, 0 for none. What is there already is the first release of its library.
 */
const statements = sql`
create table release (
  id bigint generated always as identity primary key,
  library_no text not null references library (no),
  no int not null,
  at bigint not null,
  what text not null check (what in ('before', 'import', 'rollback', 'retire', 'restore', 'publish')),
  target int,
  note text not null default '',
  added int not null default 0,
  changed int not null default 0,
  restored int not null default 0,
  retired int not null default 0,
  frame json,
  points jsonb,
  unique (library_no, no)
);
create table release_question (
  release_id bigint not null references release (id) on delete cascade,
  question_no text not null,
  version int,
  chapter_no text,
  position int,
  retired boolean,
  primary key (release_id, question_no)
);
insert into release (library_no, no, at, what)
  select no, 1, (extract(epoch from now()) * 1000)::bigint, 'before' from library;

create table release_draft (
  library_no text primary key,
  at bigint not null,
  note text not null,
  file text not null,
  replaces boolean not null,
  base int not null,
  total int not null,
  bank json not null
);
create table release_draft_part (
  library_no text not null references release_draft (library_no) on delete cascade,
  at int not null,
  body bytea not null,
  primary key (library_no, at)
);
`

export const releases: Migration = { up: async (db) => void (await statements.execute(db)) }
