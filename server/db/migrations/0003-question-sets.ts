import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * A paper is a snapshot: `body` and `trial` are ready JSON of its sections, with every question as it was published. Entries say
 * which library question, in which state, stands where. Papers are retired, never deleted: sittings outlive them.
 */
const statements = sql`
create table question_set (
  no text primary key,
  kind text not null,
  title text not null,
  intro text not null,
  directions text[] not null default '{}',
  areas text[] not null default '{}',
  price int not null,
  vip boolean not null,
  trial int not null,
  position int not null
);
create table set_item (
  no text primary key,
  set_no text not null references question_set (no),
  position int not null,
  title text not null,
  minutes int not null,
  partial text not null,
  count int not null,
  full_score int not null,
  sections json not null,
  rev text not null,
  body text not null,
  trial text not null,
  trial_locked int not null,
  retired boolean not null default false
);
create index set_item_of_set on set_item (set_no, position);
create table set_entry (
  item_no text not null references set_item (no) on delete cascade,
  at int not null,
  section int not null,
  question_no text not null references question (no),
  rev text not null,
  scores int[] not null,
  primary key (item_no, at)
);
create index set_entry_of_question on set_entry (question_no);
`

export const questionSets: Migration = { up: async (db) => void (await statements.execute(db)) }
