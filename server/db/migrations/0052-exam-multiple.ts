import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Whether a paper has multiple choice is known once it is published: an exam's page is asked for by everybody at once, and to search
 * the whole paper for each of them would be work done a thousand times.
 */
const statements = sql`
alter table exam_paper add column has_multiple boolean not null
  generated always as (asked ~ '"type":"(multiple|indefinite)"') stored;
`

export const examMultiple: Migration = { up: async (db) => void (await statements.execute(db)) }
