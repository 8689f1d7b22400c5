import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * 兑换码 (docs/decisions/shop.md 0047): of a coupon, for so many students, each once; or of a duration of VIP, for one. A code is here as
 * its keyed hash alone. The database itself keeps the count of its uses.
 */
const statements = sql`
alter table coupon add column withdrawn boolean not null default false;
create table redeem_code (
  hash text primary key,
  coupon_no text references coupon (no),
  duration_no text references vip_duration (no),
  days int,
  uses int not null check (uses > 0),
  used int not null default 0,
  at bigint not null,
  check (used between 0 and uses),
  check ((coupon_no is null) <> (duration_no is null)),
  check (duration_no is null or uses = 1)
);
create table redemption (
  hash text not null references redeem_code (hash),
  uid text not null references student (uid) on delete cascade,
  at bigint not null,
  primary key (hash, uid)
);
`

export const couponCodes: Migration = { up: async (db) => void (await statements.execute(db)) }
