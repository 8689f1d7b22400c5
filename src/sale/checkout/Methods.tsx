import type { PayMethod } from '#src/contract/order.ts'
import { Choices } from '#src/ui/Choices.tsx'
import { Outside } from './Outside.tsx'
import { isShutOut, METHOD_NAMES } from './paying.ts'

interface MethodsProps {
  methods: readonly PayMethod[]
  chosen: PayMethod | null
  onPick: (method: PayMethod) => void
  /** Of the wallet: what it holds. */
  note?: string
}

/** 支付方式 */
export function Methods({ methods, chosen, onPick, note }: MethodsProps) {
  return (
    <>
      <Choices
        title="支付方式"
        options={methods.map((method) => ({
          value: method,
          label: METHOD_NAMES[method],
          ...(method === 'wallet' && note !== undefined && { note }),
        }))}
        chosen={chosen === null ? [] : [chosen]}
        onPick={onPick}
      />
      {chosen !== null && isShutOut(chosen) && <Outside method={chosen} />}
    </>
  )
}
