import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What was foretold of answers is kept beside what came, and whose parameters of FSRS are their own. */
const statements = sql`
alter table study_op add column foretold smallint;
create table memory_fit (
  uid text primary key references student (uid) on delete cascade,
  next_rev bigint not null,
  tried_at bigint not null,
  reviews int not null,
  kept boolean not null,
  common_loss double precision not null,
  own_loss double precision not null
);
`

export const foretold: Migration = { up: async (db) => void (await statements.execute(db)) }
