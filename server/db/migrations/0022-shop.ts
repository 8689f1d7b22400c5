import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Books in variants and VIP packages in durations (docs/decisions/shop.md 0034): variants and durations are what orders will name, so they
 * are retired, never deleted. The stock is a balance that never goes below nothing; a receipt is counted into it once.
 */
const statements = sql`
create table vip_feature (
  no text primary key,
  name text not null,
  free json not null,
  position int not null
);
create table vip_package (
  no text primary key,
  title text not null,
  summary text not null,
  intro text not null,
  features json not null,
  unlocks json not null,
  directions text[] not null default '{}',
  areas text[] not null default '{}',
  withdrawn boolean not null,
  rev text not null,
  position int not null
);
create table vip_duration (
  no text primary key,
  package_no text not null references vip_package (no),
  name text not null,
  days int check (days > 0),
  price int not null check (price > 0),
  position int not null,
  retired boolean not null
);
create index vip_duration_package on vip_duration (package_no);
create table book (
  no text primary key,
  kind text not null,
  title text not null,
  author text not null,
  intro text not null,
  details json not null,
  pictures json not null,
  directions text[] not null default '{}',
  areas text[] not null default '{}',
  published_at bigint not null,
  withdrawn boolean not null,
  rev text not null,
  position int not null
);
create table book_variant (
  no text primary key,
  book_no text not null references book (no),
  name text not null,
  price int not null check (price > 0),
  weight int not null check (weight > 0),
  gives text references vip_duration (no),
  stock int not null default 0 check (stock >= 0),
  sold int not null default 0 check (sold >= 0),
  position int not null,
  retired boolean not null
);
create index book_variant_book on book_variant (book_no);
create table stock_receipt (
  variant_no text not null references book_variant (no),
  receipt text not null,
  count int not null,
  at bigint not null,
  primary key (variant_no, receipt)
);
`

export const shop: Migration = { up: async (db) => void (await statements.execute(db)) }
