import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A picture is known by an id of its own: nobody replaces or uses up the one that another looks at. They last for minutes. */
const statements = sql`
drop table image_code;
create table image_code (
  id text primary key,
  mobile text not null,
  code text not null,
  expires_at bigint not null
);
create index image_code_of_mobile on image_code (mobile);
`

export const pictures: Migration = { up: async (db) => void (await statements.execute(db)) }
