import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What a library's download weighs, written at import; null until somebody has weighed it (content/pack.ts). */
export const packs: Migration = {
  up: async (db) => void (await sql`alter table library add column pack json`.execute(db)),
}
