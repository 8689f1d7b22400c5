import fc from 'fast-check'
import { PAY_MS } from '#src/domain/money/order.ts'

/** What may happen to a shop, in any order: `who` and `which` are taken modulo what there is. */
export type Step =
  | { do: 'order'; who: number; what: number; wallet: boolean }
  | { do: 'pay' | 'payOther' | 'repay' | 'fail' | 'begin' | 'cancel' | 'look' | 'receive' | 'askRefund'; which: number }
  | { do: 'walletPay'; which: number }
  | { do: 'ship' | 'approve' | 'restock' | 'decline' | 'recall'; which: number }
  | { do: 'payOut'; who: number }
  /** The provider goes out of the configuration, or comes back. */
  | { do: 'gone' }
  | { do: 'back' }
  /** The operator voids what was paid at the provider while it is out of the configuration. */
  | { do: 'void' }
  /** The operator looks at what is in trouble, and ends one in one of the ways that there are. */
  | { do: 'resolve'; which: number; as: number }
  | { do: 'topUp'; who: number; fen: number }
  | { do: 'cashOut'; who: number; fen: number }
  | { do: 'notice'; which: number }
  | { do: 'wait'; ms: number }
  | { do: 'jobs' }
  | { do: 'dieInJobs' }
  /** Ordered and paid, and given back by the shop, or paid with another sum; asked for and given back; cancelled while the provider could not be reached, and paid after it. */
  | { do: 'buy'; who: number; what: number; wallet: boolean }
  | { do: 'buyAndRecall'; who: number; what: number; wallet: boolean }
  | { do: 'mispay'; who: number; what: number; wallet: boolean }
  | { do: 'giveBack' | 'giveBackAll' | 'payLate'; which: number }

const which = fc.nat(3)
const who = fc.nat(1)
export const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('order' as const), who, what: fc.nat(4), wallet: fc.boolean() }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constantFrom('buy', 'buy', 'buyAndRecall', 'mispay'),
      who,
      what: fc.nat(4),
      wallet: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('giveBack', 'giveBackAll', 'payLate'), which }) },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'pay',
        'payOther',
        'repay',
        'fail',
        'begin',
        'cancel',
        'look',
        'receive',
        'askRefund',
        'walletPay',
      ),
      which,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('ship', 'approve', 'restock', 'decline', 'recall'), which }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('payOut' as const), who }) },
  { weight: 3, arbitrary: fc.constantFrom<Step>({ do: 'gone' }, { do: 'back' }, { do: 'back' }, { do: 'void' }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('resolve' as const), which, as: fc.nat(1) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('topUp', 'cashOut'), who, fen: fc.integer({ min: 100, max: 9000 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('notice' as const), which: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1000, 60_000, PAY_MS) }) },
  { weight: 3, arbitrary: fc.constantFrom<Step>({ do: 'jobs' }, { do: 'dieInJobs' }) },
)
