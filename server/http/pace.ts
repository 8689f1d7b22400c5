/** From so many keys on, those whose window is over are forgotten. */
const MANY = 10_000

/**
 * At most `max` hits for each key in a window that opens with its first hit. It is counted in this process alone, for calls that
 * are too many to be counted in the database (limits.ts): with several replicas each lets so many pass.
 * @returns for a key, a time in ms and a number of hits: how many ms it has to wait; 0: it may pass
 */
export function pace({
  max,
  windowMs,
}: {
  max: number
  windowMs: number
}): (key: string, now: number, hits?: number) => number {
  const windows = new Map<string, { from: number; hits: number }>()
  return (key, now, hits = 1) => {
    const held = windows.get(key)
    if (!held || now - held.from >= windowMs) {
      if (windows.size >= MANY) for (const [each, { from }] of windows) if (now - from >= windowMs) windows.delete(each)
      windows.set(key, { from: now, hits })
      return 0
    }
    if (held.hits >= max) return held.from + windowMs - now
    held.hits += hits
    return 0
  }
}
