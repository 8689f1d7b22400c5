import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Orders, payments, the wallet's ledger and coupons (docs/decisions/orders-and-money.md 0041). Money is whole fen. What must be kept when
 * an account is closed has no reference to the student. The database itself keeps the ledger: entries are only ever added, those of one
 * transaction come to nothing, and a wallet is what its entries come to, never below nothing.
 */
const statements = sql`
create table wallet (uid text primary key, balance bigint not null default 0 check (balance >= 0));
create table ledger_entry (
  uid text not null,
  tx text not null,
  account text not null,
  amount bigint not null check (amount <> 0),
  kind text not null,
  order_id text,
  balance bigint,
  at bigint not null,
  seq bigint generated always as identity,
  primary key (uid, tx, account)
);
create index ledger_of_wallet on ledger_entry (uid, seq desc) where account = 'wallet';

create function ledger_keeps_wallet() returns trigger language plpgsql as $$
begin
  if new.account = 'wallet' then
    insert into wallet (uid, balance) values (new.uid, 0) on conflict do nothing;
    update wallet set balance = balance + new.amount where uid = new.uid returning balance into new.balance;
  end if;
  return new;
end $$;
create trigger ledger_keeps_wallet before insert on ledger_entry for each row execute function ledger_keeps_wallet();

create function ledger_is_balanced() returns trigger language plpgsql as $$
begin
  if (select sum(amount) from ledger_entry where uid = new.uid and tx = new.tx) <> 0 then
    raise exception 'ledger transaction % of % is not balanced', new.tx, new.uid;
  end if;
  return null;
end $$;
create constraint trigger ledger_is_balanced after insert on ledger_entry
  deferrable initially deferred for each row execute function ledger_is_balanced();

create function ledger_stands() returns trigger language plpgsql as $$
begin
  raise exception 'entries of the ledger are never changed';
end $$;
create trigger ledger_stands before update or delete on ledger_entry for each row execute function ledger_stands();

create table coupon (
  no text primary key,
  title text not null,
  off_kind text not null check (off_kind in ('fen', 'percent')),
  off_value int not null check (off_value > 0 and (off_kind = 'fen' or off_value < 100)),
  off_most int check (off_most > 0),
  threshold int not null check (threshold >= 0),
  kinds text[] not null default '{}',
  from_at bigint not null,
  until_at bigint not null
);
create table coupon_owned (
  uid text not null,
  id text not null,
  coupon_no text not null references coupon (no),
  at bigint not null,
  order_id text,
  used_at bigint,
  primary key (uid, id)
);

create table orders (
  uid text not null,
  id text not null unique,
  key uuid not null,
  state text not null,
  created_at bigint not null,
  expires_at bigint not null,
  ships boolean not null,
  goods bigint not null check (goods >= 0),
  freight bigint not null check (freight >= 0),
  discount bigint not null check (discount >= 0),
  wallet bigint not null check (wallet >= 0),
  due bigint not null check (due >= 0),
  coupon_id text,
  address json,
  remark text not null,
  parcel json,
  paid_at bigint,
  shipped_at bigint,
  completed_at bigint,
  cancelled_at bigint,
  refunded_at bigint,
  refund_asked_at bigint,
  refund_asked_in text,
  refund_reason text,
  refund_approved_at bigint,
  refund_declined text,
  primary key (uid, id),
  unique (uid, key),
  check (goods + freight - discount = wallet + due)
);
create index orders_of_student on orders (uid, created_at desc, id desc);
create index orders_pending on orders (expires_at) where state = 'pending';
create index orders_shipped on orders (shipped_at) where state = 'shipped';
create table order_line (
  uid text not null,
  order_id text not null,
  at int not null,
  kind text not null,
  no text not null,
  variant text,
  title text not null,
  detail text not null,
  cover json,
  price bigint not null check (price >= 0),
  quantity int not null check (quantity > 0),
  weight int,
  days int,
  until bigint,
  primary key (uid, order_id, at),
  foreign key (uid, order_id) references orders (uid, id)
);

create table payment (
  id text primary key,
  uid text not null,
  order_id text,
  key uuid,
  provider text not null,
  device text not null,
  amount bigint not null check (amount > 0),
  state text not null default 'open',
  begun_at bigint not null,
  expires_at bigint not null,
  ref text,
  paid_at bigint,
  ask_at bigint not null,
  asked int not null default 0,
  refund_state text,
  refund_at bigint not null default 0,
  refunded_at bigint,
  unique (uid, key)
);
create index payment_of_order on payment (order_id);
create index payment_open on payment (ask_at) where state = 'open';
create index payment_refund on payment (refund_at) where refund_state in ('due', 'pending');

create table entitlement_grant (
  uid text not null,
  source text not null,
  kind text not null,
  no text not null,
  days int,
  until bigint,
  at bigint not null,
  revoked_at bigint,
  primary key (uid, source)
);
create index grant_of_right on entitlement_grant (uid, kind, no);
alter table entitlement add column base bigint;

create table sandbox_payment (
  id text primary key,
  amount bigint not null,
  title text not null,
  state text not null default 'open',
  expires_at bigint not null,
  paid_at bigint,
  refunded bigint not null default 0
);
`

export const orders: Migration = { up: async (db) => void (await statements.execute(db)) }
