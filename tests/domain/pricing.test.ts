import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bestCoupon,
  type CouponTerms,
  type JudgedCoupon,
  freightOf,
  judgeCoupon,
  type PricedLine,
  sumOf,
  sumsOf,
} from '#src/domain/money/pricing.ts'

const book = (price: number, quantity = 1, weight = 500): PricedLine => ({ kind: 'book', price, quantity, weight })
const vip = (price: number): PricedLine => ({ kind: 'vip', price, quantity: 1, weight: null })
const coupon = (over: Partial<CouponTerms> = {}): CouponTerms => ({
  id: 'c1',
  title: '减十元',
  off: { kind: 'fen', value: 1000, most: null },
  threshold: 0,
  kinds: [],
  from: 0,
  until: 100,
  ...over,
})
const percent = (value: number, most: number | null = null): CouponTerms['off'] => ({ kind: 'percent', value, most })

describe('a coupon', () => {
  test.each([
    ['takes off what it says', coupon(), [vip(1990)], 1000],
    ['never more than there is', coupon(), [vip(990)], 990],
    ['of percent whole fen, in the shop’s favour', coupon({ off: percent(15) }), [vip(1999)], 299],
    ['of percent no more than its most', coupon({ off: percent(50, 500) }), [vip(1990)], 500],
    ['of its kinds alone', coupon({ kinds: ['book'], off: percent(50) }), [vip(10_000), book(300)], 150],
    ['from its threshold on', coupon({ threshold: 2000 }), [book(1000, 2)], 1000],
    ['from its first moment on', coupon({ from: 50 }), [vip(1990)], 1000],
  ])('%s', (_, of, lines, discount) => expect(judgeCoupon(of, lines, 50)).toEqual({ discount, why: null }))

  test.each([
    ['is over', coupon(), [vip(1990)], 100, '已过期'],
    ['has not begun', coupon({ from: 60 }), [vip(1990)], 50, '还没到使用时间'],
    ['is of other kinds', coupon({ kinds: ['book'] }), [vip(1990)], 50, '不适用于这些商品'],
    [
      'lacks so much, of its kinds',
      coupon({ kinds: ['book'], threshold: 6000 }),
      [book(5900), vip(9900)],
      50,
      '适用商品还差 ¥1 才满 ¥60',
    ],
    ['lacks yuan and fen', coupon({ threshold: 6050 }), [vip(5900)], 50, '适用商品还差 ¥1.50 才满 ¥60.50'],
    ['of percent comes to nothing', coupon({ off: percent(1) }), [vip(99)], 50, '抵扣不足 1 分'],
  ])('that %s says so', (_, of, lines, now, why) => expect(judgeCoupon(of, lines, now)).toEqual({ discount: 0, why }))

  test('is the best when it takes off most; of equals the one that ends first', () => {
    const judged = [
      coupon({ id: 'a', until: 90 }),
      coupon({ id: 'b', until: 80 }),
      coupon({ id: 'c', off: percent(10) }),
    ]
    const best = bestCoupon(judged.map((each) => ({ ...each, verdict: judgeCoupon(each, [vip(1990)], 50) })))
    expect(best?.id).toBe('b')
    expect(bestCoupon([])).toBeNull()
  })
})

