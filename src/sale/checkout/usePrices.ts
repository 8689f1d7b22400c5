import { useQuery } from '@tanstack/react-query'
import { query } from '#src/api/query.ts'
import { MAX_PRICES, type Price, store } from '#src/contract/store.ts'

export interface Prices {
  /** What the server says now, by number; what is not sold any more is not there. Null: it has not said yet, or cannot be asked. */
  now: ReadonlyMap<string, Price> | null
  /** It could not be asked: what is shown is what was seen last. */
  old: boolean
}

const byNo = (prices: readonly Price[]): ReadonlyMap<string, Price> => new Map(prices.map((each) => [each.no, each]))

/**
 * Whether prices and stock that the device has kept still hold. Pages show what is kept at once; what is kept may be from yesterday
 * also where there is a network, so only an answer of this very moment takes the mark off.
 */
export function usePrices(nos: readonly string[]): Prices {
  const { data, isError } = useQuery({
    ...query(store.prices, { nos: nos.slice(0, MAX_PRICES) }),
    enabled: nos.length > 0,
    staleTime: 0,
    select: byNo,
  })
  return { now: isError ? null : (data ?? null), old: isError }
}
