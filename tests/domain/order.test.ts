import { describe, expect, test } from 'vitest'
import { ORDER_STATES, type Product } from '#src/contract/order.ts'
import { afterEvent, type OrderEvent, type OrderFacts, REFUND_DAYS, refundsUntil } from '#src/domain/money/order.ts'
import { productsText, readProducts } from '#src/domain/money/products.ts'
import { endOf, FOR_GOOD, type Grant } from '#src/domain/money/rights.ts'

const DAY = 86_400_000
const EVENTS: OrderEvent[] = [
  'pay',
  'deliver',
  'ship',
  'receive',
  'cancel',
  'expire',
  'askRefund',
  'giveBack',
  'late',
  'refund',
  'decline',
]
const order = (over: Partial<OrderFacts> = {}): OrderFacts => ({
  state: 'pending',
  ships: true,
  expiresAt: 100,
  completedAt: null,
  ...over,
})

describe('an order', () => {
  test('goes its way and no other: every event in every state', () => {
    const table = ORDER_STATES.flatMap((state) =>
      EVENTS.flatMap((event) => {
        const after = afterEvent(order({ state, ships: event !== 'deliver', askedIn: 'shipped' }), event, 0)
        return after === null ? [] : [`${state} ${event} ${after}`]
      }),
    )
    expect(table).toEqual([
      'pending pay paid',
      'pending cancel cancelled',
      'pending expire cancelled',
      'paid deliver completed',
      'paid ship shipped',
      'paid askRefund refunding',
      'paid giveBack refunding',
      'shipped receive completed',
      'shipped askRefund refunding',
      'shipped giveBack refunding',
      'completed askRefund refunding',
      'completed giveBack refunding',
      'cancelled late refunding',
      'refunding refund refunded',
      'refunding decline shipped',
    ])
  })

  test('that is not completed yet can be given back however long it has been under way', () => {
    const shipped = order({ state: 'shipped', completedAt: null })
    expect(afterEvent(shipped, 'askRefund', (REFUND_DAYS + 1) * DAY)).toBe('refunding')
  })

  test('with goods is not delivered by itself, and without them is not shipped', () => {
    expect(afterEvent(order({ state: 'paid', ships: true }), 'deliver', 0)).toBeNull()
    expect(afterEvent(order({ state: 'paid', ships: false }), 'ship', 0)).toBeNull()
  })

  test('that is completed can be given back for its days, not a moment longer', () => {
    const completed = order({ state: 'completed', completedAt: 5 })
    expect(refundsUntil(5)).toBe(5 + REFUND_DAYS * DAY)
    expect(afterEvent(completed, 'askRefund', refundsUntil(5) - 1)).toBe('refunding')
    expect(afterEvent(completed, 'askRefund', refundsUntil(5))).toBeNull()
    expect(afterEvent(completed, 'giveBack', refundsUntil(5))).toBe('refunding')
  })
})

describe('products in an address', () => {
  const all: Product[] = [
    { kind: 'book', no: 'B_mock', quantity: 12, variant: 'B_mock_1' },
    { kind: 'course', no: 'C1', quantity: 1, variant: null },
  ]
  test('are read as they were written', () => {
    expect(productsText(all)).toBe('book-B_mock-12-B_mock_1,course-C1-1')
    expect(readProducts(productsText(all))).toEqual(all)
  })
  test.each([
    '',
    'book',
    'book-B',
    'book-B-0',
    'book-B-01',
    'book-B-100',
    'gold-B-1',
    'book-B-1-',
    'book-B-1,',
    'book-B-1-v-x',
    'book-../x-1',
  ])('“%s” is none', (text) => expect(readProducts(text)).toBeNull())
})

describe('the end of a right', () => {
  const grant = (at: number, days: number | null, until: number | null = null): Grant => ({ at, days, until })
  test.each([
    ['of nothing', [], null, null],
    ['of days from the moment they were given', [grant(1000, 1)], null, 1000 + DAY],
    ['of days behind what there was', [grant(1000, 1), grant(2000, 2)], null, 1000 + 3 * DAY],
    ['of days after a gap', [grant(0, 1), grant(5 * DAY, 1)], null, 6 * DAY],
    ['until a day, when that is later', [grant(0, 30), grant(1, null, 10 * DAY)], null, 30 * DAY],
    ['for good', [grant(0, 1), grant(1, null)], null, FOR_GOOD],
    ['never beyond for good', [grant(0, null), grant(1, 30)], null, FOR_GOOD],
    ['behind what came without a grant', [grant(0, 1)], 10 * DAY, 11 * DAY],
    ['of what came without a grant alone', [], 7, 7],
  ] satisfies [string, Grant[], number | null, number | null][])('%s', (_, grants, base, end) =>
    expect(endOf(grants, base)).toBe(end),
  )
})
