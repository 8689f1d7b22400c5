import * as v from 'valibot'
import { Count, EpochMs } from './scalar.ts'

/**
 * The setting under which a student's record holds what the server has fitted to their answers. No op sets it, and an app that does not
 * know it passes it over.
 */
export const MEMORY_FIT = 'memoryFit'

/** FSRS-6 has so many parameters. */
const WEIGHTS = 21

/** It says how a student's own memories grow firm and fade. */
export const MemoryFit = v.object({
  /** Parameters of FSRS-6, in its order. */
  weights: v.pipe(v.array(v.number()), v.length(WEIGHTS)),
  /** Answers they were fitted to, each a day or more after another one to the same question. */
  reviews: Count,
  /** When they were fitted. */
  at: EpochMs,
})
export type MemoryFit = v.InferOutput<typeof MemoryFit>

/** A setting is a text or a number: a fit is this text. */
export const MemoryFitText = v.pipe(v.string(), v.parseJson(), MemoryFit)