describe('freight', () => {
  test.each([
    ['of what is not shipped is nothing', [vip(1990)], '430000', 0],
    ['of a kilo', [book(1000, 2)], '430000', 800],
    ['of a gram more', [book(1000, 2), book(100, 1, 1)], '430000', 1000],
    ['of two kilos more', [book(1000, 6)], '430000', 1200],
    ['is free from ¥99 of books on', [book(9900)], '430000', 0],
    ['what is digital does not count for it', [book(9800), vip(10_000)], '430000', 800],
    ['is dearer to 甘肃', [book(9900, 1, 1200)], '620000', 1700],
    ['is free to 甘肃 from ¥199 on', [book(19_900)], '620000', 0],
    ['is never free to 西藏', [book(99_900)], '540000', 1800],
    ['to 新疆 of three kilos', [book(1000, 6)], '650000', 4200],
  ])('%s', (_, lines, province, fee) => expect(freightOf(lines, province).fee).toBe(fee))

  test.each([
    ['内蒙古', '150000', 1200],
    ['海南', '460000', 1200],
    ['甘肃', '620000', 1200],
    ['青海', '630000', 1200],
    ['宁夏', '640000', 1200],
    ['西藏', '540000', 1800],
    ['新疆', '650000', 1800],
    ['四川', '510000', 800],
  ])('of a kilo to %s', (_, province, fee) => expect(freightOf([book(1000, 2)], province).fee).toBe(fee))
})

test('sums are whole fen, none below nothing, and add up', () => {
  const lines = fc.array(
    fc.record({
      kind: fc.constantFrom('book' as const, 'vip' as const),
      price: fc.integer({ min: 1, max: 10_000_000 }),
      quantity: fc.integer({ min: 1, max: 99 }),
      weight: fc.option(fc.integer({ min: 1, max: 5000 })),
    }),
    { minLength: 1, maxLength: 20 },
  )
  const off = fc.oneof(
    fc.record({
      kind: fc.constant('fen' as const),
      value: fc.integer({ min: 1, max: 1_000_000 }),
      most: fc.constant(null),
    }),
    fc.record({
      kind: fc.constant('percent' as const),
      value: fc.integer({ min: 1, max: 99 }),
      most: fc.option(fc.integer({ min: 1, max: 9999 })),
    }),
  )
  fc.assert(
    fc.property(lines, off, fc.nat(20_000_000), fc.constantFrom('11', '54', '62'), (all, of, balance, province) => {
      const { discount } = judgeCoupon(coupon({ off: of }), all, 50)
      const sums = sumsOf(sumOf(all), freightOf(all, province).fee, discount, balance)
      for (const fen of Object.values(sums)) expect(Number.isSafeInteger(fen) && fen >= 0).toBe(true)
      expect(sums.goods + sums.freight - sums.discount).toBe(sums.wallet + sums.due)
      expect(sums.wallet).toBeLessThanOrEqual(balance)
      expect(sums.due === 0 || sums.wallet === balance).toBe(true)
    }),
  )
})

test('of several coupons none is best that does not hold, however much it would take off', () => {
  const judged = (id: string, over: Partial<CouponTerms>, discount: number, why: string | null): JudgedCoupon => ({
    ...coupon({ id, ...over }),
    verdict: why === null ? { discount, why } : { discount: 0, why },
  })
  expect(bestCoupon([judged('a', {}, 900, '已过期'), judged('b', {}, 100, null)])?.id).toBe('b')
  expect(bestCoupon([judged('a', {}, 900, '已过期')])).toBeNull()
  const equal = [judged('b', { until: 50 }, 100, null), judged('a', { until: 90 }, 100, null)]
  expect(bestCoupon(equal)?.id).toBe('b')
  expect(bestCoupon([judged('b', {}, 100, null), judged('a', {}, 100, null)])?.id).toBe('a')
})

test.each([
  ['11', [book(1000, 2, 700)], 1000, '共 1.40 千克，图书满 ¥99 免运费'],
  ['11', [book(9900)], 0, '图书满 ¥99 免运费'],
  ['62', [book(1000)], 1200, '偏远地区，共 0.50 千克，图书满 ¥199 免运费'],
  ['62', [book(19_900)], 0, '偏远地区，图书满 ¥199 免运费'],
  ['65', [book(99_000)], 1800, '新疆、西藏，共 0.50 千克'],
  ['11', [vip(1990)], 0, ''],
])('freight to %s says how it comes about', (province, lines, fee, why) =>
  expect(freightOf(lines, province)).toEqual({ fee, why }),
)
