import type { PlayerState } from './playerState.ts'

const MINUTE_MS = 60_000

/**
 * A student who touches nothing for so long is not at the question any more. A calculation on paper takes minutes; a material, an
 * essay and a question of a paper that is sat take more of them.
 */
export function patienceMs({ items, at, mode }: PlayerState): number {
  const item = items[at]
  const isLong = mode === 'exam' || item?.part.type === 'essay' || (item?.material ?? null) !== null
  return (isLong ? 8 : 3) * MINUTE_MS
}
