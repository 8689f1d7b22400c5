import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What an operator must see and end of payments (docs/decisions/orders-and-money.md 0048): one that came with another sum (`came`, state
 * 'differs'), one whose provider is not configured any more (`stranded_at`), one that cannot be given back (`refund_failed_at`). A top-up
 * is given back in parts, one after the other: `refund_no` of them are done and came to `returned`, `refund_amount` is under way.
 */
const statements = sql`
alter table payment
  add column came bigint check (came >= 0),
  add column stranded_at bigint,
  add column refund_no int not null default 0,
  add column refund_amount bigint not null default 0 check (refund_amount >= 0),
  add column returned bigint not null default 0 check (returned >= 0),
  add column owed_at bigint,
  add column refund_failed_at bigint;
update payment set refund_amount = amount, owed_at = refund_at where refund_state in ('due', 'pending');
update payment set returned = amount, refund_no = 1 where refund_state = 'done';
alter table payment add constraint payment_returned check (returned + refund_amount <= coalesce(came, amount));
create index payment_differs on payment (paid_at) where state = 'differs';
create index payment_of_student on payment (uid, paid_at desc) where order_id is null;

alter table sandbox_payment add column refunds text[] not null default '{}';
update sandbox_payment set refunds = array[id || 'R'] where refunded > 0;
`

export const operatorDesk: Migration = { up: async (db) => void (await statements.execute(db)) }
