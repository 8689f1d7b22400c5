import * as v from 'valibot'
import { type MemoryFit, MemoryFitText } from '#src/contract/memoryFit.ts'
import type { Memory } from '#src/contract/study.ts'
import { type MemoryModel, modelOf, remembered } from './review.ts'

/** Reads a student's own parameters of FSRS out of their settings. */

/** @param value of the setting; whatever is no fit counts as none. */
export function fitIn(value: unknown): MemoryFit | null {
  const parsed = v.safeParse(MemoryFitText, value)
  return parsed.success ? parsed.output : null
}

export const fitText = (fit: MemoryFit): string => JSON.stringify(fit)

/** The last model that was made: a device has one student, and a server asks for one student's after another's. */
const last: { value: unknown; model: MemoryModel | undefined } = { value: undefined, model: undefined }

/** @param value of the setting. @returns undefined where the student has no fit: most people's model counts. */
export function modelIn(value: unknown): MemoryModel | undefined {
  if (value === last.value) return last.model
  const fit = fitIn(value)
  last.value = value
  last.model = fit ? modelOf(fit.weights) : undefined
  return last.model
}

/** This usually happens to a question: days after the answer before, and whether it was right. */
const USUAL: readonly (readonly (readonly [days: number, right: boolean])[])[] = [
  [
    [0, false],
    [1, true],
    [3, true],
  ],
  [
    [0, true],
    [4, true],
    [12, true],
  ],
]

/** Tells how many times as long as most people's the memories of a model last, after what usually happens to a question. */
export function firmnessOf(model: MemoryModel): number {
  const ratios = USUAL.map((history) => Math.log(stabilityAfter(history, model) / stabilityAfter(history)))
  return Math.exp(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length)
}

function stabilityAfter(history: (typeof USUAL)[number], model?: MemoryModel): number {
  const memory = history.reduce<Memory | undefined>(
    (known, [days, right]) => remembered(known, days, right, model),
    undefined,
  )
  return memory?.stability ?? 1
}
