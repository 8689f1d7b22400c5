import { type RefObject, useLayoutEffect } from 'react'
import * as v from 'valibot'
import { RefusedError } from '#src/api/errors.ts'
import { faultOf } from '#src/domain/app/failureWords.ts'
import type { Faults } from '#src/ui/faults.ts'

/** First fault of each field, in the contract's own words. */
export function faultsOf(schema: v.GenericSchema, values: unknown): Faults | null {
  const result = v.safeParse(schema, values)
  if (result.success) return null
  const { nested = {} } = v.flatten(result.issues)
  return Object.fromEntries(Object.entries(nested).map(([name, messages]) => [name, faultOf(messages)]))
}

/**
 * What the server said no to is mended in its field, the first that is marked with `data-mends`; what did not arrive is sent
 * again. So the keyboard goes there: the button was out of order while it worked, and has lost it.
 */
export function useMendingFocus(error: Error | null, form: RefObject<HTMLFormElement | null>): void {
  useLayoutEffect(() => {
    if (error)
      form.current
        ?.querySelector<HTMLElement>(error instanceof RefusedError ? '[data-mends]' : 'button[type=submit]')
        ?.focus()
  }, [error, form])
}
