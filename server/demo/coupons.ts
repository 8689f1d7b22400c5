import { checkCoupons } from '#server/content/publish/couponFile.ts'
import { hashCode } from '#server/coupon/codes.ts'
import { addCodes, giveCoupon, readAll, readUids, writeCoupon } from '#server/coupon/store.ts'
import { readSecret } from '#server/course/store.ts'
import type { Db } from '#server/db/open.ts'

/** Of the demo's own coupon, for whoever reads README.md or docs/coupons.md. */
const CODE = { code: 'JUNKAO2026', coupon: 'C_vip', uses: 1000 }
/** Not given beforehand: it is what the code gives. */
const GIVEN = ['C_welcome', 'C_books', 'C_autumn']

/** Adds what is not there yet: what an operator has changed, and what was used, stays as it is. */
export async function giveDemoCoupons(db: Db, file: string, mobile: string): Promise<void> {
  const now = Date.now()
  const { coupons, findings } = await checkCoupons(db, file)
  if (!coupons) throw new Error(findings.map(({ at, reason }) => `${file} ${at} ${reason}`).join('\n'))
  const secret = await readSecret(db)
  await db.transaction().execute(async (tx) => {
    const there = new Set((await readAll(tx)).map(({ no }) => no))
    for (const row of coupons) if (!there.has(row.no)) await writeCoupon(tx, row)
    const uids = [...(await readUids(tx, [mobile])).values()]
    for (const no of GIVEN) await giveCoupon(tx, uids, no, no, now)
    const { code, ...of } = CODE
    await addCodes(tx, [{ ...of, hash: hashCode(secret, code), duration: null, days: null }], now)
  })
}
