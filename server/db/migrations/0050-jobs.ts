import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Work that outlives the process that began it, and the daily reminder, which is the first of it. A subscription to messages belongs to a
 * session: it goes when that device logs out, is logged out, or its session runs out.
 */
const statements = sql`
create table job (
  id bigint generated always as identity primary key,
  kind text not null,
  key text unique,
  args jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  cursor text,
  progress int not null default 0,
  holder text,
  lease_until bigint not null default 0,
  tries int not null default 0,
  cancel boolean not null default false,
  result jsonb,
  created_at bigint not null,
  ended_at bigint
);
create index job_open on job (id) where state in ('waiting', 'running');
create table push_subscription (
  session text primary key references session (token_hash) on delete cascade,
  uid text not null references student (uid) on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  created_at bigint not null
);
create index push_subscription_of_student on push_subscription (uid);
create table reminded (
  uid text primary key references student (uid) on delete cascade,
  day int not null
);
`

export const jobs: Migration = { up: async (db) => void (await statements.execute(db)) }
