import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Since when a question is in a set, epoch ms: VIP that was over by then never opened it there (docs/decisions/rights.md 0046). Of what is
 * there already nobody knows; no VIP has been sold yet.
 */
const statements = sql`
alter table set_question add column since bigint not null default 0;
alter table set_question alter column since set default (extract(epoch from now()) * 1000)::bigint;
`

export const sinceInSets: Migration = { up: async (db) => void (await statements.execute(db)) }
