import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Versions of 用户协议 and 隐私政策: none is ever changed. `source` is the operator's own text with its placeholders; null: the product's. */
const statements = sql`
create table agreement (
  kind text not null check (kind in ('user', 'privacy')),
  version int not null check (version > 0),
  title text not null,
  html text not null,
  source json,
  changes text not null,
  at bigint not null,
  primary key (kind, version)
);
`

export const agreements: Migration = { up: async (db) => void (await statements.execute(db)) }
