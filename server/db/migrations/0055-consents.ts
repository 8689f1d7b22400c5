import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What students agreed to and took back: rows are only added, and the last of a kind counts. Who is reminded by messages agreed to
 * that when they were turned on, in words that the app showed.
 */
const statements = sql`
create table consent (
  id bigint generated always as identity primary key,
  uid text not null references student (uid) on delete cascade,
  kind text not null check (kind in ('user', 'privacy', 'push', 'rankName')),
  version int,
  given boolean not null,
  at bigint not null,
  device text not null,
  foreign key (kind, version) references agreement (kind, version),
  check ((kind in ('user', 'privacy')) = (version is not null))
);
create index consent_of_student on consent (uid, kind, id desc);
insert into consent (uid, kind, given, at, device)
  select p.uid, 'push', true, min(p.created_at), '' from push_subscription p group by p.uid;
`

export const consents: Migration = { up: async (db) => void (await statements.execute(db)) }
