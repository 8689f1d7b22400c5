import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Addresses of a student (docs/decisions/shop.md 0042). Orders will copy one, not name it: it can be changed and deleted freely. */
const statements = sql`
create table address (
  uid text not null references student (uid) on delete cascade,
  id uuid not null,
  name text not null,
  mobile text not null,
  place jsonb not null,
  detail text not null,
  is_default boolean not null,
  created_at bigint not null,
  primary key (uid, id)
);
create unique index address_default on address (uid) where is_default;
`

export const addresses: Migration = { up: async (db) => void (await statements.execute(db)) }
