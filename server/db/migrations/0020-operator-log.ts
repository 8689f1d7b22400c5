import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What the operator changed by `npm run site`: null is what the environment or the product itself says. */
const statements = sql`
create table operator_log (
  id bigint generated always as identity primary key,
  at bigint not null,
  what text not null,
  before text,
  after text
);
`

export const operatorLog: Migration = { up: async (db) => void (await statements.execute(db)) }
