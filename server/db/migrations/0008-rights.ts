import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Who may have what (docs/decisions/rights.md 0025). `question.free` is never taken back: until now every library was open, so every
 * question is free. `set_question` remembers what a set ever had, so that who bought it keeps what its papers have left out.
 */
const statements = sql`
alter table library add column sets_only boolean not null default false;
alter table question add column free boolean not null default true;
alter table question alter column free drop default;
create table set_question (
  question_no text not null references question (no),
  set_no text not null references question_set (no),
  primary key (question_no, set_no)
);
insert into set_question (question_no, set_no)
  select distinct e.question_no, i.set_no from set_entry e join set_item i on i.no = e.item_no;
create table entitlement (
  uid text not null references student (uid) on delete cascade,
  kind text not null,
  no text not null,
  until bigint not null,
  primary key (uid, kind, no)
);
`

export const rights: Migration = { up: async (db) => void (await statements.execute(db)) }
