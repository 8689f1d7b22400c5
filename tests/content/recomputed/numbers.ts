export const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i)
export const sum = (xs: readonly number[]): number => xs.reduce((x, y) => x + y, 0)
export const mean = (xs: readonly number[]): number => sum(xs) / xs.length
export const at = (xs: readonly number[], i: number): number => xs[i] ?? NaN
/** Without zeros at its end. */
export const upTo = (x: number, digits: number): string => String(Number(x.toFixed(digits)))
/** The one text that something holds for. */
export const only = (texts: readonly string[], holds: (text: string) => boolean): string => {
  const those = texts.filter(holds)
  return those.length === 1 ? (those[0] ?? '') : `${those.length} hold`
}
export const orders = <T>(xs: readonly T[]): T[][] =>
  xs.length === 0 ? [[]] : xs.flatMap((x) => orders(xs.filter((y) => y !== x)).map((rest) => [x, ...rest]))
