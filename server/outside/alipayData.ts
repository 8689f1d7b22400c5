import * as v from 'valibot'
import { fromBeijing } from './beijing.ts'
import type { Standing } from './pay.ts'
import { fromYuan } from './yuan.ts'

const read = <T>(how: (text: string) => T | null, what: string) =>
  v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }): T => {
      const value = how(dataset.value)
      if (value !== null) return value
      addIssue({ message: `no ${what}` })
      return NEVER
    }),
  )
export const Yuan = read(fromYuan, 'amount')
export const Moment = read(fromBeijing, 'time')

export const TRADE_STATES = ['WAIT_BUYER_PAY', 'TRADE_CLOSED', 'TRADE_SUCCESS', 'TRADE_FINISHED'] as const
export interface Trade {
  state: (typeof TRADE_STATES)[number]
  amount: number
  ref: string
  /** When it was paid, if it was. */
  at: number | undefined
}

/**
 * Alipay closes a trade that nobody paid, and one of which all was given back. Both are closed to us: of the second we know
 * already that it was paid, or the merchant gave the money back by hand before we knew, and nothing may be had for it.
 * @returns null for a trade that is paid and says no time
 */
export function standingOf({ state, amount, ref, at }: Trade): Standing | null {
  switch (state) {
    case 'WAIT_BUYER_PAY':
      return { state: 'open' }
    case 'TRADE_CLOSED':
      return { state: 'closed' }
    case 'TRADE_SUCCESS':
    case 'TRADE_FINISHED':
      return at === undefined ? null : { state: 'paid', amount, ref, at }
  }
}
