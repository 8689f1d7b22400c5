import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether a paper could be had whole by anybody: what was done of it then counts whole, also when the set has a price since. */
const statements = sql`
alter table set_snapshot add column free boolean not null default false;
update set_snapshot p set free = true from set_item i join question_set s on s.no = i.set_no
  where i.no = p.item_no and s.price = 0;
alter table set_snapshot alter column free drop default;
`

export const freePapers: Migration = { up: async (db) => void (await statements.execute(db)) }
