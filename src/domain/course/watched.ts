/** From a second of a lesson up to another, the second one not in it. */
export type Span = [from: number, to: number]

/** Spans in their order, those that overlap or meet made one, empty ones left out. Any order of unions gives the same. */
export function union(...lists: readonly (readonly Span[])[]): Span[] {
  const joined: Span[] = []
  for (const [from, to] of lists.flat().sort(([a], [b]) => a - b)) {
    const last = joined.at(-1)
    if (to <= from) continue
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}

/** Of spans that are apart. */
export const secondsOf = (spans: readonly Span[]): number => spans.reduce((sum, [from, to]) => sum + to - from, 0)

/** What of spans lies before a second. */
export const before = (spans: readonly Span[], end: number): Span[] =>
  spans.flatMap(([from, to]): Span[] => (from < end ? [[from, Math.min(to, end)]] : []))

/** Credits and pauses at its end are not what a lesson is watched for. */
const WHOLE = 0.95

/** 0 … 1, and 1 when all but its last moments were watched. */
export function watchedShare(spans: readonly Span[], seconds: number): number {
  const within = secondsOf(before(spans, seconds))
  const share = seconds > 0 ? within / seconds : 0
  return share >= WHOLE ? 1 : share
}
