import type { Address } from '#src/contract/address.ts'
import type { PayMethod, Quote, QuoteCoupon } from '#src/contract/order.ts'
import type { Received } from '#src/contract/endpoint.ts'
import type { Contract } from '#src/contract/index.ts'
import { bestCoupon, freightOf, type JudgedCoupon, judgeCoupon, sumOf, sumsOf } from '#src/domain/money/pricing.ts'
import { readAddress, readAddresses } from '#server/address/store.ts'
import { readCoupons } from '#server/coupon/store.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type Buyer, type Goods, readGoods } from './goods.ts'
import { readSpendable } from './unreal.ts'

export type Wanted = Received<Contract['order']['preview']>
/** A quote, with what an order needs besides. */
export interface Offer {
  quote: Quote
  goods: Goods[]
}

/** What these would come to now: from our own prices, whatever the page has shown. */
export async function offer(db: Db | Tx, buyer: Buyer, wanted: Wanted, methods: readonly PayMethod[]): Promise<Offer> {
  const goods = await readGoods(db, buyer, wanted.products)
  const ships = goods.some(({ weight }) => weight !== null)
  const place = ships ? await placeOf(db, buyer, wanted.address) : null
  const sum = sumOf(goods)
  const freight = place ? freightOf(goods, place.province.code) : { fee: 0, why: ships ? '填写收货地址后计算' : '' }
  const coupons = (await readCoupons(db, buyer.uid)).map((each) => ({
    ...each,
    verdict: judgeCoupon(each, goods, buyer.now),
  }))
  const { coupon, why: couponWhy } = chosenOf(coupons, wanted.coupon)
  const balance = await readSpendable(db, buyer.uid)
  const sums = sumsOf(sum, freight.fee, coupon?.verdict.discount ?? 0, wanted.wallet ? balance : 0)
  const quote: Quote = {
    lines: goods,
    ships,
    address: place && { id: place.id, ...shipTo(place) },
    ...sums,
    freightWhy: freight.why,
    coupons: coupons.map(shown).toSorted((a, b) => b.discount - a.discount || a.until - b.until),
    coupon: coupon?.id ?? '',
    couponWhy,
    balance,
    methods: [...methods],
    problem:
      sums.due > 0 && methods.length === 0 ? NO_PAYMENT : problemOf(goods, ships && !place, coupon ?? wanted.coupon),
  }
  return { quote, goods }
}

const NO_PAYMENT = '本站还没有开通支付，暂时不能购买，请以后再来看看'

/** None is chosen: the default one. */
const placeOf = async (db: Db | Tx, { uid }: Buyer, id: string | undefined): Promise<Address | null> =>
  id === undefined ? ((await readAddresses(db, uid))[0] ?? null) : readAddress(db, uid, id)

const shipTo = ({ name, mobile, province, city, district, detail }: Address) => ({
  name,
  mobile,
  text: [province.name, city.name === province.name ? '' : city.name, district?.name ?? '', detail].join(''),
})

/** @param wanted absent: the best one; '': none */
function chosenOf(
  coupons: readonly JudgedCoupon[],
  wanted: string | undefined,
): { coupon: JudgedCoupon | null; why: string } {
  const best = bestCoupon(coupons)
  if (wanted === '') return { coupon: null, why: best ? '没有使用优惠券' : '' }
  if (wanted === undefined || wanted === best?.id)
    return { coupon: best, why: best ? '已选最省的一张' : coupons.length > 0 ? '没有这次能用的优惠券' : '' }
  const coupon = coupons.find(({ id }) => id === wanted) ?? null
  const less = (best?.verdict.discount ?? 0) - (coupon?.verdict.discount ?? 0)
  return { coupon, why: coupon && less > 0 ? `“${best?.title}”还能多省 ¥${(less / 100).toFixed(2)}` : '' }
}

const shown = ({ id, title, until, verdict: { discount, why } }: JudgedCoupon): QuoteCoupon => ({
  id,
  title,
  until,
  discount,
  why,
})

/** @param coupon the chosen one, or the number of one that is not there */
function problemOf(
  goods: readonly Goods[],
  homeless: boolean,
  coupon: JudgedCoupon | string | undefined,
): string | null {
  const shut = goods.find((each) => each.shut)
  if (shut) return `“${shut.title}”${shut.note}`
  if (typeof coupon === 'string' && coupon !== '') return '所选优惠券已经用掉，请重新选择'
  if (typeof coupon === 'object' && coupon.verdict.why !== null) return `优惠券“${coupon.title}”${coupon.verdict.why}`
  return homeless ? '请填写收货地址' : null
}
