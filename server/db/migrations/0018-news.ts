import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * News and the exam calendar. `searched` is the folded text that a search looks in. Readers are counted into `views` from
 * `news_seen` every few minutes: a figure that moved with each reader would make every answer a new one.
 */
const statements = sql`
create table news_category (
  no text primary key,
  name text not null,
  position int not null
);
create table news (
  no text primary key,
  category_no text not null references news_category (no),
  kind text not null,
  title text not null,
  summary text not null,
  source text not null,
  published_at bigint not null,
  cover json,
  html text not null,
  searched text not null,
  directions text[] not null default '{}',
  areas text[] not null default '{}',
  withdrawn boolean not null default false,
  views int not null default 0
);
create index news_newest on news (published_at desc, no desc) where not withdrawn;
create table news_seen (
  news_no text not null references news (no),
  day int not null,
  reader text not null,
  counted boolean not null default false,
  primary key (news_no, day, reader)
);
create index news_seen_new on news_seen (news_no) where not counted;
create table calendar_entry (
  no text primary key,
  title text not null,
  kind text not null,
  from_day text not null,
  to_day text not null,
  source text not null,
  note text not null,
  directions text[] not null default '{}',
  areas text[] not null default '{}',
  withdrawn boolean not null default false,
  check (from_day <= to_day)
);
`

export const news: Migration = { up: async (db) => void (await statements.execute(db)) }
