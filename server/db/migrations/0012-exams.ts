import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * An exam is one paper with a window, or none. `exam_paper` holds the paper in every state in which it was published: a sitting is
 * marked by the one that was on the screen; `body` has the keys, `asked` has not. `apply_count` is kept by the statement that applies: counting a million rows at
 * each look is no option.
 */
const statements = sql`
create table exam (
  no text primary key,
  kind text not null,
  title text not null,
  intro text not null,
  directions text[] not null default '{}',
  areas text[] not null default '{}',
  price int not null,
  vip boolean not null,
  starts_at bigint,
  ends_at bigint,
  rank_closes_at bigint,
  minutes int not null,
  partial text not null,
  count int not null,
  full_score int not null,
  sections json not null,
  rev text not null,
  apply_count int not null default 0,
  position int not null,
  check ((starts_at is null) = (ends_at is null))
);
create table exam_paper (
  exam_no text not null references exam (no),
  rev text not null,
  partial text not null,
  body text not null,
  asked text not null,
  primary key (exam_no, rev)
);
create table exam_apply (
  exam_no text not null references exam (no),
  uid text not null references student (uid) on delete cascade,
  at bigint not null,
  primary key (exam_no, uid)
);
`

export const exams: Migration = { up: async (db) => void (await statements.execute(db)) }
