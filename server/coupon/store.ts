import { sql } from 'kysely'
import type { CouponTerms } from '#src/domain/pricing.ts'
import type { Db, Tx } from '#server/db/open.ts'

/** Those of a student that are not taken for an order, also when they are over; what ends first comes first. */
export async function readCoupons(db: Db | Tx, uid: string): Promise<CouponTerms[]> {
  const { rows } = await sql<CouponTerms>`
    select o.id, c.title, json_build_object('kind', c.off_kind, 'value', c.off_value, 'most', c.off_most) as off,
      c.threshold, c.kinds, c.from_at as "from", c.until_at as until
    from coupon_owned o join coupon c on c.no = o.coupon_no
    where o.uid = ${uid} and o.order_id is null order by c.until_at, o.id`.execute(db)
  return rows
}

/** False: another order has it. */
export async function takeCoupon(tx: Tx, uid: string, id: string, order: string, now: number): Promise<boolean> {
  const taken = await tx
    .updateTable('coupon_owned')
    .set({ order_id: order, used_at: now })
    .where('uid', '=', uid)
    .where('id', '=', id)
    .where('order_id', 'is', null)
    .executeTakeFirst()
  return taken.numUpdatedRows > 0n
}

export async function returnCoupon(tx: Tx, uid: string, order: string): Promise<void> {
  await tx
    .updateTable('coupon_owned')
    .set({ order_id: null, used_at: null })
    .where('uid', '=', uid)
    .where('order_id', '=', order)
    .execute()
}

export async function readCouponTitle(db: Db | Tx, uid: string, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('coupon_owned as o')
    .innerJoin('coupon as c', 'c.no', 'o.coupon_no')
    .select('c.title')
    .where('o.uid', '=', uid)
    .where('o.id', '=', id)
    .executeTakeFirst()
  return row?.title ?? null
}

/** Of a student who leaves; those that orders have used belong to these. */
export async function dropUnusedCoupons(tx: Tx, uid: string): Promise<void> {
  await tx.deleteFrom('coupon_owned').where('uid', '=', uid).where('order_id', 'is', null).execute()
}
