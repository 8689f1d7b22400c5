import { useState } from 'react'
import { v7 as uuid } from 'uuid'
import * as v from 'valibot'
import { MAX_REMARK, PayMethod } from '#src/contract/order.ts'
import { OpId } from '#src/contract/scalar.ts'
import { session } from '#src/session/session.ts'
import { deviceMemory } from '#src/ui/memory.ts'

/** What is chosen and typed before an order is made. It stays on the device: nothing of it is sent by itself. */
const Draft = v.object({
  /** Of the order that it becomes: sent again after an answer was lost, it is the same order. */
  key: OpId,
  address: v.optional(OpId),
  /** As in `order/preview`. */
  coupon: v.optional(v.string()),
  wallet: v.boolean(),
  remark: v.pipe(v.string(), v.maxLength(MAX_REMARK)),
  method: v.nullable(PayMethod),
})
export type Draft = v.InferOutput<typeof Draft>

const fresh = (): Draft => ({ key: uuid(), wallet: true, remark: '', method: null })
/** Ends with the owner: by that it goes with their account (offline/forget.ts). */
const nameOf = (products: string): string => `jk-order:${products}:${session.owner()}`

function read(name: string): Draft {
  try {
    return v.parse(Draft, JSON.parse(deviceMemory.get(name) ?? ''))
  } catch {
    return fresh()
  }
}

/** @param products as the page's address has them */
export function useDraft(products: string) {
  const name = nameOf(products)
  const [draft, setDraft] = useState(() => read(name))
  const keep = (next: Draft) => {
    setDraft(next)
    deviceMemory.set(name, JSON.stringify(next))
  }
  return {
    draft,
    /**
     * Another choice is another order, should the last one have been lost on its way: under its key the books would go to the
     * address of before. How it is paid is not of the order.
     */
    change: ({ method = draft.method, ...changes }: Partial<Omit<Draft, 'key'>>) =>
      keep({ ...draft, method, ...(Object.keys(changes).length > 0 && { ...changes, key: uuid() }) }),
    forget: () => keep(fresh()),
  }
}
