import { type DeviceKey, orderKey } from '#src/device/keys.ts'
import { useState } from 'react'
import { v7 as uuid } from 'uuid'
import * as v from 'valibot'
import { MAX_REMARK, PayMethod, type Product } from '#src/contract/order.ts'
import { OpId } from '#src/contract/scalar.ts'
import { productsText } from '#src/domain/money/products.ts'
import { session } from '#src/session/session.ts'
import { deviceMemory } from '#src/device/stores.ts'

/** What is chosen and typed before an order is made. It stays on the device: nothing of it is sent by itself. */
const Draft = v.object({
  /** Of the order that it becomes: sent again after an answer was lost, it is the same order. */
  key: OpId,
  /** What the key is for, as the page's address has it. */
  products: v.string(),
  address: v.optional(OpId),
  /** As in `order/preview`. */
  coupon: v.optional(v.string()),
  wallet: v.boolean(),
  remark: v.pipe(v.string(), v.maxLength(MAX_REMARK)),
  method: v.nullable(PayMethod),
})
export type Draft = v.InferOutput<typeof Draft>

const fresh = (products: string): Draft => ({ key: uuid(), products, wallet: true, remark: '', method: null })

/** The same things share one draft, in whatever number they are ordered. */
const keyOf = (products: readonly Product[]): DeviceKey =>
  orderKey(products.map(({ kind, no, variant }) => [kind, no, variant].join('-')).join(), session.owner())

/** Another choice is another order, should the last one have been lost on its way: under its key it would be that one again. */
const of = (draft: Draft, products: string): Draft =>
  draft.products === products ? draft : { ...draft, products, key: uuid() }

function read(name: DeviceKey, products: string): Draft {
  try {
    return of(v.parse(Draft, JSON.parse(deviceMemory.get(name) ?? '')), products)
  } catch {
    return fresh(products)
  }
}

export function useDraft(wanted: readonly Product[]) {
  const name = keyOf(wanted)
  const products = productsText(wanted)
  const [draft, setDraft] = useState(() => read(name, products))
  if (draft.products !== products) setDraft(of(draft, products))
  const keep = (next: Draft) => {
    setDraft(next)
    deviceMemory.set(name, JSON.stringify(next))
  }
  return {
    draft,
    /** How it is paid is not of the order; all else makes another of it. */
    change: ({ method = draft.method, ...changes }: Partial<Omit<Draft, 'key' | 'products'>>) =>
      keep({ ...draft, method, ...(Object.keys(changes).length > 0 && { ...changes, key: uuid() }) }),
    /** Before it is sent: whoever opens the page anew after its answer was lost sends the same order. */
    keep: () => keep(draft),
    forget: () => keep(fresh(products)),
  }
}
