import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { SoldKind } from './order.ts'
import { Count, EpochMs, No } from './scalar.ts'

export const MAX_CODE_CHARS = 64

/** 可用, 已用, 过期. */
const CouponState = v.picklist(['usable', 'used', 'over'])
export type CouponState = v.InferOutput<typeof CouponState>

const Coupon = v.object({
  id: No,
  title: v.string(),
  /** Fen, or percent of what it holds for, then `most` fen where that is not null. */
  off: v.object({ kind: v.picklist(['fen', 'percent']), value: Count, most: v.nullable(Count) }),
  /** Fen; 0: none. */
  threshold: Count,
  /** Empty: all. */
  kinds: v.array(SoldKind),
  from: EpochMs,
  /** The first moment at which it does not hold. */
  until: EpochMs,
  state: CouponState,
  /** The order that it was taken for. */
  order: v.nullable(No),
})
export type Coupon = v.InferOutput<typeof Coupon>

const Redeemed = v.variant('kind', [
  v.object({ kind: v.literal('coupon'), title: v.string(), until: EpochMs }),
  /** An activation code: VIP, and until when the student has it now; null: for good. */
  v.object({ kind: v.literal('vip'), no: No, title: v.string(), until: v.nullable(EpochMs) }),
])
export type Redeemed = v.InferOutput<typeof Redeemed>

export const coupon = {
  /** All of the student's: what ends first comes first; of used ones and those that are over, the last one. No code is in it. */
  mine: endpoint({
    path: 'coupon/mine',
    access: 'user',
    keep: 'device',
    input: v.object({}),
    output: v.object({ coupons: v.array(Coupon) }),
  }),
  redeem: endpoint({
    path: 'coupon/redeem',
    access: 'user',
    keep: 'nowhere',
    input: v.object({
      code: v.pipe(
        v.string(),
        v.trim(),
        v.nonEmpty('请输入兑换码'),
        v.maxLength(MAX_CODE_CHARS, '兑换码输入有误，请对照原文检查'),
      ),
    }),
    output: Redeemed,
  }),
}
