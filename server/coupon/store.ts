import { sql } from 'kysely'
import type { Coupon } from '#src/contract/coupon.ts'
import type { CouponTerms } from '#src/domain/money/pricing.ts'
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

/** All of a student's: what ends first comes first; of used ones and those that are over, the last one. @param now epoch ms */
export async function readMine(db: Db, uid: string, now: number): Promise<Coupon[]> {
  const { rows } = await sql<Coupon>`
    select o.id, c.title, json_build_object('kind', c.off_kind, 'value', c.off_value, 'most', c.off_most) as off,
      c.threshold, c.kinds, c.from_at as "from", c.until_at as until, o.order_id as "order",
      case when o.order_id is not null then 'used' when c.until_at <= ${now} then 'over' else 'usable' end as state
    from coupon_owned o join coupon c on c.no = o.coupon_no where o.uid = ${uid}
    order by case when o.order_id is null and c.until_at > ${now} then c.until_at end,
      coalesce(o.used_at, c.until_at) desc, o.id`.execute(db)
  return rows
}

/** What a code of VIP gives: as it was when the code was made, since that may be printed in a book. */
export interface CodeVip {
  no: string
  title: string
  /** Null: until the exam day. */
  days: number | null
}
type CodeOf =
  | { coupon: { no: string; title: string; until: number; withdrawn: boolean }; vip: null }
  | { coupon: null; vip: CodeVip }

export async function readCode(tx: Tx, hash: string): Promise<CodeOf | null> {
  const { rows } = await sql<CodeOf>`
    select case when c.no is not null then json_build_object('no', c.no, 'title', c.title, 'until', c.until_at,
        'withdrawn', c.withdrawn) end as coupon,
      case when p.no is not null then json_build_object('no', p.no, 'title', p.title, 'days', r.days) end as vip
    from redeem_code r left join coupon c on c.no = r.coupon_no
      left join vip_duration d on d.no = r.duration_no left join vip_package p on p.no = d.package_no
    where r.hash = ${hash}`.execute(tx)
  return rows[0] ?? null
}

/** False: this student has redeemed it before. */
export async function addRedemption(tx: Tx, hash: string, uid: string, now: number): Promise<boolean> {
  const added = await tx
    .insertInto('redemption')
    .values({ hash, uid, at: now })
    .onConflict((c) => c.doNothing())
    .executeTakeFirst()
  return (added.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** False: there is none left. However many come at once, one statement counts them. */
export async function takeUse(tx: Tx, hash: string): Promise<boolean> {
  const taken = await tx
    .updateTable('redeem_code')
    .set((eb) => ({ used: eb('used', '+', 1) }))
    .where('hash', '=', hash)
    .whereRef('used', '<', 'uses')
    .executeTakeFirst()
  return taken.numUpdatedRows > 0n
}

/** Gives one each under this number; who has it under that number keeps it. @returns to how many it was given */
export async function giveCoupon(
  tx: Tx,
  uids: readonly string[],
  no: string,
  id: string,
  now: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into coupon_owned (uid, id, coupon_no, at) select uid, ${id}, ${no}, ${now}
      from unnest(${uids}::text[]) as uid on conflict do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** The terms of a coupon as an operator sets them. */
export interface CouponRow extends Omit<CouponTerms, 'id'> {
  no: string
  withdrawn: boolean
}
/** With how many have it, used or not, and how many have used it. */
export interface CouponShown extends CouponRow {
  owned: number
  used: number
}

export async function readAll(db: Db | Tx): Promise<CouponShown[]> {
  const { rows } = await sql<CouponShown>`
    select c.no, c.title, json_build_object('kind', c.off_kind, 'value', c.off_value, 'most', c.off_most) as off,
      c.threshold, c.kinds, c.from_at as "from", c.until_at as until, c.withdrawn,
      count(o.id)::int as owned, count(o.order_id)::int as used
    from coupon c left join coupon_owned o on o.coupon_no = c.no group by c.no order by c.until_at, c.no`.execute(db)
  return rows
}

export async function writeCoupon(tx: Tx, { no, off, from, until, ...row }: CouponRow): Promise<void> {
  const values = {
    title: row.title,
    threshold: row.threshold,
    kinds: [...row.kinds],
    withdrawn: row.withdrawn,
    off_kind: off.kind,
    off_value: off.value,
    off_most: off.most,
    from_at: from,
    until_at: until,
  }
  await tx
    .insertInto('coupon')
    .values({ no, ...values })
    .onConflict((c) => c.column('no').doUpdateSet(values))
    .execute()
}

/** By the mobiles that have an account; null: everybody. None of them closes it meanwhile. */
export async function readUids(tx: Tx, mobiles: readonly string[] | null): Promise<Map<string, string>> {
  const all = tx.selectFrom('student').select(['mobile', 'uid'])
  const found = await (mobiles ? all.where('mobile', 'in', mobiles) : all).forKeyShare().execute()
  return new Map(found.map(({ mobile, uid }) => [mobile, uid]))
}

export interface NewCode {
  hash: string
  coupon: string | null
  duration: string | null
  days: number | null
  uses: number
}
/** False: a code of these is there already. */
export async function addCodes(tx: Tx, codes: readonly NewCode[], now: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into redeem_code (hash, coupon_no, duration_no, days, uses, at)
      select hash, coupon, duration, days, uses, ${now} from json_to_recordset(${JSON.stringify(codes)}::json)
        as c(hash text, coupon text, duration text, days int, uses int) on conflict do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0) === codes.length
}

/** A duration of VIP as it is sold now; retired ones stay what they are. */
export async function readDuration(tx: Tx, no: string): Promise<{ name: string; days: number | null } | null> {
  const row = await tx
    .selectFrom('vip_duration as d')
    .innerJoin('vip_package as p', 'p.no', 'd.package_no')
    .select(['p.title', 'd.name', 'd.days'])
    .where('d.no', '=', no)
    .executeTakeFirst()
  return row ? { name: `${row.title} ${row.name}`, days: row.days } : null
}

/** How the codes stand, together for each coupon or duration. */
export interface CodesShown {
  no: string
  codes: number
  uses: number
  used: number
}
export async function readCodes(db: Db): Promise<CodesShown[]> {
  const { rows } = await sql<CodesShown>`
    select coalesce(coupon_no, duration_no) as no, count(*)::int as codes, sum(uses)::int as uses, sum(used)::int as used
    from redeem_code group by 1 order by 1`.execute(db)
  return rows
}
