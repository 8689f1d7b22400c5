import * as v from 'valibot'
import { No } from '#src/contract/scalar.ts'

export const isNo = (value: unknown): value is string => v.is(No, value)

/** The whole number that a path says, within bounds; null when it says none. */
export function wholeNumber(text: string | number, min: number, max: number): number | null {
  const value = Number(text)
  return Number.isInteger(value) && value >= min && value <= max ? value : null
}

const DAY_S = 86_400
/** The second of a lesson that an address asks for. */
export const secondIn = ({ t }: Record<string, unknown>): { t?: number } => {
  const second = typeof t === 'number' || typeof t === 'string' ? wholeNumber(t, 0, DAY_S) : null
  return second === null ? {} : { t: second }
}

/** The earlier version of an agreement that an address asks for. */
export const versionIn = ({ version }: Record<string, unknown>): { version?: number } => {
  const asked = typeof version === 'number' || typeof version === 'string' ? wholeNumber(version, 1, 10_000) : null
  return asked === null ? {} : { version: asked }
}
