import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Devices on which a student has logged in: their wrong passwords count apart from those of strangers (server/login/guesses.ts). */
const statements = sql`
create table known_device (
  uid text not null references student (uid) on delete cascade,
  device_hash text not null,
  seen_at bigint not null,
  primary key (uid, device_hash)
);
`

export const devices: Migration = { up: async (db) => void (await statements.execute(db)) }
