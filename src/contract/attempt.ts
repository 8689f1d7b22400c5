import * as v from 'valibot'
import { Count, EpochMs, No, OpId, Rev } from './scalar.ts'

/** The paper of a sitting as it was on the screen. Another kind of paper is another `of`. */
export const PaperRef = v.variant('of', [
  v.object({
    of: v.literal('set'),
    no: No,
    itemNo: No,
    rev: Rev,
    /** Only what anybody may try of it. */
    trial: v.boolean(),
  }),
])
export type PaperRef = v.InferOutput<typeof PaperRef>
/** practice: each answer was marked at once; exam: nothing was, until the hand-in. */
const AttemptMode = v.picklist(['practice', 'exam'])

/** Ops that are answers given in a sitting: the device made its number. */
const answers = v.pipe(v.array(OpId), v.maxLength(1_000))
export const HandIn = v.object({
  attemptId: OpId,
  answers,
  paper: PaperRef,
  mode: AttemptMode,
  /** From its begin to the hand-in, by the device's clock. */
  tookMs: Count,
  /** With questions on the screen. */
  spentMs: Count,
})
export type HandIn = v.InferOutput<typeof HandIn>
export const SelfMark = v.object({ attemptId: OpId, answers })

/** What a sitting earned, in hundredths of a mark. */
export const Earned = v.object({
  score: Count,
  full: Count,
  /** Questions wholly right, of `total`. */
  right: Count,
  total: Count,
  /** Question by question, in the paper's order; null: nothing was given, or the student has not marked it yet. */
  marks: v.array(v.nullable(Count)),
})
export type Earned = v.InferOutput<typeof Earned>
/** 作答记录: a sitting that was handed in. */
export const Attempt = v.object({
  ...Earned.entries,
  paper: PaperRef,
  mode: AttemptMode,
  startedAt: EpochMs,
  handedAt: EpochMs,
  spentMs: Count,
})
export type Attempt = v.InferOutput<typeof Attempt>
