import type { Line } from '../paperAnswers.ts'
import { hasOptions, numberOf } from '../paperNumbers.ts'

/** A line that a list with Arabic numbers has numbered. */
export interface ListItem {
  line: number
  num: string
  level: number
}

/**
 * Lines of lists that stand within a question: those of a deeper level, and those between two questions that follow each other in
 * another list, with no options among them.
 */
export function listsWithin(lines: readonly Line[], items: readonly ListItem[]): Line[] {
  const found = new Set<number>()
  const seen = new Map<string, number>()
  for (const { line, num, level } of items) {
    const top = seen.get(num)
    if (top !== undefined && level > top) found.add(line)
    else seen.set(num, Math.min(top ?? level, level))
  }
  const keys = items.map(({ num, level }) => `${num} ${level}`)
  const first = new Map<string, number>()
  const last = new Map<string, number>()
  for (const [i, key] of keys.entries()) {
    if (!first.has(key)) first.set(key, i)
    last.set(key, i)
  }
  const numberAt = (i: number) => numberOf(lines[items[i]?.line ?? 0]?.text.trim() ?? '') ?? Number.NaN
  const before = new Map<string, number>()
  for (const [to, key] of keys.entries()) {
    const from = before.get(key)
    before.set(key, to)
    if (from === undefined || to === from + 1 || numberAt(to) !== numberAt(from) + 1) continue
    const between = items.slice(from + 1, to)
    const isWhole = keys
      .slice(from + 1, to)
      .every((each) => (first.get(each) ?? 0) > from && (last.get(each) ?? to) < to)
    const [top, end] = [between[0]?.line ?? 0, between.at(-1)?.line ?? 0]
    if (isWhole && !hasOptions(lines.slice(top, end))) for (const { line } of between) found.add(line)
  }
  return [...found].flatMap((line) => lines[line] ?? [])
}
