/** Chances that are the same for the same seed. */
export function seeded(seed: number) {
  const chance = mulberry32(seed)
  /** A whole number from 0 up to but without `n`. */
  const below = (n: number): number => Math.floor(chance() * n)
  const one = <T>(list: readonly [T, ...T[]] | readonly T[]): T => {
    const picked = list[below(list.length)]
    if (picked === undefined) throw new RangeError('nothing to pick from')
    return picked
  }
  return { chance, below, one }
}

/** A small, good generator of 0 ≤ x < 1: the platform's own cannot be given a seed. */
function mulberry32(seed: number): () => number {
  let a = seed * 0x9e3779b1
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
