import * as v from 'valibot'
import { Response } from './response.ts'
import { Count, DurationMs, EpochMs, No, OpId, Rev } from './scalar.ts'

export const SetPaperRef = v.object({
  of: v.literal('set'),
  no: No,
  itemNo: No,
  rev: Rev,
  /** Only what anybody may try of it. */
  trial: v.boolean(),
})
export type SetPaperRef = v.InferOutput<typeof SetPaperRef>
/** The paper of a sitting as it was on the screen. Another kind of paper is another `of`. */
export const PaperRef = v.variant('of', [SetPaperRef, v.object({ of: v.literal('testing'), no: No, rev: Rev })])
export type PaperRef = v.InferOutput<typeof PaperRef>
/** practice: each answer was marked at once; exam: nothing was, until the hand-in. */
const SittingMode = v.picklist(['practice', 'exam'])

/** Ops that are answers given in a sitting: the device made its number. */
const answers = v.pipe(v.array(OpId), v.maxLength(1_000))
const handIn = {
  attemptId: OpId,
  answers,
  mode: SittingMode,
  /** From its begin to the hand-in, by the device's clock. */
  tookMs: Count,
  /** With questions on the screen. */
  spentMs: Count,
}
/** As it was while sets alone had papers. */
export const SetHandIn = v.object({ ...handIn, paper: SetPaperRef })
export const HandIn = v.object({ ...handIn, paper: PaperRef })
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
export const SittingRecord = v.object({
  ...Earned.entries,
  paper: PaperRef,
  mode: SittingMode,
  startedAt: EpochMs,
  handedAt: EpochMs,
  spentMs: Count,
})
export type SittingRecord = v.InferOutput<typeof SittingRecord>

/** exam, 真实: the clock runs on. practice, 练习: it can be stopped, and nothing of it is ranked. */
export const ExamMode = v.picklist(['exam', 'practice'])
export type ExamMode = v.InferOutput<typeof ExamMode>
const ofExam = { attemptId: OpId, exam: No, rev: Rev, mode: ExamMode }
/** By the sitting's own clock, from its begin. */
const elapsedMs = Count
export const ExamBegin = v.object(ofExam)
/** One choice of a sitting as it stands from now on; the last one to a question counts. */
export const ExamChoice = v.object({
  attemptId: OpId,
  questionNo: No,
  response: Response,
  spentMs: DurationMs,
  elapsedMs,
})
/** 交卷: these choices and no others, in the order of the paper. It says again what was begun, so that it stands by itself. */
export const ExamHandIn = v.object({
  ...ofExam,
  choices: answers,
  /** SHA-256 in hex over the choices (domain/paper/exam.ts, sealText): what the receipt shows a part of. */
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  elapsedMs,
  /** With questions on the screen. */
  spentMs: Count,
})
export type ExamHandIn = v.InferOutput<typeof ExamHandIn>

/**
 * What a sitting is marked with for all to see. late: it arrived more than a minute after it was sealed, 离线交卷; clock: two
 * clocks disagree by more than a minute about how long it took; over: it took longer than it may.
 */
export const ExamFlag = v.picklist(['late', 'clock', 'over'])
export type ExamFlag = v.InferOutput<typeof ExamFlag>
/** 作答记录 of an exam, without its marks: those come with the key (exam/key). */
export const ExamSittingRecord = v.object({
  exam: No,
  rev: Rev,
  mode: ExamMode,
  startedAt: EpochMs,
  /** When it was sealed; null while it is open. */
  handedAt: v.nullable(EpochMs),
  /** Of the hand-in, and the hash in it; '' while it is open. */
  handIn: v.string(),
  hash: v.string(),
  answered: Count,
  elapsedMs: Count,
  spentMs: Count,
  flags: v.array(ExamFlag),
  /** The server has handed it in when the exam's window ended, from what it had: the hand-in of its own device takes its place. */
  by: v.exactOptional(v.literal('server')),
})
export type ExamSittingRecord = v.InferOutput<typeof ExamSittingRecord>
