import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Who tried to get into an account, and what was changed of its safety (server/security/store.ts). `mobile` is masked. An account
 * that is closed takes its uid out of them.
 */
const statements = sql`
create table security_event (
  id bigint generated always as identity primary key,
  at bigint not null,
  last_at bigint not null,
  times int not null default 1,
  kind text not null,
  uid text references student (uid) on delete set null,
  mobile text not null,
  network text not null,
  detail text not null
);
create index security_event_at on security_event (at);
create index security_event_uid on security_event (uid) where uid is not null;
`

export const securityEvents: Migration = { up: async (db) => void (await statements.execute(db)) }
