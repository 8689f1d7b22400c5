import type { SoldKind } from '#src/contract/order.ts'

/** Money is whole fen throughout. */
export interface PricedLine {
  kind: SoldKind
  price: number
  quantity: number
  /** Grams of one; null: nothing is shipped. */
  weight: number | null
}
export const sumOf = (lines: readonly PricedLine[]): number =>
  lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0)

/** 优惠券 as one student has it. */
export interface CouponTerms {
  id: string
  title: string
  /** Fen, or percent of what it holds for. */
  off: { kind: 'fen' | 'percent'; value: number; /** Of percent: no more than this, fen. */ most: number | null }
  /** It holds from this sum of what it holds for. */
  threshold: number
  /** Empty: all kinds. */
  kinds: readonly SoldKind[]
  /** Epoch ms; `until` is the first moment at which it does not hold. */
  from: number
  until: number
}
export type CouponVerdict = { discount: number; why: null } | { discount: 0; why: string }

const yuan = (fen: number): string => `¥${(fen / 100).toFixed(fen % 100 === 0 ? 0 : 2)}`

/** What a coupon takes off these lines at `now`, or why it does not hold. It never takes off freight, nor more than there is. */
export function judgeCoupon(coupon: CouponTerms, lines: readonly PricedLine[], now: number): CouponVerdict {
  const no = (why: string): CouponVerdict => ({ discount: 0, why })
  if (now >= coupon.until) return no('已过期')
  if (now < coupon.from) return no('还没到使用时间')
  const base = sumOf(lines.filter(({ kind }) => coupon.kinds.length === 0 || coupon.kinds.includes(kind)))
  if (base === 0) return no('不适用于这些商品')
  if (base < coupon.threshold) return no(`适用商品还差 ${yuan(coupon.threshold - base)} 才满 ${yuan(coupon.threshold)}`)
  const { kind, value, most } = coupon.off
  const full = kind === 'fen' ? value : Math.floor((base * value) / 100)
  const discount = Math.min(full, base, most ?? base)
  return discount > 0 ? { discount, why: null } : no('抵扣不足 1 分')
}

export interface JudgedCoupon extends CouponTerms {
  verdict: CouponVerdict
}
/** The one that takes off most; of equals the one that ends first. Null when none holds. */
export function bestCoupon(coupons: readonly JudgedCoupon[]): JudgedCoupon | null {
  const usable = coupons.filter(({ verdict }) => verdict.why === null)
  const better = (a: JudgedCoupon, b: JudgedCoupon) =>
    b.verdict.discount - a.verdict.discount || a.until - b.until || (a.id < b.id ? -1 : 1)
  return usable.reduce<JudgedCoupon | null>(
    (best, each) => (best === null || better(each, best) < 0 ? each : best),
    null,
  )
}

interface Rate {
  /** For so many grams at most. */
  first: { grams: number; fee: number }
  /** For each further so many, or part of them. */
  more: { grams: number; fee: number }
  /** None from this sum of shipped goods on; null: always. */
  freeFrom: number | null
}
/** 运费: by province, as the first two digits of its code (GB/T 2260). */
export interface FreightTable {
  usual: Rate
  others: readonly { name: string; provinces: readonly string[]; rate: Rate }[]
}
const KILO = 1000
export const FREIGHT: FreightTable = {
  usual: { first: { grams: KILO, fee: 800 }, more: { grams: KILO, fee: 200 }, freeFrom: 9900 },
  others: [
    {
      name: '偏远地区',
      provinces: ['15', '46', '62', '63', '64'],
      rate: { first: { grams: KILO, fee: 1200 }, more: { grams: KILO, fee: 500 }, freeFrom: 19_900 },
    },
    {
      name: '新疆、西藏',
      provinces: ['54', '65'],
      rate: { first: { grams: KILO, fee: 1800 }, more: { grams: KILO, fee: 1200 }, freeFrom: null },
    },
  ],
}

export interface Freight {
  fee: number
  why: string
}
/** @param province its code, of any length */
export function freightOf(lines: readonly PricedLine[], province: string, table: FreightTable = FREIGHT): Freight {
  const shipped = lines.filter(({ weight }) => weight !== null)
  if (shipped.length === 0) return { fee: 0, why: '' }
  const other = table.others.find(({ provinces }) => provinces.includes(province.slice(0, 2)))
  const { first, more, freeFrom } = other?.rate ?? table.usual
  const grams = shipped.reduce((sum, { weight, quantity }) => sum + (weight ?? 0) * quantity, 0)
  const goods = sumOf(shipped)
  const where = other ? `${other.name}，` : ''
  if (freeFrom !== null && goods >= freeFrom) return { fee: 0, why: `${where}图书满 ${yuan(freeFrom)} 免运费` }
  const steps = Math.ceil(Math.max(0, grams - first.grams) / more.grams)
  const kilos = (grams / KILO).toFixed(2)
  const free = freeFrom === null ? '' : `，图书满 ${yuan(freeFrom)} 免运费`
  return { fee: first.fee + steps * more.fee, why: `${where}共 ${kilos} 千克${free}` }
}

export interface Sums {
  goods: number
  freight: number
  discount: number
  wallet: number
  due: number
}
/** @param balance what of the wallet may be used */
export function sumsOf(goods: number, freight: number, discount: number, balance: number): Sums {
  const total = goods + freight - discount
  const wallet = Math.min(balance, total)
  return { goods, freight, discount, wallet, due: total - wallet }
}
