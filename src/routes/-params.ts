import * as v from 'valibot'
import { No } from '#src/contract/scalar.ts'

export const isNo = (value: unknown): value is string => v.is(No, value)

/** The whole number that a path says, within bounds; null when it says none. */
export function wholeNumber(text: string | number, min: number, max: number): number | null {
  const value = Number(text)
  return Number.isInteger(value) && value >= min && value <= max ? value : null
}

/** A search field of an address that says something; nothing when it does not. */
export function text<K extends string>(name: K, search: Record<string, unknown>): { [N in K]?: string } {
  const value = search[name]
  // A search that looks like a number is read as one.
  const said = typeof value === 'number' ? String(value) : value
  return typeof said === 'string' && said !== '' ? ({ [name]: said } as { [N in K]: string }) : {}
}

/** The same of a few values. */
export function among<K extends string, T extends string>(
  name: K,
  values: readonly T[],
  search: Record<string, unknown>,
): { [N in K]?: T } {
  const value = values.find((each) => each === search[name])
  return value === undefined ? {} : ({ [name]: value } as { [N in K]: T })
}
