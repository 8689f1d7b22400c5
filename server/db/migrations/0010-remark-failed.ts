import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Students whose answers could not be marked again, and when that is tried again. */
const statements = sql`
create table remark_failed (
  remark_id bigint not null references remark (id),
  uid text not null references student (uid) on delete cascade,
  tries int not null,
  due_at bigint not null,
  primary key (remark_id, uid)
);
create index remark_failed_due on remark_failed (due_at);
`

export const remarkFailed: Migration = { up: async (db) => void (await statements.execute(db)) }
