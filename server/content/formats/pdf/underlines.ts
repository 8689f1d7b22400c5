import { type Box, heightOf, middle, widthOf } from './page.ts'
import type { Row } from './rows.ts'

/** Points. */
const BUCKET = 8
const LEAST = 3
/** So much of the size, from the baseline. */
const BELOW = { from: -0.02, to: 0.42 }
const THROUGH = { from: -0.75, to: -0.05 }
/** A gap may go on so far behind the words of its line. */
const BEYOND = 40

/** Lines that are drawn under words, or through them. */
export class Underlines {
  private readonly buckets: Map<number, Box[]>

  constructor(rules: readonly Box[]) {
    const lying = rules.filter((rule) => widthOf(rule) > heightOf(rule) && widthOf(rule) > LEAST)
    this.buckets = Map.groupBy(lying, (rule) => Math.floor(middle(rule) / BUCKET))
  }

  /** Lines under a line of text. */
  below(row: Row): Box[] {
    return this.near(row, BELOW, BEYOND * row.size)
  }
  /** Tells whether a line divides what is raised from what is lowered, as in a fraction. */
  through(row: Row): boolean {
    const scripts = row.segments.filter(({ script }) => script !== undefined)
    return (
      scripts.length > 0 &&
      this.near(row, THROUGH, 0).some((rule) =>
        scripts.some(
          ({ left, right, size }) =>
            rule.left < right && rule.right > left && widthOf(rule) < 2 * (right - left) + 2 * size,
        ),
      )
    )
  }

  private near({ baseline, size, left, right }: Row, { from, to }: typeof BELOW, beyond: number): Box[] {
    const found: Box[] = []
    const [top, bottom] = [baseline + from * size, baseline + to * size]
    for (let bucket = Math.floor(top / BUCKET); bucket <= Math.floor(bottom / BUCKET); bucket++)
      for (const rule of this.buckets.get(bucket) ?? []) {
        const y = middle(rule)
        if (y >= top && y <= bottom && rule.left < right + beyond && rule.right > left - beyond) found.push(rule)
      }
    return found
  }
}
