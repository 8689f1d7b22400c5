import type { Earned } from '#src/contract/sitting.ts'
import type { Band } from '#src/contract/testing.ts'
import type { Score } from '../question/rules.ts'

export interface Share {
  score: Score
  full: Score
}

/** What a share of the marks means; null: nothing is said of it. */
export function bandOf(bands: readonly Band[], { score, full }: Share): Band | null {
  return bands.filter(({ from }) => from === 0 || (full > 0 && score * 100 >= from * full)).at(-1) ?? null
}

/** What each section earned, of a sitting of which the marks are known. */
export function sharesOf(
  sections: readonly { title: string; count: number; full: Score }[],
  marks: Earned['marks'],
): (Share & { title: string })[] {
  let at = 0
  return sections.map(({ title, count, full }) => {
    const own = marks.slice(at, (at += count))
    return { title, full, score: own.reduce<number>((sum, mark) => sum + (mark ?? 0), 0) }
  })
}
