import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A testing's page says how multiple choice is marked only where there is any, as an exam's does (0052). */
const statements = sql`
alter table testing_paper add column has_multiple boolean not null
  generated always as (body ~ '"type":"(multiple|indefinite)"') stored;
`

export const testingMultiple: Migration = { up: async (db) => void (await statements.execute(db)) }
