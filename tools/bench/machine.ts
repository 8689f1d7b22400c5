import os from 'node:os'
import { median } from './figures.ts'

/** The loop below on the machine for which the limits in ms are meant, when nothing else runs there. */
const QUIET_LOOP_MS = 21

/** A fixed loop, ms: the best of five, so it tells the speed that is left when others are at work. */
export function fixedLoopMs(): number {
  const times = Array.from({ length: 5 }, () => {
    const started = performance.now()
    let sum = 0
    for (let i = 0; i < 20_000_000; i++) sum += i % 7
    return sum > 0 ? performance.now() - started : 0
  })
  return Math.min(...times)
}

/** Tells how many times slower than that machine this one was, by loops that ran beside what was measured; 1 at least. */
export const slowerBy = (loops: readonly number[]): number => Math.max(1, median(loops) / QUIET_LOOP_MS)

/** How fast and how busy this machine is right now: figures of two runs may be compared only when these are alike. */
export function machine(): string {
  const load = os.loadavg()[0] ?? 0
  return `load ${load.toFixed(1)} on ${os.availableParallelism()} cores, fixed loop ${Math.round(fixedLoopMs())} ms`
}
