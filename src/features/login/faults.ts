import { type RefObject, useEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import { RefusedError } from '#src/api/errors.ts'

export type Faults = Record<string, string | undefined>

/** First fault of each field, in the contract's own words. */
export function faultsOf(schema: v.GenericSchema, values: unknown): Faults | null {
  const result = v.safeParse(schema, values)
  if (result.success) return null
  const { nested = {} } = v.flatten(result.issues)
  return Object.fromEntries(Object.entries(nested).map(([name, messages]) => [name, messages?.[0]]))
}

/** Faults of a form that was sent too early; the first field that has one gets the focus, so that keys mend it. */
export function useFaults() {
  const [faults, setFaults] = useState<Faults>({})
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (Object.keys(faults).length > 0)
      form.current?.querySelector<HTMLElement>('input:is([aria-invalid], [data-invalid])')?.focus()
  }, [faults])
  return { faults, setFaults, form }
}

/**
 * What the server said no to is mended in its field, the first that is marked with `data-mends`; what did not arrive is sent again. So the keyboard
 * goes there: the button was out of order while it worked, and has lost it.
 */
export function useMendingFocus(error: Error | null, form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    if (error)
      form.current
        ?.querySelector<HTMLElement>(error instanceof RefusedError ? '[data-mends]' : 'button[type=submit]')
        ?.focus()
  }, [error, form])
}
