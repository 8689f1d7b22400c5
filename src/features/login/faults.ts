import * as v from 'valibot'
import type { Faults } from '#src/ui/faults.ts'

/** First fault of each field, in the contract's own words. */
export function faultsOf(schema: v.GenericSchema, values: unknown): Faults | null {
  const result = v.safeParse(schema, values)
  if (result.success) return null
  const { nested = {} } = v.flatten(result.issues)
  return Object.fromEntries(Object.entries(nested).map(([name, messages]) => [name, messages?.[0]]))
}
