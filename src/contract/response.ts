import * as v from 'valibot'
import { OptionId } from './question.ts'
import { Count } from './scalar.ts'
import { BLANK_MAX, ESSAY_MAX } from './sync.ts'

/** What a student gave as an answer. */
export const Response = v.variant('kind', [
  v.object({ kind: v.literal('choice'), ids: v.pipe(v.array(OptionId), v.maxLength(26)) }),
  v.object({
    kind: v.literal('blank'),
    texts: v.pipe(v.array(v.pipe(v.string(), v.maxLength(BLANK_MAX))), v.maxLength(50)),
  }),
  v.object({
    kind: v.literal('essay'),
    text: v.pipe(v.string(), v.maxLength(ESSAY_MAX)),
    /** Indexes of the scoring points that the student ticked; for an essay without points, [0] means 掌握. */
    ticked: v.pipe(v.array(Count), v.maxLength(50)),
  }),
  /** The order that the student made of the options; empty until one has been moved. */
  v.object({ kind: v.literal('order'), ids: v.pipe(v.array(OptionId), v.maxLength(26)) }),
])
export type Response = v.InferOutput<typeof Response>
