import type { Coupon, CouponState, Redeemed } from '#src/contract/coupon.ts'
import type { SoldKind } from '#src/contract/order.ts'
import { COUPON_STATE_NAMES } from '#src/domain/money/orderNames.ts'
import { dateText } from '#src/ui/dates.ts'

export const TABS: readonly { state: CouponState; name: string; none: string }[] = [
  { state: 'usable', name: COUPON_STATE_NAMES.usable, none: '没有可用的优惠券' },
  { state: 'used', name: COUPON_STATE_NAMES.used, none: '没有用过的优惠券' },
  { state: 'over', name: COUPON_STATE_NAMES.over, none: '没有过期的优惠券' },
]
const KINDS: Record<SoldKind, string> = {
  course: '课程',
  package: '课程包',
  set: '题集',
  exam: '模拟考试',
  vip: '会员',
  book: '图书',
  library: '题库',
}

const yuan = (fen: number): string => (fen / 100).toFixed(fen % 100 === 0 ? 0 : 2)

/** 九折 is said 9折, 85 % of the price 8.5折. */
export function offText({ kind, value }: Coupon['off']): { figure: string; unit: string } {
  return kind === 'fen' ? { figure: yuan(value), unit: '元' } : { figure: String((100 - value) / 10), unit: '折' }
}
export const thresholdText = ({ threshold, off: { most } }: Coupon): string =>
  `${threshold === 0 ? '无门槛' : `满 ${yuan(threshold)} 元可用`}${most === null ? '' : `，最多减 ${yuan(most)} 元`}`
export const kindsText = (kinds: readonly SoldKind[]): string =>
  kinds.length === 0 ? '全部商品' : `限${kinds.map((kind) => KINDS[kind]).join('、')}`

/** The last day on which it holds. */
const lastDay = (until: number): string => dateText(until - 1)
export function datesText({ state, from, until }: Coupon, now: number): string {
  if (state === 'over') return `已于 ${lastDay(until)} 到期`
  return from > now ? `${dateText(from)} 起可用，至 ${lastDay(until)}` : `有效期至 ${lastDay(until)}`
}

/** Where there is something that a coupon holds for. */
const LISTS = {
  course: '/course/course_list',
  package: '/course/course_list',
  set: '/question_set/question_set_list',
  exam: '/exam/exam_list',
  vip: '/user/my_vip',
  book: '/store/store_list',
  library: '/store/store_list',
} as const
export const listFor = ([first = 'book']: readonly SoldKind[]) => LISTS[first]

export const redeemedText = (redeemed: Redeemed): string =>
  redeemed.kind === 'coupon'
    ? `兑换成功：“${redeemed.title}”已放入可用优惠券，有效期至 ${lastDay(redeemed.until)}`
    : `激活成功：“${redeemed.title}”已开通，${redeemed.until === null ? '永久有效' : `有效期至 ${lastDay(redeemed.until)}`}`
