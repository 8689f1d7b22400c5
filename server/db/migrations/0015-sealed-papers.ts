import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Each paper has a key of 244 random bits from PostgreSQL's strong source: what is downloaded before the start opens with it alone. */
const statements = sql`
alter table exam_paper add column seal_key bytea not null
  default decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');
`

export const sealedPapers: Migration = { up: async (db) => void (await statements.execute(db)) }
