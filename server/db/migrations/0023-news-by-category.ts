import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A page of one category, and whether it has anything to show, without reading those of all others. */
const statements = sql`
create index news_newest_of on news (category_no, published_at desc, no desc) where not withdrawn;
`

export const newsByCategory: Migration = { up: async (db) => void (await statements.execute(db)) }
