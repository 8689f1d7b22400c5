/** Public number of a record, as in contract/scalar.ts. */
export const isNo = (text: string): boolean => /^[A-Za-z0-9_]{1,64}$/.test(text)

/** The whole number that a path says, within bounds; null when it says none. */
export function wholeNumber(text: string | number, min: number, max: number): number | null {
  const value = Number(text)
  return Number.isInteger(value) && value >= min && value <= max ? value : null
}
