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
  const keyOf = ({ num, level }: ListItem) => `${num} ${level}`
  const numbered = (item: ListItem | undefined) => (item && numberOf(lines[item.line]?.text.trim() ?? '')) ?? Number.NaN
  for (const [i, item] of items.entries()) {
    const to = items.findIndex((each, at) => at > i && keyOf(each) === keyOf(item))
    if (to <= i + 1 || numbered(items[to]) !== numbered(item) + 1) continue
    const between = items.slice(i + 1, to)
    const isWhole = between.every((each) =>
      items.every((other, at) => keyOf(other) !== keyOf(each) || (at > i && at < to)),
    )
    const [first, last] = [between[0]?.line ?? 0, between.at(-1)?.line ?? 0]
    if (isWhole && !hasOptions(lines.slice(first, last))) for (const { line } of between) found.add(line)
  }
  return [...found].flatMap((line) => lines[line] ?? [])
}
