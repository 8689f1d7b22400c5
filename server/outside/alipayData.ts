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
 * Alipay closes a trade also when all of it was given back: one that has a time of payment was paid.
 * @returns null for a trade that is paid and says no time
 */
export function standingOf({ state, amount, ref, at }: Trade): Standing | null {
  if (state === 'WAIT_BUYER_PAY') return { state: 'open' }
  if (at !== undefined) return { state: 'paid', amount, ref, at }
  return state === 'TRADE_CLOSED' ? { state: 'closed' } : null
}
