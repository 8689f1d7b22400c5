import type { Redeemed } from '#src/contract/coupon.ts'
import type { Contract } from '#src/contract/index.ts'
import { CODE_MISTYPED, readCode } from '#src/domain/money/couponCode.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type Handlers, Refusal } from '#server/http/handlers.ts'
import { allowed } from '#server/http/limits.ts'
import { FOR_GOOD, readEnds, readExamEnd, writeGrant } from '#server/rights/store.ts'
import { hashCode } from './codes.ts'
import * as store from './store.ts'

const HOUR_MS = 3_600_000
/** Told alike of a code that never was and of one that another student has used: neither is a guesser's to know. */
const UNKNOWN = '兑换码不存在或已被使用，请对照原文检查'

interface By {
  uid: string
  /** Epoch ms. */
  now: number
}

export function couponHandlers(db: Db, secret: string): Handlers<Contract['coupon']> {
  return {
    mine: async (_, { uid, now }) => ({ coupons: await store.readMine(db, uid, now) }),

    async redeem({ code: typed }, { uid, ip, now }) {
      const code = readCode(typed)
      // Known without a look at any code, so it is no try.
      if (code === null) throw new Refusal(CODE_MISTYPED)
      await limitTries(db, { uid, now }, ip)
      const hash = hashCode(secret, code)
      return db.transaction().execute((tx) => redeem(tx, { uid, now }, hash))
    },
  }
}

/** Counted before a code is looked at. A barracks is one address, so the address is only there against many accounts. */
async function limitTries(db: Db, { uid, now }: By, ip: string): Promise<void> {
  const limits = [
    { key: `redeem:${uid}`, windowMs: HOUR_MS, max: 10 },
    { key: `redeem:ip:${ip}`, windowMs: HOUR_MS, max: 600 },
  ]
  for (const limit of limits) if (!(await allowed(db, limit, now))) throw new Refusal('兑换次数过多，请1小时后再试')
}

/** Takes a use of the code and gives what it is for; a refusal takes nothing. */
async function redeem(tx: Tx, by: By, hash: string): Promise<Redeemed> {
  const code = await store.readCode(tx, hash)
  if (!code) throw new Refusal(UNKNOWN)
  if (!(await store.addRedemption(tx, hash, by.uid, by.now)))
    throw new Refusal(`你已经兑换过这个码，请在${code.coupon ? '下面的列表' : '“我的会员”'}里查看`)
  if (code.coupon && (code.coupon.withdrawn || code.coupon.until <= by.now)) throw new Refusal('这个码已过期，请换一个')
  if (!(await store.takeUse(tx, hash))) throw new Refusal(code.coupon ? '来晚了，这个码已兑完，请换一个' : UNKNOWN)
  if (code.vip) return activate(tx, by, code.vip, `code_${hash.slice(0, 24)}`)
  const { no, title, until } = code.coupon
  await store.giveCoupon(tx, [by.uid], no, `${no}_${hash.slice(0, 12)}`, by.now)
  return { kind: 'coupon', title, until }
}

/** A code that would give the student nothing stays as it is, for another day or another student. */
async function activate(tx: Tx, { uid, now }: By, vip: store.CodeVip, source: string): Promise<Redeemed> {
  const { no, title, days } = vip
  const right = { kind: 'vip', no } as const
  const ends = async () => (await readEnds(tx, uid, [right], now))[0]?.until ?? 0
  const before = await ends()
  const until = days === null ? await readExamEnd(tx, uid, now) : null
  if (days === null && until === null)
    throw new Refusal('这个码按考试日期开通，请先在“我的资料”里设置考试日期，再来兑换；兑换码没有被使用')
  await writeGrant(tx, { uid, source, ...right, at: now, days, until })
  const after = await ends()
  if (after <= before) throw new Refusal(`“${title}”的有效期已经更长，兑换不会延长；兑换码没有被使用，可以以后再兑换`)
  return { kind: 'vip', no, title, until: after === FOR_GOOD ? null : after }
}
