import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Numbers of what an operator has published: a new version of the demo leaves these alone (docs/decisions/importing.md 0038). */
const statement = sql`create table operator_content (no text primary key, at bigint not null)`

export const operatorContent: Migration = { up: async (db) => void (await statement.execute(db)) }
