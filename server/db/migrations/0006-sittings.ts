import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Every state in which a paper was ever published: a sitting is marked by the one that was on the student's screen. */
const statements = sql`
create table set_snapshot (
  item_no text not null references set_item (no) on delete cascade,
  rev text not null,
  partial text not null,
  body text not null,
  trial text not null,
  primary key (item_no, rev)
);
insert into set_snapshot (item_no, rev, partial, body, trial) select no, rev, partial, body, trial from set_item;
`

export const sittings: Migration = { up: async (db) => void (await statements.execute(db)) }
