import { readFile } from 'node:fs/promises'

/** Leaves out what no database holds: NUL, and half of a pair of surrogates, as a length limit leaves of an emoji. */
export const holdable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Makes each text in a value one that a database can hold. */
export function withHoldableTexts(value: unknown): unknown {
  if (typeof value === 'string') return holdable(value)
  if (Array.isArray(value)) return value.map(withHoldableTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withHoldableTexts(each)]))
}

/** Reads a file of JSON; undefined when it is none, or cannot be read. */
export async function readJsonFile(file: string): Promise<unknown> {
  try {
    return withHoldableTexts(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return undefined
  }
}
